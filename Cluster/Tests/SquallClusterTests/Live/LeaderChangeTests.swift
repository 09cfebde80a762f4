import NIOConcurrencyHelpers
import Squall
import Testing

@testable import SquallCluster

@Suite(.serialized) struct LeaderChangeTests {
    @Test func aNodeThatIsNotListedIsFound() async throws {
        try await TestNodes.with(3) { nodes in
            let cluster = try await Cluster(nodes: [nodes.nodes[2].address], database: "app")
            #expect(try await cluster.leader() == nodes.nodes[0].address)
            #expect(cluster.members.map(\.id) == [1, 2, 3])
            await cluster.close()
        }
    }

    @Test func callsGoOnWhenTheLeadershipIsTransferred() async throws {
        try await TestNodes.with(3) { nodes in
            let cluster = try await nodes.client()
            try await cluster.writeTransaction { try await $0.execute(sql: "CREATE TABLE t(a)") }
            let isOver = NIOLockedValueBox(false)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        var count = 0
                        while !isOver.withLockedValue({ $0 }) {
                            try await cluster.writeTransaction(idempotencyKey: "\(writer)-\(count)") {
                                _ = try await $0.execute(sql: "INSERT INTO t VALUES(1)")
                            }
                            count += 1
                        }
                        return count
                    }
                }
                group.addTask {
                    while !isOver.withLockedValue({ $0 }) { _ = try await cluster.count() }
                    return 0
                }
                for id in [2, 3, 1, 2] as [UInt64] {
                    try await nodes.transfer(to: id)
                    _ = try await cluster.readTransaction(.linearizable) { try await $0.count() }
                }
                isOver.withLockedValue { $0 = true }
                var written = 0
                for try await count in group { written += count }
                #expect(try await cluster.readTransaction(.linearizable) { try await $0.count() } == Int64(written))
            }
            await cluster.close()
        }
    }

    @Test func aTransactionOfAnOldLeaderIsRunAgain() async throws {
        try await TestNodes.with(3) { nodes in
            let cluster = try await nodes.client()
            try await cluster.writeTransaction { try await $0.execute(sql: "CREATE TABLE t(a)") }
            var runs = 0
            try await cluster.writeTransaction { transaction in
                runs += 1
                try await transaction.execute(sql: "INSERT INTO t VALUES(1)")
                if runs == 1 { try await nodes.transfer(to: 2) }
            }
            #expect(runs == 2)
            var reads = 0
            let rows = try await cluster.readTransaction { transaction in
                reads += 1
                _ = try await transaction.rows(sql: "SELECT 1").all()
                if reads == 1 { try await nodes.transfer(to: 3) }
                return try await transaction.rows(sql: "SELECT a FROM t").all()
            }
            #expect(rows == [[.integer(1)]])
            #expect(reads == 2)
            await cluster.close()
        }
    }

    @Test func aClusterThatIsGoneIsAnErrorBeforeTheDeadline() async throws {
        let addresses = ["127.0.0.1:1", "127.0.0.1:2"]
        var settings = ClusterSettings()
        settings.connectDeadline = .milliseconds(300)
        let start = ContinuousClock.now
        await #expect {
            _ = try await Cluster(nodes: addresses, database: "app", settings: settings)
        } throws: { error in
            guard case ClusterError.noLeader(let problems) = error else { return false }
            return problems.map(\.address) == addresses && problems.allSatisfy { !$0.reason.isEmpty }
        }
        #expect(ContinuousClock.now - start < .seconds(2))

        try await TestNodes.with { nodes in
            let cluster = try await nodes.client()
            try await nodes.kill(0)
            await #expect {
                try await cluster.readTransaction(deadline: .milliseconds(300)) {
                    _ = try await $0.rows(sql: "SELECT 1")
                }
            } throws: { error in
                guard case ClusterError.noLeader(let problems) = error else { return false }
                return problems.map(\.address) == [nodes.nodes[0].address]
            }
            await cluster.close()
        }
    }
}

extension ClusterTransaction {
    fileprivate nonisolated(nonsending) func count() async throws -> Int64? {
        let rows = try await rows(sql: "SELECT count(*) FROM t").all()
        if case .integer(let count)? = rows.first?.first { return count }
        return nil
    }
}

extension TestNodes {
    /// Makes a node the leader, and waits until it knows.
    func transfer(to id: UInt64) async throws {
        let target = try await NodeConnection.connect(to: nodes[Int(id) - 1].address)
        while try await target.leader()?.id != id {
            for node in nodes where node.id != id {
                let connection = try await NodeConnection.connect(to: node.address)
                if try await connection.leader()?.id == node.id { try? await connection.transferLeadership(to: id) }
                await connection.close()
            }
        }
        await target.close()
    }
}

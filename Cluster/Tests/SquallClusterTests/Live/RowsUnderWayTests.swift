import Foundation
import Glibc
import Testing

@testable import SquallCluster

/// Ends of connections, of nodes and of the leadership while the rows of a query are under way.
@Suite(.serialized) struct RowsUnderWayTests {
    @Test(arguments: [true, false])
    func aNodeSurvivesClientsThatEndTheirConnections(isPrepared: Bool) async throws {
        try await TestNodes.with { cluster in
            for round in 0..<40 {
                let connection = try await cluster.connect()
                let sql = StatementTests.numbers + "SELECT i, 'abcdefghijkl' FROM n"
                let rows =
                    isPrepared
                    ? try await connection.query(sql, [.integer(1_000_000)])
                    : try await connection.queryOnce(sql, [.integer(1_000_000)])
                for _ in 0..<round * 100 { _ = try await rows.next() }
                await connection.close()
            }
            let connection = try await cluster.connect()
            #expect(try await connection.rows("SELECT 1") == [[.integer(1)]])
            #expect(try await cluster.terminate(0) == .status(0))
        }
    }

    @Test(arguments: [true, false])
    func aNodeEndsWellWhileItSendsRows(isPrepared: Bool) async throws {
        try await TestNodes.with { cluster in
            try await Self.whileReading(cluster, isPrepared) {
                let end = try await cluster.terminate(0)
                #expect(end == .status(0))
            }
        }
    }

    @Test(arguments: [true, false])
    func aLeaderHandsOverWhileItSendsRows(isPrepared: Bool) async throws {
        // An election during the rows would end the process: see the next test.
        try await TestNodes.with(3, latency: 400) { cluster in
            let leader = try await cluster.leader()
            try await Self.whileReading(cluster, isPrepared) {
                let end = try await cluster.terminate(leader)
                #expect(end == .status(0))
            }
            #expect(try await cluster.leader() != leader)
        }
    }

    /// A client cannot prevent this. libdqlite 1.11 ends the process; a later one need not.
    @Test func aNodeThatLosesTheLeadershipWhileItSendsRowsLosesNoData() async throws {
        try await TestNodes.with(3) { cluster in
            let first = try await cluster.connect()
            try await first.execute("CREATE TABLE t(a)")
            try await first.execute("INSERT INTO t VALUES('kept')")
            let leader = try await cluster.leader()
            try await Self.whileReading(cluster, true) {
                _ = try? await first.transferLeadership(to: cluster.nodes[(leader + 1) % 3].id)
                // A supervisor would find it ended; either way it must start again.
                try await cluster.kill(leader)
            }
            try await cluster.restart(leader)
            let second = try await cluster.connect()
            #expect(try await second.rows("SELECT a FROM t") == [[.text("kept")]])
            try await cluster.eventually { try await $0.status().members.allSatisfy(\.isReachable) }
        }
    }

    private static func whileReading(
        _ cluster: TestNodes, _ isPrepared: Bool, _ body: () async throws -> Void
    ) async throws {
        let reading = Reading(count: 4)
        // A node that sends rows takes long to answer new clients on a busy machine, so all connect first.
        var connections: [NodeConnection] = []
        for _ in 0..<reading.count { connections.append(try await cluster.connect()) }
        let tasks = connections.map { connection in
            Task { await reading.read(connection, isPrepared: isPrepared) }
        }
        await reading.hasStarted()
        try await body()
        for task in tasks { await task.value }
    }
}

import Glibc
import NIOConcurrencyHelpers
import Squall
import Testing

@testable import SquallCluster

/// Many clients, and a slow node.
@Suite(.serialized) struct ManyClientsTests {
    @Test func aThousandTasksUseOneCluster() async throws {
        try await TestNodes.with { nodes in
            let cluster = try await nodes.client { $0.deadline = .seconds(60) }
            try await cluster.write { _ = try await $0.run("CREATE TABLE t(a)") }
            try await withThrowingTaskGroup { group in
                for task in 0..<1_000 {
                    group.addTask {
                        try await cluster.write { _ = try await $0.run("INSERT INTO t VALUES(\(task))") }
                        let found: Int? = try await cluster.read {
                            try await $0.query("SELECT a FROM t WHERE a = \(task)")
                        }
                        #expect(found == task)
                    }
                }
                try await group.waitForAll()
            }
            let rows: [Int] = try await cluster.read { try await $0.query("SELECT a FROM t ORDER BY a") }
            #expect(rows == Array(0..<1_000))
            await cluster.close()
        }
    }

    @Test func twoHundredConnectionsReadAndWrite() async throws {
        try await TestNodes.with { nodes in
            let first = try await nodes.client()
            try await first.write { _ = try await $0.run("CREATE TABLE t(a)") }
            // All are open before one is used.
            var clusters: [Cluster] = []
            for _ in 0..<200 {
                clusters.append(
                    try await nodes.client { settings in
                        settings.maximumConnections = 1
                        settings.deadline = .seconds(60)
                    })
            }
            try await withThrowingTaskGroup { group in
                for (index, cluster) in clusters.enumerated() {
                    group.addTask {
                        try await cluster.write { _ = try await $0.run("INSERT INTO t VALUES(\(index))") }
                        let found: Int? = try await cluster.read {
                            try await $0.query("SELECT a FROM t WHERE a = \(index)")
                        }
                        #expect(found == index)
                    }
                }
                try await group.waitForAll()
            }
            let count: Int = try await first.read { try await $0.query("SELECT count(DISTINCT a) FROM t") }
            #expect(count == 200)
            for cluster in clusters + [first] { await cluster.close() }
        }
    }

    /// A node that stands still for a part of each 30 ms. The leader stays one: an election takes longer.
    @Test(arguments: [0, 1]) func aSlowNodeLosesNothing(index: Int) async throws {
        try await TestNodes.with(3) { nodes in
            let cluster = try await nodes.client()
            try await cluster.write { _ = try await $0.run("CREATE TABLE t(a)") }
            let slowness = Task {
                while !Task.isCancelled {
                    try await nodes.pause(index)
                    try? await Task.sleep(for: .milliseconds(20))
                    try nodes.resume(index)
                    try? await Task.sleep(for: .milliseconds(10))
                }
            }
            for number in 0..<100 {
                _ = try await cluster.write(idempotencyKey: "\(number)") {
                    try await $0.run("INSERT INTO t VALUES(\(number))").changes
                }
            }
            slowness.cancel()
            try await slowness.value
            let rows: [Int] = try await cluster.read(.linearizable) { try await $0.query("SELECT a FROM t ORDER BY a") }
            #expect(rows == Array(0..<100))
            await cluster.close()
        }
    }
}

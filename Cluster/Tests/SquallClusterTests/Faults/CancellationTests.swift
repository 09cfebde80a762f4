import NIOConcurrencyHelpers
import Squall
import Testing

@testable import SquallCluster

/// Tasks that are cancelled, and deadlines that pass, in each phase of a call.
@Suite(.serialized) struct CancellationTests {
    private static func withCluster(
        _ change: (inout ClusterSettings) -> Void = { _ in }, _ body: (Cluster, TestNodes) async throws -> Void
    ) async throws {
        try await TestNodes.with { nodes in
            let cluster = try await nodes.client(change)
            try await cluster.write { _ = try await $0.run("CREATE TABLE t(a)") }
            try await body(cluster, nodes)
            // The connections and the turn to write are free again.
            try await cluster.write(deadline: .seconds(10)) { _ = try await $0.run("INSERT INTO t VALUES(9)") }
            let rows: [Int] = try await cluster.read { try await $0.query("SELECT a FROM t") }
            #expect(rows == [9])
            await cluster.close()
        }
    }

    @Test func beforeTheCall() async throws {
        try await Self.withCluster { cluster, _ in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await cluster.write { _ = try await $0.run("INSERT INTO t VALUES(1)") }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func whileTheLeaderIsLookedFor() async throws {
        let silent = try await FakeNode()
        let task = Task { try await Cluster(nodes: [silent.address], database: "app") }
        while silent.requests.withLockedValue(\.isEmpty) { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test func whileAConnectionIsOpened() async throws {
        let node = try await FakeNode()
        node.names(node)
        let named = node.answer.withLockedValue(\.self)
        let opening = NIOLockedValueBox(false)
        node.answer.withLockedValue {
            $0 = { message in
                guard message.type == Request.open(name: "").type else { return named(message) }
                opening.withLockedValue { $0 = true }
                return .ignore
            }
        }
        let task = Task { try await Cluster(nodes: [node.address], database: "app") }
        while !opening.withLockedValue(\.self) { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test func whileTheTurnToWriteIsAwaited() async throws {
        try await Self.withCluster { cluster, _ in
            let (hasBegun, isOver) = (NIOLockedValueBox(false), NIOLockedValueBox(false))
            let first = Task {
                try await cluster.write { connection in
                    _ = try await connection.run("INSERT INTO t VALUES(1)")
                    hasBegun.withLockedValue { $0 = true }
                    while !isOver.withLockedValue(\.self) { await Task.yield() }
                    throw CancellationError()
                }
            }
            while !hasBegun.withLockedValue(\.self) { await Task.yield() }
            let second = Task { try await cluster.write { _ = try await $0.run("INSERT INTO t VALUES(2)") } }
            while cluster.pool.waiting == 0 { await Task.yield() }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
            isOver.withLockedValue { $0 = true }
            await #expect(throws: CancellationError.self) { try await first.value }
        }
    }

    @Test func whileAnotherClientHasTheDatabaseLocked() async throws {
        try await Self.withCluster { cluster, nodes in
            let other = try await nodes.connect()
            try await other.execute("BEGIN IMMEDIATE")
            let runs = NIOLockedValueBox(0)
            let task = Task {
                try await cluster.write { connection in
                    runs.withLockedValue { $0 += 1 }
                    _ = try await connection.run("INSERT INTO t VALUES(1)")
                }
            }
            // The pauses between attempts are most of the time.
            try await cluster.read { _ in }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(runs.withLockedValue(\.self) == 0)
            await other.close()
        }
    }

    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"

    @Test func whileRowsAreRead() async throws {
        try await Self.withCluster { cluster, _ in
            let hasRows = NIOLockedValueBox(false)
            let task = Task {
                try await cluster.readTransaction { transaction in
                    let rows = try await transaction.rows(sql: Self.endless)
                    while try await rows.next() != nil { hasRows.withLockedValue { $0 = true } }
                }
            }
            while !hasRows.withLockedValue(\.self) { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func whileTheNodeDoesNotAnswer() async throws {
        try await Self.withCluster { cluster, nodes in
            let isPaused = NIOLockedValueBox(false)
            let task = Task {
                try await cluster.write { connection in
                    _ = try await connection.run("INSERT INTO t VALUES(1)")
                    try await nodes.pause(0)
                    isPaused.withLockedValue { $0 = true }
                    _ = try await connection.run("INSERT INTO t VALUES(2)")
                }
            }
            while !isPaused.withLockedValue(\.self) { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try nodes.resume(0)
        }
    }

    @Test func aReadThatTakesLongerThanItsDeadline() async throws {
        try await Self.withCluster { cluster, _ in
            let late = ClusterError.deadlineExceeded(mayHaveRun: false)
            // In the closure, with rows under way, and with a statement under way.
            await #expect(throws: late) {
                try await cluster.readTransaction(deadline: .seconds(1)) { transaction in
                    _ = try await transaction.rows(sql: "SELECT 1").all()
                    while transaction.connection.isOpen { await Task.yield() }
                    _ = try await transaction.rows(sql: "SELECT 1").all()
                }
            }
            await #expect(throws: late) {
                try await cluster.readTransaction(deadline: .seconds(1)) { transaction in
                    let rows = try await transaction.rows(sql: Self.endless)
                    while try await rows.next() != nil {}
                }
            }
            await #expect(throws: late) {
                try await cluster.readTransaction(deadline: .milliseconds(200)) { transaction in
                    // The node does nothing else until the statement is done, in a second or more.
                    let sql = "SELECT max(i) FROM (\(Self.endless) LIMIT 10000000)"
                    _ = try await transaction.rows(sql: sql).all()
                }
            }
        }
    }
}

import NIOConcurrencyHelpers
import Squall
import Testing

@testable import SquallCluster

@Suite(.serialized) struct CommitOutcomeTests {
    private static let insert = "INSERT INTO t(a) VALUES(1)"

    /// Runs a closure with a client, a second client to look at the rows, and the relay between them and the node.
    private func withRelay(_ body: (Cluster, CommitRelay) async throws -> Void) async throws {
        let relay = try await CommitRelay()
        try await TestNodes.with(relay: relay) { nodes in
            let cluster = try await nodes.client()
            try await cluster.writeTransaction { try await $0.execute(sql: "CREATE TABLE t(a)") }
            try await body(cluster, relay)
            await cluster.close()
        }
    }

    @Test func withoutAKeyALostCommitIsUnknown() async throws {
        for (cut, count) in [(CommitRelay.Cut.before, Int64(0)), (.after, 1)] {
            try await withRelay { cluster, relay in
                relay.cuts.withLockedValue { $0 = [cut] }
                let cause = ClusterError.connectionLost(reason: "the node closed it", mayHaveRun: true)
                await #expect(throws: ClusterError.commitOutcomeUnknown(cause: cause)) {
                    try await cluster.writeTransaction { try await $0.execute(sql: Self.insert) }
                }
                let found = try await cluster.count()
                #expect(found == count)
            }
        }
    }

    @Test func withAKeyALostCommitIsDoneOnce() async throws {
        for (cut, runs) in [(CommitRelay.Cut.before, 2), (.after, 1)] {
            try await withRelay { cluster, relay in
                relay.cuts.withLockedValue { $0 = [cut] }
                var count = 0
                let id = try await cluster.writeTransaction(idempotencyKey: "k") { transaction in
                    count += 1
                    return try await transaction.execute(sql: Self.insert).lastInsertedRowID
                }
                #expect(id == 1)
                #expect(count == runs)
                #expect(try await cluster.count() == 1)
            }
        }
    }

    @Test func aCommitThatIsLostManyTimesIsDoneOnce() async throws {
        try await withRelay { cluster, relay in
            relay.cuts.withLockedValue { $0 = [.before, .before, .after] }
            try await cluster.writeTransaction(idempotencyKey: "k") { _ = try await $0.execute(sql: Self.insert) }
            #expect(try await cluster.count() == 1)
        }
    }

    @Test func aKeyIsOfNoUseAfterTheDeadline() async throws {
        try await withRelay { cluster, relay in
            relay.cuts.withLockedValue { $0 = [.silence] }
            let cause = ClusterError.deadlineExceeded(mayHaveRun: true)
            await #expect(throws: ClusterError.commitOutcomeUnknown(cause: cause)) {
                try await cluster.writeTransaction(idempotencyKey: "k", deadline: .milliseconds(200)) {
                    _ = try await $0.execute(sql: Self.insert)
                }
            }
            // The caller calls again with the same key.
            try await cluster.writeTransaction(idempotencyKey: "k") { _ = try await $0.execute(sql: Self.insert) }
            #expect(try await cluster.count() == 1)
        }
    }

    @Test func aPolicyOfOneAttemptLeavesTheOutcomeUnknown() async throws {
        let relay = try await CommitRelay()
        try await TestNodes.with(relay: relay) { nodes in
            let cluster = try await nodes.client { $0.retry = .never }
            try await cluster.writeTransaction { try await $0.execute(sql: "CREATE TABLE t(a)") }
            relay.cuts.withLockedValue { $0 = [.after] }
            let cause = ClusterError.connectionLost(reason: "the node closed it", mayHaveRun: true)
            await #expect(throws: ClusterError.commitOutcomeUnknown(cause: cause)) {
                try await cluster.writeTransaction(idempotencyKey: "k") { _ = try await $0.execute(sql: Self.insert) }
            }
            try await cluster.writeTransaction(idempotencyKey: "k") { _ = try await $0.execute(sql: Self.insert) }
            #expect(try await cluster.count() == 1)
            await cluster.close()
        }
    }

    @Test func aTaskThatIsCancelledDuringCommitAwaitsTheOutcome() async throws {
        try await withRelay { cluster, relay in
            relay.cuts.withLockedValue { $0 = [.silence] }
            let task = Task {
                try await cluster.writeTransaction(deadline: .milliseconds(300)) {
                    try await $0.execute(sql: Self.insert)
                }
            }
            while !relay.isSilent.withLockedValue({ $0 }) { await Task.yield() }
            task.cancel()
            let cause = ClusterError.deadlineExceeded(mayHaveRun: true)
            await #expect(throws: ClusterError.commitOutcomeUnknown(cause: cause)) { try await task.value }
        }
    }
}

extension Cluster {
    /// The number of rows in the table `t`.
    func count() async throws -> Int64? {
        try await readTransaction { transaction in
            let rows = try await transaction.rows(sql: "SELECT count(*) FROM t").all()
            if case .integer(let count)? = rows.first?.first { return count }
            return nil
        }
    }
}

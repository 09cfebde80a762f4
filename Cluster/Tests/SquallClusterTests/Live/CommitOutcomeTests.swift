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
            var deadline = Duration.milliseconds(200)
            var outcome: ClusterError?
            repeat {
                outcome = await #expect(throws: ClusterError.self) {
                    try await cluster.writeTransaction(idempotencyKey: "k", deadline: deadline) {
                        _ = try await $0.execute(sql: Self.insert)
                    }
                }
                // On a busy machine, the deadline may pass before COMMIT is sent.
                deadline *= 2
            } while outcome == .deadlineExceeded(mayHaveRun: false)
            #expect(relay.isSilent)
            #expect(outcome == .commitOutcomeUnknown(cause: .deadlineExceeded(mayHaveRun: true)))
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
                try await cluster.writeTransaction { try await $0.execute(sql: Self.insert) }
            }
            while !relay.isSilent { try await Task.sleep(for: .milliseconds(1)) }
            task.cancel()
            relay.endSilence()
            #expect(try await task.value.changes == 1)
            #expect(try await cluster.count() == 1)
        }
    }

    @Test func aCallThatEndsAtItsDeadlineLeavesTheDatabaseUnlocked() async throws {
        try await TestNodes.with { nodes in
            let cluster = try await nodes.client()
            let other = try await nodes.client()
            try await cluster.writeTransaction { try await $0.execute(sql: "CREATE TABLE t(a)") }
            // The deadline passes while the call connects, begins, writes, commits, or after that.
            for microseconds in stride(from: 100, to: 12_100, by: 100) {
                do {
                    try await cluster.writeTransaction(
                        idempotencyKey: "\(microseconds)", deadline: .microseconds(microseconds)
                    ) {
                        for _ in 0..<3 { _ = try await $0.execute(sql: Self.insert) }
                    }
                } catch ClusterError.deadlineExceeded, ClusterError.commitOutcomeUnknown, ClusterError.noLeader,
                    ClusterError.cannotConnect
                {}
                try await other.writeTransaction(deadline: .seconds(20)) { _ = try await $0.execute(sql: Self.insert) }
            }
            await cluster.close()
            await other.close()
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

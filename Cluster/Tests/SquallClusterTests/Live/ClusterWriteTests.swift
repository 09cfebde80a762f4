import SquallStore
import NIOConcurrencyHelpers
import Squall
import Testing

@testable import SquallCluster

@Suite(.serialized) struct ClusterWriteTests {
    private struct Receipt: Codable, Equatable {
        var id: Int64
        var note: String
    }

    private func withCluster(
        _ change: (inout ClusterSettings) -> Void = { _ in }, _ body: (Cluster) async throws -> Void
    ) async throws {
        try await TestNodes.with { nodes in
            let cluster = try await nodes.client(change)
            try await cluster.writeTransaction { try await $0.execute(sql: "CREATE TABLE t(a UNIQUE)") }
            try await body(cluster)
            await cluster.close()
        }
    }

    @Test func aTransactionIsCommittedOrRolledBack() async throws {
        try await withCluster { cluster in
            let id = try await cluster.writeTransaction { transaction in
                try await transaction.execute(sql: "INSERT INTO t VALUES(?)", values: [.integer(7)])
                #expect(try await transaction.rows(sql: "SELECT a FROM t").all() == [[.integer(7)]])
                return try await transaction.execute(sql: "INSERT INTO t VALUES(8)").lastInsertedRowID
            }
            #expect(id == 2)
            struct Refusal: Error {}
            await #expect(throws: Refusal.self) {
                try await cluster.writeTransaction { transaction in
                    try await transaction.executeScript("DELETE FROM t; INSERT INTO t VALUES(9)")
                    throw Refusal()
                }
            }
            #expect(try await cluster.count() == 2)
        }
    }

    @Test func aKeyIsUsedOnce() async throws {
        try await withCluster { cluster in
            let runs = NIOLockedValueBox(0)
            for _ in 0..<3 {
                try await cluster.writeTransaction(idempotencyKey: "order 1") { transaction in
                    runs.withLockedValue { $0 += 1 }
                    try await transaction.execute(sql: "INSERT INTO t VALUES(1)")
                }
            }
            #expect(runs.withLockedValue { $0 } == 1)
            try await cluster.writeTransaction(idempotencyKey: nil) {
                _ = try await $0.execute(sql: "INSERT INTO t VALUES(2)")
            }
            #expect(try await cluster.count() == 2)
        }
    }

    @Test func theResultIsStoredWithItsKey() async throws {
        try await withCluster { cluster in
            for note in ["first", "second"] {
                let receipt = try await cluster.writeTransaction(idempotencyKey: "größer") { transaction in
                    let id = try await transaction.execute(sql: "INSERT INTO t VALUES(1)").lastInsertedRowID
                    return Receipt(id: id, note: note)
                }
                #expect(receipt == Receipt(id: 1, note: "first"))
            }
            await #expect {
                let _: Int = try await cluster.writeTransaction(idempotencyKey: "größer") { _ in 1 }
            } throws: { error in
                if case .storedResult("größer", _)? = (error as? SQLiteError)?.problem(StoreProblem.self) {
                    true
                } else {
                    false
                }
            }
            #expect(try await cluster.count() == 1)
        }
    }

    @Test func aFailedWriteDoesNotUseUpItsKey() async throws {
        try await withCluster { cluster in
            struct Refusal: Error {}
            await #expect(throws: Refusal.self) {
                try await cluster.writeTransaction(idempotencyKey: "k") { _ in throw Refusal() }
            }
            try await cluster.writeTransaction(idempotencyKey: "k") {
                _ = try await $0.execute(sql: "INSERT INTO t VALUES(1)")
            }
            #expect(try await cluster.count() == 1)
        }
    }

    @Test func oldKeysAreDeleted() async throws {
        try await withCluster {
            $0.keyLifetime = .seconds(-10)
            $0.writesBetweenDeletions = 1
        } _: { cluster in
            for number in 0..<10 { try await cluster.writeTransaction(idempotencyKey: "\(number)") { _ in } }
            let rows = try await cluster.readTransaction {
                try await $0.rows(sql: "SELECT count(*) FROM squall_writes").all()
            }
            #expect(rows == [[.integer(0)]])
        }
    }

    @Test func aStatementThatRollsBackEndsTheTransaction() async throws {
        try await withCluster { cluster in
            try await cluster.writeTransaction { try await $0.execute(sql: "INSERT INTO t VALUES(1)") }
            await #expect(throws: ClusterError.self) {
                try await cluster.writeTransaction { transaction in
                    try await transaction.execute(sql: "INSERT INTO t VALUES(2)")
                    _ = try? await transaction.execute(sql: "INSERT OR ROLLBACK INTO t VALUES(1)")
                    // Outside of a transaction, this would be committed.
                    try await transaction.execute(sql: "INSERT INTO t VALUES(3)")
                }
            }
            #expect(try await cluster.count() == 1)
            // After another error the transaction goes on.
            try await cluster.writeTransaction { transaction in
                try await transaction.execute(sql: "INSERT INTO t VALUES(2)")
                await #expect(throws: ClusterError.self) {
                    try await transaction.execute(sql: "INSERT INTO t VALUES(1)")
                }
                try await transaction.execute(sql: "INSERT INTO t VALUES(3)")
            }
            #expect(try await cluster.count() == 3)
        }
    }

    @Test func savepointsCanBeUsed() async throws {
        try await withCluster { cluster in
            try await cluster.writeTransaction { transaction in
                try await transaction.execute(sql: "INSERT INTO t VALUES(1)")
                try await transaction.execute(sql: "SAVEPOINT a")
                try await transaction.execute(sql: "INSERT INTO t VALUES(2)")
                try await transaction.execute(sql: "ROLLBACK TO a")
                try await transaction.execute(sql: "RELEASE a")
                try await transaction.execute(sql: "INSERT INTO t VALUES(3)")
            }
            let rows = try await cluster.readTransaction { try await $0.rows(sql: "SELECT a FROM t ORDER BY a").all() }
            #expect(rows == [[.integer(1)], [.integer(3)]])
        }
    }

    @Test func aConstraintThatIsCheckedAtCommitRollsBack() async throws {
        try await withCluster { cluster in
            try await cluster.writeTransaction {
                try await $0.execute(sql: "CREATE TABLE c(a REFERENCES t(a) DEFERRABLE INITIALLY DEFERRED)")
            }
            await #expect {
                try await cluster.writeTransaction { try await $0.execute(sql: "INSERT INTO c VALUES(1)") }
            } throws: { error in
                if case ClusterError.refused(let failure) = error {
                    failure.sqliteError?.extendedResultCode == .constraintForeignKey
                } else {
                    false
                }
            }
            #expect(try await cluster.count() == 0)
        }
    }

    @Test func aCancelledTaskRollsBack() async throws {
        try await withCluster { cluster in
            let hasInserted = NIOLockedValueBox(false)
            let task = Task {
                try await cluster.writeTransaction { transaction in
                    try await transaction.execute(sql: "INSERT INTO t VALUES(1)")
                    hasInserted.withLockedValue { $0 = true }
                    while !Task.isCancelled { await Task.yield() }
                }
            }
            while !hasInserted.withLockedValue({ $0 }) { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await cluster.count() == 0)
            try await cluster.writeTransaction { try await $0.execute(sql: "INSERT INTO t VALUES(2)") }
        }
    }

    @Test func aClosureThatTakesTooLongLosesItsConnection() async throws {
        try await withCluster { cluster in
            let connection = NIOLockedValueBox<NodeConnection?>(nil)
            await #expect(throws: ClusterError.deadlineExceeded(mayHaveRun: false)) {
                try await cluster.writeTransaction(deadline: .milliseconds(100)) { transaction in
                    try await transaction.execute(sql: "INSERT INTO t VALUES(1)")
                    connection.withLockedValue { $0 = transaction.connection }
                    // The lock is released although the closure goes on.
                    while transaction.connection.isOpen { await Task.yield() }
                    try await transaction.execute(sql: "INSERT INTO t VALUES(2)")
                }
            }
            try await cluster.writeTransaction { try await $0.execute(sql: "INSERT INTO t VALUES(3)") }
            #expect(try await cluster.count() == 1)
        }
    }

    @Test func aWriterWaitsForAnotherClient() async throws {
        try await TestNodes.with { nodes in
            let cluster = try await nodes.client()
            try await cluster.writeTransaction { try await $0.execute(sql: "CREATE TABLE t(a)") }
            let other = try await nodes.connect()
            try await other.execute("BEGIN IMMEDIATE")
            let impatient = try await nodes.client { $0.retry = .never }
            await #expect {
                try await impatient.writeTransaction { _ in }
            } throws: { error in
                if case ClusterError.refused(let failure) = error { failure.kind == .busy } else { false }
            }
            let task = Task {
                try await cluster.writeTransaction { try await $0.execute(sql: "INSERT INTO t VALUES(1)") }
            }
            try await other.execute("INSERT INTO t VALUES(2)")
            try await other.execute("COMMIT")
            _ = try await task.value
            #expect(try await cluster.count() == 2)
            await impatient.close()
            await other.close()
            await cluster.close()
        }
    }

    @Test func manyWritersTakeTurns() async throws {
        try await withCluster { cluster in
            try await cluster.writeTransaction { try await $0.execute(sql: "CREATE TABLE counter(n)") }
            try await cluster.writeTransaction { try await $0.execute(sql: "INSERT INTO counter VALUES(0)") }
            try await withThrowingTaskGroup { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await cluster.writeTransaction { transaction in
                            let rows = try await transaction.rows(sql: "SELECT n FROM counter").all()
                            guard case .integer(let n)? = rows.first?.first else { return }
                            try await transaction.execute(sql: "UPDATE counter SET n = ?", values: [.integer(n + 1)])
                        }
                    }
                }
                try await group.waitForAll()
            }
            let rows = try await cluster.readTransaction { try await $0.rows(sql: "SELECT n FROM counter").all() }
            #expect(rows == [[.integer(200)]])
        }
    }
}

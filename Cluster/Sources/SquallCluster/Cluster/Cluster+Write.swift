import SquallStore
import Squall

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Cluster {
    /// Runs a closure in a transaction that writes: `BEGIN IMMEDIATE`, the statements of the closure, `COMMIT`.
    ///
    /// If the closure throws an error, the transaction is rolled back. If the leader changes before COMMIT, or another
    /// client has the database locked, the closure is run again. It should have no effects outside.
    ///
    /// If the task is cancelled before COMMIT, the transaction is rolled back. Once COMMIT was sent, its outcome is
    /// awaited.
    ///
    /// - Parameter deadline: The duration after which the call fails; `nil` for that of the settings. The connection is
    ///   then closed under the closure.
    /// - Throws: ``ClusterError/commitOutcomeUnknown(cause:)`` if the write may or may not have been committed. After
    ///   any other error, it was not: ``ClusterError/noLeader(_:)``, ``ClusterError/deadlineExceeded(mayHaveRun:)``,
    ///   ``ClusterError/refused(_:)`` when the database stayed locked, or the error of the closure.
    @discardableResult
    nonisolated(nonsending) func writeTransaction<Value>(
        deadline: Duration? = nil,
        _ body: nonisolated(nonsending) (ClusterTransaction) async throws -> Value
    ) async throws -> Value {
        try await run(Write(key: nil, deadline: self.deadline(deadline)), body)
    }

    /// Runs a closure in a transaction that writes once for all calls with the same key.
    ///
    /// The transaction inserts the key into the table `squall_writes`. When the outcome of COMMIT is unknown, the write
    /// is attempted again, and done only if its key is not there. If an earlier call has stored the key, the closure is
    /// not run. Keys are deleted after the lifetime in the settings.
    ///
    /// - Throws: The errors of a write without a key. After ``ClusterError/commitOutcomeUnknown(cause:)`` the write may
    ///   be called again with the same key.
    nonisolated(nonsending) func writeTransaction(
        idempotencyKey: String?, deadline: Duration? = nil,
        _ body: nonisolated(nonsending) (ClusterTransaction) async throws -> Void
    ) async throws {
        let result = WriteResult<Void>(encode: { _ in nil }, decode: { _ in })
        try await run(Write(key: key(idempotencyKey, result), deadline: self.deadline(deadline)), body)
    }

    /// Runs a closure in a transaction that writes once for all calls with the same key, and stores its result.
    ///
    /// The result is stored as JSON with the key in the table `squall_writes`. If an earlier call has stored the key, the
    /// closure is not run, and the stored result is returned.
    ///
    /// - Throws: The errors of a write without a key. After ``ClusterError/commitOutcomeUnknown(cause:)`` the write may
    ///   be called again with the same key. `SQLiteError` of the kind `storedResult` if the stored result is of another
    ///   type.
    @discardableResult
    nonisolated(nonsending) func writeTransaction<Value: Codable>(
        idempotencyKey: String?, deadline: Duration? = nil,
        _ body: nonisolated(nonsending) (ClusterTransaction) async throws -> Value
    ) async throws -> Value {
        let result = WriteResult<Value>(
            encode: { try JSONEncoder().encode($0) },
            decode: { try StoreConnection.decode($0, as: Value.self, ofKey: idempotencyKey ?? "") })
        return try await run(Write(key: key(idempotencyKey, result), deadline: self.deadline(deadline)), body)
    }

    /// Runs a migration as a write.
    nonisolated(nonsending) func migration<Value>(
        withForeignKeysOff turnsOff: Bool, _ body: nonisolated(nonsending) (ClusterTransaction) async throws -> Value
    ) async throws -> Value {
        let use = MigrationUse(turnsForeignKeysOff: turnsOff)
        let write = Write<Value>(key: nil, deadline: deadline(settings.migrationDeadline), migration: use)
        return try await run(write, body)
    }

    private func deadline(_ duration: Duration?) -> CallDeadline { CallDeadline(after: duration ?? settings.deadline) }

    private func key<Value>(_ key: String?, _ result: WriteResult<Value>) -> Write<Value>.Key? {
        key.map { key in
            let row = WriteKey(
                key: key, lifetime: settings.keyLifetime, writesBetweenDeletions: settings.writesBetweenDeletions)
            return (row, result)
        }
    }

    private nonisolated(nonsending) func run<Value>(
        _ write: Write<Value>, _ body: nonisolated(nonsending) (ClusterTransaction) async throws -> Value
    ) async throws -> Value {
        var attempts = Attempts(settings: settings, deadline: write.deadline)
        /// The error of a COMMIT whose outcome is unknown.
        var unknown: ClusterError?
        while true {
            do {
                return try await attempt(write, unknown: &unknown, body)
            } catch {
                guard let cause = unknown else {
                    try await attempts.pause(after: error)
                    continue
                }
                let isRetriable = error as? ClusterError == cause || (error as? ClusterError)?.isRetriable == true
                guard write.key != nil, isRetriable, (try? await attempts.pause()) == true else {
                    throw ClusterError.commitOutcomeUnknown(cause: cause)
                }
            }
        }
    }

    private nonisolated(nonsending) func attempt<Value>(
        _ write: Write<Value>, unknown: inout ClusterError?,
        _ body: nonisolated(nonsending) (ClusterTransaction) async throws -> Value
    ) async throws -> Value {
        let lease = try await pool.lease(.writing, until: write.deadline)
        var isUsable = false
        defer { pool.release(lease, .writing, isUsable: isUsable) }
        do {
            let value = try await write.attempt(on: lease.connection, unknown: &unknown, body)
            isUsable = write.migration == nil
            return value
        } catch {
            note(error, of: lease)
            let isRolledBack = unknown == nil ? await rollBack(lease.connection) : false
            isUsable = isRolledBack && write.migration == nil
            throw error
        }
    }

    /// Rolls back, even in a task that is cancelled.
    ///
    /// - Returns: Whether no transaction is open on the connection.
    private nonisolated(nonsending) func rollBack(_ connection: NodeConnection) async -> Bool {
        guard connection.isOpen else { return false }
        do {
            _ = try await connection.executeToEnd("ROLLBACK", deadline: .seconds(1))
            return true
        } catch ClusterError.refused(let failure) {
            // For instance because BEGIN found the database locked.
            return failure.kind == .sqlite(.error) && failure.message.contains("no transaction is active")
        } catch {
            return false
        }
    }
}

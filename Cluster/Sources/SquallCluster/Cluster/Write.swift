#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The form in which the result of a write is stored with its key.
struct WriteResult<Value> {
    let encode: (Value) throws -> Data?
    let decode: (Data?) throws -> Value
}

/// What a migration needs that other writes do not. Its connection is not used again, because it changes settings.
struct MigrationUse {
    let turnsForeignKeysOff: Bool
}

/// A call that writes.
struct Write<Value> {
    typealias Key = (row: WriteKey, result: WriteResult<Value>)

    let key: Key?
    let deadline: CallDeadline
    var migration: MigrationUse?

    /// Runs the transaction on a connection. After an error, the caller rolls back.
    ///
    /// - Parameter unknown: The error of an earlier COMMIT whose outcome is unknown. `nil` if its key is not there on a
    ///   proven leader, so that it was not committed and never will be; and set by a COMMIT of this transaction.
    nonisolated(nonsending) func attempt(
        on connection: NodeConnection, unknown: inout ClusterError?,
        _ body: nonisolated(nonsending) (ClusterTransaction) async throws -> Value
    ) async throws -> Value {
        // A leader that does not know of its end would not have the key of a write that its successor committed.
        if unknown != nil { try await ServiceTables.proveLeadership(on: connection, until: deadline) }
        if migration?.turnsForeignKeysOff == true {
            try await connection.execute("PRAGMA foreign_keys = OFF", deadline: deadline.rest)
        }
        try await connection.execute("BEGIN IMMEDIATE", deadline: deadline.rest)
        if let key, try await !key.row.claim(on: connection, until: deadline) {
            let stored = try await key.row.storedResult(on: connection, until: deadline)
            _ = try await connection.executeToEnd("ROLLBACK", deadline: deadline.rest)
            unknown = nil
            return try key.result.decode(stored)
        }
        unknown = nil
        let value = try await run(body, on: connection)
        if let key {
            if let result = try key.result.encode(value) {
                try await key.row.store(result, on: connection, until: deadline)
            }
            try await key.row.deleteOldKeys(on: connection, until: deadline)
        }
        try Task.checkCancellation()
        try deadline.check()
        try await commit(on: connection, unknown: &unknown)
        return value
    }

    private nonisolated(nonsending) func run(
        _ body: nonisolated(nonsending) (ClusterTransaction) async throws -> Value, on connection: NodeConnection
    ) async throws -> Value {
        let transaction = ClusterTransaction(
            on: connection, .writing, until: deadline, allowsMigrationPragmas: migration != nil)
        defer { transaction.end() }
        return try await transaction.run(body)
    }

    private nonisolated(nonsending) func commit(
        on connection: NodeConnection, unknown: inout ClusterError?
    ) async throws {
        do {
            _ = try await connection.executeToEnd("COMMIT", deadline: deadline.rest)
        } catch {
            let cause = error as? ClusterError ?? .closed
            if !cause.excludesCommit { unknown = cause }
            throw cause
        }
    }
}

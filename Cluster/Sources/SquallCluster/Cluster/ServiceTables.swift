import Squall

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The tables that the client keeps in the database. Each is created when it is first needed.
enum ServiceTables {
    static let writes = """
        CREATE TABLE IF NOT EXISTS squall_writes(
            key TEXT PRIMARY KEY NOT NULL, result BLOB, written_at INTEGER NOT NULL)
        """
    static let barrier = """
        CREATE TABLE IF NOT EXISTS squall_barrier(id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER NOT NULL)
        """

    /// Executes a statement, after creating its table if there is none.
    nonisolated(nonsending) static func execute(
        _ sql: String, _ values: [BindingValue] = [], creating table: String,
        on connection: NodeConnection, until deadline: CallDeadline
    ) async throws -> ExecutionResult {
        do {
            return try await connection.execute(sql, values, deadline: deadline.rest)
        } catch ClusterError.refused(let failure)
            where failure.kind == .sqlite(.error) && failure.message.contains("no such table")
        {
            try await connection.execute(table, deadline: deadline.rest)
            return try await connection.execute(sql, values, deadline: deadline.rest)
        }
    }

    /// Proves that the node leads: a majority stores the write.
    nonisolated(nonsending) static func proveLeadership(
        on connection: NodeConnection, until deadline: CallDeadline
    ) async throws {
        let sql = """
            INSERT INTO squall_barrier(id, count) VALUES(1, 1) ON CONFLICT(id) DO UPDATE SET count = count + 1
            """
        _ = try await execute(sql, creating: barrier, on: connection, until: deadline)
    }
}

/// The row of a write with an idempotency key, in the transaction of the write.
struct WriteKey: Sendable {
    let key: String
    let lifetime: Duration
    let writesBetweenDeletions: Int

    /// The number of the oldest rows that are looked at in a deletion.
    private static let batch = 4

    /// Inserts the key.
    ///
    /// - Returns: Whether it is new. Otherwise, the write was done before.
    nonisolated(nonsending) func claim(on connection: NodeConnection, until deadline: CallDeadline) async throws -> Bool
    {
        let sql = "INSERT INTO squall_writes(key, written_at) VALUES(?, ?) ON CONFLICT(key) DO NOTHING"
        let result = try await ServiceTables.execute(
            sql, [.text(key), .integer(Self.now)], creating: ServiceTables.writes, on: connection, until: deadline)
        return result.changes > 0
    }

    nonisolated(nonsending) func storedResult(
        on connection: NodeConnection, until deadline: CallDeadline
    ) async throws -> Data? {
        let sql = "SELECT result FROM squall_writes WHERE key = ?"
        let rows = try await connection.query(sql, [.text(key)], deadline: deadline.rest).all()
        guard case .blob(let result)? = rows.first?.first else { return nil }
        return result
    }

    nonisolated(nonsending) func store(
        _ result: Data, on connection: NodeConnection, until deadline: CallDeadline
    ) async throws {
        let sql = "UPDATE squall_writes SET result = ? WHERE key = ?"
        try await connection.execute(sql, [.blob(result), .text(key)], deadline: deadline.rest)
    }

    /// Deletes old keys once in a while. The oldest rows have the smallest rowids.
    nonisolated(nonsending) func deleteOldKeys(on connection: NodeConnection, until deadline: CallDeadline) async throws
    {
        guard Int.random(in: 0..<max(writesBetweenDeletions, 1)) == 0 else { return }
        let sql = """
            DELETE FROM squall_writes WHERE written_at < ?
            AND rowid IN (SELECT rowid FROM squall_writes ORDER BY rowid LIMIT ?)
            """
        let limit = Int64(max(writesBetweenDeletions, 1) * Self.batch)
        let oldest = Self.now - lifetime.components.seconds
        try await connection.execute(sql, [.integer(oldest), .integer(limit)], deadline: deadline.rest)
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}

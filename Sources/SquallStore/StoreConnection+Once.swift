#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

extension StoreConnection {
    /// Runs a closure, unless a write with the same key has been committed, whose result is returned then.
    ///
    ///     CREATE TABLE IF NOT EXISTS squall_writes(
    ///         key TEXT PRIMARY KEY NOT NULL, result BLOB, written_at INTEGER NOT NULL)
    ///     INSERT INTO squall_writes(key, written_at) VALUES(?, ?) ON CONFLICT(key) DO NOTHING
    ///     SELECT result FROM squall_writes WHERE key = ?
    ///
    /// When the closure throws, the key is not kept. Its statements before the error take place if the transaction does.
    ///
    /// A key is kept when an `UndoHistory` undoes what the closure has written, unless `squall_writes` is among its tables: the write is
    /// not made again.
    ///
    /// Keys that are older than `lifetime` are deleted, some by each write with a key.
    ///
    /// - Throws: The closure's error, the error of encoding the result, `SQLiteError` for ``StoreProblem/storedResult(key:reason:)`` if the
    ///   stored result is of another type, and what a verb of the connection throws.
    public nonisolated(nonsending) func once<Value: Codable & Sendable>(
        _ key: String, lifetime: Duration = .seconds(7 * 86_400),
        _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await run(
            """
            CREATE TABLE IF NOT EXISTS squall_writes(key TEXT PRIMARY KEY NOT NULL, result BLOB, written_at INTEGER NOT NULL)
            """)
        let now = Int64(Date().timeIntervalSince1970)
        let claim = try await run(
            "INSERT INTO squall_writes(key, written_at) VALUES(\(key), \(now)) ON CONFLICT(key) DO NOTHING")
        if claim.changes == 0 {
            let stored: Data? = try await query("SELECT result FROM squall_writes WHERE key = \(key)")
            return try Self.decode(stored, as: Value.self, ofKey: key)
        }
        let value: Value
        do {
            value = try await body(self)
            try await run("UPDATE squall_writes SET result = \(try JSONEncoder().encode(value)) WHERE key = \(key)")
        } catch {
            // The caller may handle the error and commit.
            _ = try? await run("DELETE FROM squall_writes WHERE key = \(key)")
            throw error
        }
        try await run(
            """
            DELETE FROM squall_writes WHERE key IN (SELECT key FROM squall_writes \
            WHERE written_at < \(now - lifetime.components.seconds) LIMIT 10)
            """)
        return value
    }

    /// Decodes the result that a write has stored with its key: for the implementation of a store.
    ///
    /// - Throws: `SQLiteError` for ``StoreProblem/storedResult(key:reason:)``.
    public static func decode<Value: Decodable>(
        _ result: Data?, as type: Value.Type, ofKey key: String
    ) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: result ?? Data())
        } catch {
            throw SQLiteError(StoreProblem.storedResult(key: key, reason: "\(error)"))
        }
    }
}

import Foundation
import Squall
import SquallChanges

extension SyncHub {
    /// Combines the oldest entries of the log into one. A device that has not received them begins again with the rows of the hub, and keeps its
    /// unsent changes. Conflicts that a device has not received stay.
    ///
    ///     try await hub.compact(keepingBytes: 64_000_000, age: .seconds(30 * 86_400))
    ///
    /// Call it from time to time, daily for instance: it also notes how far the log is, and knows the age of entries only by these notes. It is one
    /// transaction, which reads the entries that it combines.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes of changes that stay. The last entry stays in any case.
    ///   - age: The time for which entries stay, if they have not more bytes; `nil` for any time.
    /// - Throws: `CancellationError`; `SQLiteError`.
    public func compact(keepingBytes bytes: Int, age: Duration? = nil) async throws {
        try await compact(keepingBytes: bytes, age: age, now: Date())
    }

    package func compact(keepingBytes bytes: Int, age: Duration?, now: Date) async throws {
        try await followed.flush()
        let time = Int64(now.timeIntervalSince1970)
        try await database.write(isolated: true) { [log] connection in
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS main.squall_sync_ages(sequence INTEGER PRIMARY KEY, time INTEGER NOT NULL)")
            let end = try log.end(on: connection)
            let large: Int64? = try connection.query(
                """
                SELECT max(sequence) FROM (
                    SELECT sequence, sum(length(changes) + length(conflicts)) OVER (ORDER BY sequence DESC) AS bytes
                    FROM main.squall_sync_log) WHERE bytes > \(bytes)
                """)
            var old: Int64?
            if let age {
                let oldest = time - age.components.seconds
                old = try connection.query("SELECT max(sequence) FROM main.squall_sync_ages WHERE time <= \(oldest)")
            }
            let last = min(max(large ?? 0, old ?? 0), end.sequence - 1)
            if last > 0 { try log.compact(through: SyncCursor(log: end.log, sequence: last), on: connection) }
            try connection.run(
                "DELETE FROM main.squall_sync_ages WHERE sequence <= \(last) OR sequence > \(end.sequence)")
            try connection.run("INSERT OR IGNORE INTO main.squall_sync_ages VALUES(\(end.sequence), \(time))")
        }
    }
}

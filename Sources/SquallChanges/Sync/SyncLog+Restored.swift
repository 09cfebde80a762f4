#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

// Files that were restored from a backup, or copied.

extension SyncLog {
    /// Lets a replica send changes again that its hub had confirmed and does not have any more, because the file of the hub was restored.
    ///
    /// - Parameters:
    ///   - number: The number of the last change that the hub has: of ``SyncProblem/missingEntries(after:first:)``.
    ///   - connection: A connection that can write.
    /// - Returns: Whether the log still has the changes. It keeps the last 1,000 transactions, up to 4 MB.
    /// - Throws: `SQLiteError`, with a ``SyncProblem``.
    public func sendAgain(after number: Int64, on connection: Connection) throws -> Bool {
        try requireReplica()
        return try connection.inTransaction {
            let open = try OpenLog(self, connection)
            if try open.state("confirmed") <= number { return true }
            let first: Int64? = try connection.query("SELECT min(sequence) FROM main.squall_sync_log")
            guard let first, first <= number + 1 else { return false }
            try open.setState("confirmed", max(0, number))
            return true
        }
    }

    /// Gives the log of a replica another origin. Its changes that are not confirmed get numbers from 1 on.
    func renew(origin: String, on connection: Connection) throws {
        try requireReplica()
        try connection.inTransaction {
            let open = try OpenLog(self, connection)
            let entries = try open.entries(after: open.state("confirmed"))
            try connection.run("DELETE FROM main.squall_sync_log")
            try connection.run("DELETE FROM main.sqlite_sequence WHERE name = 'squall_sync_log'")
            for entry in entries {
                try connection.run(
                    """
                    INSERT INTO main.squall_sync_log(origin, number, changes, conflicts)
                    VALUES(\(origin), 0, \(entry.changes), \(entry.conflicts))
                    """)
            }
            try open.setState("confirmed", 0)
            for (name, value) in [("origin", origin), ("log", UUID().uuidString)] {
                try connection.run("UPDATE main.squall_sync_state SET value = \(value) WHERE name = \(name)")
            }
        }
    }
}

import Squall

/// The locks of a database file from the begin of its copy until the copy takes its place.
///
/// Until then, others may read, and a write of theirs waits. Nothing can have been written that the copy does not have.
final class ReplacementLock {
    private let connection: Connection
    private let path: String
    private let isLogged: Bool
    /// The number that SQLite changes when another connection has written.
    private let version: Int64
    private var isReplaced = false

    /// Keeps other connections from writing.
    init(_ connection: Connection, _ path: String) throws {
        self.path = path
        self.connection = connection
        isLogged = try connection.query("PRAGMA main.journal_mode") == "wal"
        try connection.run("BEGIN IMMEDIATE")
        version = try Self.version(connection)
    }

    /// Calls a closure while no other connection can use the file, whose log is then in the file.
    ///
    /// - Throws: `SQLITE_BUSY` (5) while another connection uses the file, or if it has written to it.
    func lockingOut(_ body: () throws -> Void) throws {
        try connection.run("ROLLBACK")
        if isLogged {
            // SQLite refuses while another connection uses the log.
            let mode: String? = try connection.query("PRAGMA main.journal_mode = DELETE")
            guard mode == "delete" else { throw FileUse.inUse(path) }
        }
        try connection.run("BEGIN EXCLUSIVE")
        guard try Self.version(connection) == version else { throw FileUse.inUse(path) }
        try body()
        isReplaced = true
    }

    /// Ends the locks, and leaves the file in the mode that it had.
    func release() {
        if connection.isInTransaction { try? connection.run("ROLLBACK") }
        if isLogged, !isReplaced { try? connection.run("PRAGMA main.journal_mode = WAL") }
    }

    private static func version(_ connection: Connection) throws -> Int64 {
        try connection.query("PRAGMA main.data_version")
    }
}

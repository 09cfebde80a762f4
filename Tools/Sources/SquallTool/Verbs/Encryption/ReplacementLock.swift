import Squall

/// The locks of a database file from the begin of its copy until the copy takes its place.
///
/// Until then, others may read, and a write of theirs waits. Nothing can have been written that the copy does not have.
final class ReplacementLock {
    private let connection: Connection
    private let path: String
    /// Whether the file was in WAL mode.
    let isLogged: Bool
    /// The number that SQLite changes when another connection has written.
    private var version: Int64 = 0
    private var isReplaced = false

    init(_ connection: Connection, _ path: String) throws {
        (self.connection, self.path) = (connection, path)
        isLogged = try connection.query("PRAGMA main.journal_mode") == "wal"
    }

    /// Keeps other connections from writing.
    ///
    /// A file in WAL mode leaves it: its log is then in the file, and SQLite refuses while another connection is open.
    func acquire() throws {
        try refusing {
            if isLogged {
                let mode: String? = try connection.query("PRAGMA main.journal_mode = DELETE")
                guard mode == "delete" else { throw FileUse.inUse(path) }
            }
            try connection.run("BEGIN IMMEDIATE")
        }
        version = try dataVersion()
    }

    /// Calls a closure while no other connection can use the file.
    ///
    /// - Throws: ``Failure`` if another connection uses the file, or has written to it.
    func lockingOut(_ body: () throws -> Void) throws {
        try connection.run("ROLLBACK")
        try refusing { try connection.run("BEGIN EXCLUSIVE") }
        guard try dataVersion() == version else { throw FileUse.inUse(path) }
        try body()
        isReplaced = true
    }

    /// Ends the locks, and leaves the file in the mode that it had.
    func release() {
        if connection.isInTransaction { try? connection.run("ROLLBACK") }
        if isLogged, !isReplaced { try? connection.run("PRAGMA main.journal_mode = WAL") }
    }

    private func refusing(_ body: () throws -> Void) throws {
        do { try body() } catch let error as SQLiteError where error.resultCode == .busy {
            throw FileUse.inUse(path)
        }
    }

    private func dataVersion() throws -> Int64 { try connection.query("PRAGMA main.data_version") }
}

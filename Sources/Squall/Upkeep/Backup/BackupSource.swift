import SquallSQLite

/// The database from which a backup reads.
package final class BackupSource {
    let handle: OpaquePointer
    let name: String
    /// The connection that owns the handle; `nil` if the backup owns it.
    let owner: Connection?
    /// The key of a file that the backup has opened.
    private let key: AnyFileKey?

    private init(handle: OpaquePointer, name: String, owner: Connection? = nil, key: (any FileKey)? = nil) {
        self.handle = handle
        self.name = name
        self.owner = owner
        self.key = key.map { AnyFileKey($0) }
        owner?.backupsReading += 1
    }

    deinit {
        if let owner { owner.backupsReading -= 1 } else { sqlite3_close_v2(handle) }
    }

    /// Returns the error of a step, with the problem of a file whose key has changed, or that has damaged pages.
    func explained(_ error: SQLiteError) -> SQLiteError {
        guard let key, let path = sqlite3_db_filename(handle, name) else { return error }
        return key.explaining(error, ofFile: String(cString: path))
    }

    /// Whether the open transaction of the connection blocks the backup.
    var isWriting: Bool { owner.map { _ in Self.isWriting(name, handle) } ?? false }

    private static func isWriting(_ name: String, _ handle: OpaquePointer) -> Bool {
        sqlite3_txn_state(handle, name) == SQLITE_TXN_WRITE
    }

    /// The number of pages to copy, as far as is known before the first step.
    var pageCount: Int {
        var statement: OpaquePointer?
        let sql: SQL = "PRAGMA \(name: name).page_count"
        guard sqlite3_prepare_v2(handle, sql.text, -1, &statement, nil) == SQLITE_OK else { return 0 }
        defer { sqlite3_finalize(statement) }
        return sqlite3_step(statement) == SQLITE_ROW ? Int(sqlite3_column_int64(statement, 0)) : 0
    }
}

// MARK: - Making a source

extension BackupSource {
    /// Returns a source for steps on the owner's thread. A file is read by a separate connection, so that the owner can
    /// use theirs. A database in memory or in a temporary file is visible only to the owner's connection, which reads
    /// it.
    static func shared(_ name: String, of connection: Connection) throws -> BackupSource {
        try file(name, of: connection) ?? BackupSource(handle: open(connection), name: name, owner: connection)
    }

    /// Returns a source for steps on another thread than the owner's. A database that is not in a file is copied at
    /// once, because two threads must not use one connection.
    package static func detached(_ name: String, of connection: Connection) throws -> BackupSource {
        try file(name, of: connection) ?? copy(of: name, connection)
    }

    private static func open(_ connection: Connection) throws -> OpaquePointer {
        guard let handle = connection.handle else { throw connection.closedError() }
        return handle
    }

    private static func file(_ name: String, of connection: Connection) throws -> BackupSource? {
        // This query detects an unknown name, recovers from a crash (the connection below cannot write), and makes
        // SQLite create the files of a write-ahead log.
        let _: Int? = try connection.query("PRAGMA \(name: name).schema_version")
        guard let path = connection.filePath(of: name) else { return nil }
        // A read-only connection neither checkpoints nor removes a log when it is closed.
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        let key = connection.key(ofDatabase: name)
        return BackupSource(
            handle: try openPrivate(
                path, flags: flags, vfs: connection.vfsName(of: name), patience: connection.patience, key: key),
            name: "main", key: key
        )
    }

    /// Returns a copy in memory; the copy of a temporary file is in a temporary file.
    private static func copy(of name: String, _ connection: Connection) throws -> BackupSource {
        let isMemory = name != "temp" && connection.isInMemory(name)
        let handle = try open(connection)
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        // As beside an encrypted file, whose content is not written in clear.
        let path = try isMemory || connection.query("PRAGMA temp_store") == 2 ? ":memory:" : ""
        let copy = BackupSource(
            handle: try openPrivate(path, flags: flags, vfs: nil, patience: .zero, key: nil), name: "main"
        )
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, name) else {
            throw SQLiteError(sqlite3_errcode(copy.handle), on: copy.handle)
        }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            throw isWriting(name, handle) ? BackupCopy.sourceInTransactionError : BackupCopy.stepError(code)
        }
        return copy
    }

    private static func openPrivate(
        _ path: UnsafePointer<CChar>, flags: Int32, vfs: UnsafePointer<CChar>?, patience: Duration, key: (any FileKey)?
    ) throws -> OpaquePointer {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags, vfs)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(code, on: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        try Connection.unlock(handle, key)
        sqlite3_extended_result_codes(handle, 1)
        let milliseconds = patience / .milliseconds(1)
        sqlite3_busy_timeout(handle, Int32(clamping: Int(milliseconds.isFinite ? milliseconds : 0)))
        return handle
    }
}

// MARK: - Properties of a connection

extension Connection {
    /// The time that the connection waits for a lock: `PRAGMA busy_timeout`. It is zero for a custom busy handler,
    /// which SQLite still calls.
    var patience: Duration {
        let milliseconds: Int? = try? query("PRAGMA busy_timeout")
        return .milliseconds(Swift.max(0, milliseconds ?? 0))
    }

    /// Whether a database without a file is in memory, and not in a temporary file. Their journal modes differ: a
    /// database in memory only has `memory` or `off`. A temporary database has those only on request.
    func isInMemory(_ name: String) -> Bool {
        if let vfs = vfsName(of: name), strcmp(vfs, "memdb") == 0 { return true }
        let mode: String? = try? query("PRAGMA \(name: name).journal_mode")
        return mode == "memory" || mode == "off"
    }

    /// Returns the identity of a database's file; `nil` if the database is not in a file.
    func fileIdentity(of name: String) -> FileIdentity? { filePath(of: name).flatMap { FileIdentity(path: $0) } }
}

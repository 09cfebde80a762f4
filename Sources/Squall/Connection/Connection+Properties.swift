import SquallSQLite

extension Connection {
    /// The handle, also inside a hook: for calls that SQLite allows there.
    private var handleInHooks: OpaquePointer? { handle ?? state.handleInHooks }

    /// The path of the main database file; empty for a database in memory.
    public var fileName: String { filePath(of: "main").map { String(cString: $0) } ?? "" }

    /// Returns the path of a database of this connection; `nil` if the database is not in a file.
    func filePath(of name: String) -> UnsafePointer<CChar>? {
        guard let handle = handleInHooks, let path = sqlite3_db_filename(handle, name), path.pointee != 0
        else { return nil }
        // For a deserialized database, SQLite returns the file name "x".
        if let vfs = vfsName(of: name), strcmp(vfs, "memdb") == 0 { return nil }
        return path
    }

    /// Returns the name of a database's VFS, SQLite's module for reading and writing files.
    func vfsName(of name: String) -> UnsafePointer<CChar>? {
        var vfs: UnsafeMutablePointer<sqlite3_vfs>?
        let code = withUnsafeMutablePointer(to: &vfs) {
            sqlite3_file_control(handleInHooks, name, SQLITE_FCNTL_VFS_POINTER, $0)
        }
        return code == SQLITE_OK ? vfs?.pointee.zName : nil
    }

    /// Whether the main database is read-only.
    public var readOnly: Bool { handleInHooks.map { sqlite3_db_readonly($0, "main") == 1 } ?? false }

    /// The rowid of the last row that was inserted.
    public var lastInsertRowID: Int64 { handleInHooks.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed directly, without triggers and foreign key
    /// actions.
    public var changes: Int { handleInHooks.map { Int(sqlite3_changes64($0)) } ?? 0 }

    /// The number of rows changed since the connection was opened.
    public var totalChanges: Int { handleInHooks.map { Int(sqlite3_total_changes64($0)) } ?? 0 }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { handleInHooks.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Whether the connection has been closed.
    public var isClosed: Bool { handle == nil && state.isClosed }

    /// The statistics of the statement cache.
    public var statementCache: StatementCacheStatistics { cache.statistics }
}

extension Statement: CustomStringConvertible {
    /// The SQL as it was given: `Statement("SELECT * FROM cars WHERE id = ?")`. Bound values are not shown.
    @_documentation(visibility: internal)
    public var description: String { "Statement(\"\(sql)\")" }
}

extension Connection: CustomStringConvertible {
    /// The path of the main database file: `Connection("/tmp/app.db")`, `Connection(no file)`, `Connection(closed)`.
    @_documentation(visibility: internal)
    public var description: String {
        if isClosed { return "Connection(closed)" }
        return fileName.isEmpty ? "Connection(no file)" : "Connection(\"\(fileName)\")"
    }
}

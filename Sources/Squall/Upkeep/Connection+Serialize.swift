import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Connection {
    /// Returns the bytes of a database, as in a database file.
    ///
    /// - Parameter name: The database: `main`, `temp`, or the name of an attached database.
    /// - Throws: ``SQLiteError`` inside a transaction, for an unknown name, and when the database cannot be read.
    public func serialize(databaseNamed name: String = "main") throws -> Data {
        let handle = try handleForSerializing()
        // This also detects an unknown name, a lock, and a file that is not a database, with SQLite's message.
        let _: Int? = try query("PRAGMA \(name: name).schema_version")
        var count: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(handle, name, &count, 0) else {
            // SQLite returns no bytes for a database that was never written to.
            if count == 0 { return Data() }
            // A negative count: SQLite could not read the number of pages. It reports no error where it lacks the memory
            // for the SQL.
            let code = sqlite3_extended_errcode(handle)
            guard count > 0 else { throw error(code == SQLITE_OK ? SQLITE_NOMEM : code, sql: nil) }
            throw SQLiteError(code: SQLITE_NOMEM, message: "cannot copy the \(count) bytes of the database")
        }
        return Data(bytesNoCopy: bytes, count: Int(count), deallocator: .custom { bytes, _ in sqlite3_free(bytes) })
    }

    /// Replaces the database in memory. Empty data is an empty database.
    ///
    ///     let connection = try Connection(storageLocation: .inMemory)
    ///     try connection.deserialize(data)
    ///
    /// The data is copied. A database in WAL mode is changed to a rollback journal, because WAL does not exist in
    /// memory. Settings of the replaced database, such as its cache size, are lost. Statements are re-prepared when
    /// they are next run.
    ///
    /// Data that is not a database, or only its beginning, is rejected, and the current database is kept. The rest of
    /// the data is not checked; use ``integrityCheck(maxErrors:)`` for that.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_NOTADB` (26) for data that is not a database, `SQLITE_CORRUPT` (11) for
    ///   damaged data. Also throws on a connection to a file, inside a transaction, and while a statement is being
    ///   read.
    public func deserialize(_ data: Data, readOnly: Bool = false) throws {
        let handle = try handleForSerializing()
        guard fileName.isEmpty else {
            throw SQLiteError.misuse(.notInMemory(path: fileName))
        }
        guard backupsReading == 0 else {
            throw SQLiteError(.backup(.unfinishedSource), code: .busy)
        }
        var image = try DatabaseImage(data)
        try image.check()
        // SQLite does not expire the statements: they would accept a different schema with the same schema number.
        try expireStatements(handle)
        renewPragmaFunctions(handle)
        try image.install(in: handle, readOnly: readOnly)
    }

    private func handleForSerializing() throws -> OpaquePointer {
        guard squall_has_serialize() != 0 else {
            throw SQLiteError(.serializationMissing, code: .error)
        }
        guard let handle else { throw closedError() }
        guard !isInTransaction else {
            throw SQLiteError.misuse(.serializedInsideTransaction)
        }
        return handle
    }

    /// Removes the functions `pragma_table_info` and the like, which SQLite adds again when they are next used. Their tables
    /// point to the schema that is replaced, and SQLite 3.40 reads beyond its list of databases when it looks for it.
    private func renewPragmaFunctions(_ handle: OpaquePointer) {
        var names: [String] = []
        _ = forEachRowInternally("PRAGMA module_list", on: handle) { row in
            if let name = sqlite3_column_text(row, 0) { names.append(String(cString: name)) }
        }
        for name in names where name.hasPrefix("pragma_") { sqlite3_create_module_v2(handle, name, nil, nil, nil) }
    }

    /// Makes SQLite re-prepare every statement, as it does when a function is removed that statements may have called.
    private func expireStatements(_ handle: OpaquePointer) throws {
        let name = "squall_no_function"
        var code = sqlite3_create_function(handle, name, 0, SQLITE_UTF8, nil, { _, _, _ in }, nil, nil)
        if code == SQLITE_OK { code = sqlite3_create_function(handle, name, 0, SQLITE_UTF8, nil, nil, nil, nil) }
        guard code == SQLITE_OK else { throw error(code, sql: nil) }
    }
}

/// The bytes of a database in memory allocated by SQLite, which can take ownership of it.
private struct DatabaseImage: ~Copyable {
    private var bytes: UnsafeMutablePointer<UInt8>?
    private let count: Int

    init(_ data: Data) throws {
        count = data.count
        guard count > 0 else { return }
        guard let memory = sqlite3_malloc64(UInt64(count)) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "no memory for the \(count) bytes of the database")
        }
        let bytes = memory.assumingMemoryBound(to: UInt8.self)
        data.copyBytes(to: bytes, count: count)
        self.bytes = bytes
        leaveWAL()
    }

    deinit {
        sqlite3_free(bytes)
    }

    /// Changes the header from WAL to a rollback journal. Bytes 18 and 19 give the versions required to write and to
    /// read the file: 1 for a rollback journal, 2 for WAL.
    private func leaveWAL() {
        guard let bytes, count >= 100, bytes[18] == 2 || bytes[19] == 2 else { return }
        guard UnsafeBufferPointer(start: bytes, count: 16).elementsEqual("SQLite format 3\0".utf8) else { return }
        (bytes[18], bytes[19]) = (1, 1)
    }

    /// Opens the bytes in a separate connection, and reads the schema.
    func check() throws {
        guard let bytes else { return }
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        var code = sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
        // SQLite treats fewer bytes as a database that has not been written to yet.
        guard count >= 512 else {
            throw SQLiteError(code: SQLITE_NOTADB, message: "file is not a database")
        }
        code = sqlite3_deserialize(
            handle, "main", bytes, Int64(count), Int64(count), UInt32(SQLITE_DESERIALIZE_READONLY)
        )
        if code == SQLITE_OK { code = sqlite3_exec(handle, "SELECT count(*) FROM sqlite_schema", nil, nil, nil) }
        guard code == SQLITE_OK else { throw Self.error(code, on: handle) }
    }

    /// Passes the bytes to a connection, which then owns them, even if this fails.
    mutating func install(in handle: OpaquePointer, readOnly: Bool) throws {
        var flags = SQLITE_DESERIALIZE_FREEONCLOSE
        flags |= readOnly ? SQLITE_DESERIALIZE_READONLY : SQLITE_DESERIALIZE_RESIZEABLE
        let given = bytes
        bytes = nil
        let code = sqlite3_deserialize(handle, "main", given, Int64(count), Int64(count), UInt32(flags))
        guard code == SQLITE_OK else { throw Self.error(code, on: handle) }
    }

    /// Returns the error of `sqlite3_deserialize`, which reports SQLITE_ERROR for each failure of the statement that it
    /// runs. The connection has the code of that statement.
    private static func error(_ code: Int32, on handle: OpaquePointer?) -> SQLiteError {
        let statementCode = sqlite3_errcode(handle)
        return SQLiteError(code == SQLITE_ERROR && statementCode != SQLITE_OK ? statementCode : code, on: handle)
    }
}

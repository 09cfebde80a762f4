import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Connection {
    /// Returns the bytes of a database, as in a database file. The counters in its header may be greater than those of the file.
    ///
    /// Takes twice the memory of the database for a moment.
    ///
    /// - Parameter name: The database: `main`, `temp`, or the name of an attached database.
    /// - Throws: ``SQLiteError`` inside a transaction, for an unknown name, when the database cannot be read, and
    ///   ``UpkeepProblem/encrypted`` for one that is encrypted.
    public func serialize(databaseNamed name: String = "main") throws -> Data {
        _ = try handleForSerializing()
        if key(ofDatabase: name) != nil { throw SQLiteError(UpkeepProblem.encrypted) }
        // This also detects an unknown name, a lock, and a file that is not a database, with SQLite's message.
        let pages: Int = try query("PRAGMA \(name: name).page_count")
        // It was never written to.
        if pages == 0 { return Data() }
        guard let handle else { throw closedError() }
        // From a file, sqlite3_serialize returns zeros in place of a page that cannot be read.
        let copy = try Connection(":memory:", configuration: .sqlite)
        try copy.copyPages(of: handle, named: name)
        return try copy.image()
    }

    /// Copies the pages of a database into this connection, which must be new.
    private func copyPages(of source: OpaquePointer, named name: String) throws {
        guard let backup = sqlite3_backup_init(handle, "main", source, name) else {
            throw SQLiteError(sqlite3_errcode(handle), on: handle)
        }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            throw SQLiteError(code: code, message: ResultCode(rawValue: code).description)
        }
    }

    /// The bytes of the database, which is in memory.
    private func image() throws -> Data {
        var count: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(handle, "main", &count, 0) else {
            // A negative count: SQLite could not read the number of pages. It reports no error where it lacks the memory
            // for the SQL.
            let code = sqlite3_extended_errcode(handle)
            guard count > 0 else { throw error(code == SQLITE_OK ? SQLITE_NOMEM : code, sql: nil) }
            throw SQLiteError(code: SQLITE_NOMEM, message: "cannot copy the \(count) bytes of the database")
        }
        return Data(bytesNoCopy: bytes, count: Int(count), deallocator: .custom { bytes, _ in sqlite3_free(bytes) })
    }

    /// Replaces the database in memory by the one in the bytes of a database file. Empty data is an empty database.
    ///
    ///     let connection = try Connection(storageLocation: .inMemory)
    ///     try connection.deserialize(data)
    ///
    /// The data is opened by a separate connection with the limits of this one, and copied from it as by
    /// ``backup(databaseNamed:to:as:pagesPerStep:)``: the database is replaced as a whole or stays as it is. (Not with
    /// `PRAGMA journal_mode = OFF`, with which SQLite cannot undo anything.) Settings, statements, hooks and recorded changes
    /// of this connection remain. A database in WAL mode is changed to a rollback journal, because WAL does not exist in memory.
    ///
    /// Data that is not a database, or only its beginning, is rejected. The rest of the data is not checked; use
    /// ``integrityCheck(maxErrors:)`` for that. Takes three times the memory of the data for a moment; SQLite takes up to 2 GB.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_NOTADB` (26) for data that is not a database, `SQLITE_CORRUPT` (11) for
    ///   damaged data, `SQLITE_READONLY` (8) when the pages of the data have another size than those of the database, unless
    ///   nothing was written to the database yet, and with `PRAGMA query_only`; `SQLITE_ERROR` (1) when the texts of the data have
    ///   another encoding than those of the connection, and while a statement is being read; `SQLITE_INTERRUPT` (9) after the
    ///   deadline or the cancellation of a closure. Also throws on a connection to a file, and inside a transaction.
    public func deserialize(_ data: Data) throws {
        let handle = try handleForSerializing()
        guard fileName.isEmpty else {
            throw SQLiteError(UpkeepProblem.notInMemory, of: .file(fileName))
        }
        guard backupsReading == 0 else {
            throw SQLiteError(BackupProblem.unfinishedSource)
        }
        try checkInterruption(sql: nil)
        var isQueryOnly = 0
        let code = runInternally("PRAGMA query_only", on: handle, isHidden: true, into: &isQueryOnly)
        guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
        if isQueryOnly != 0 {
            throw SQLiteError(
                code: SQLITE_READONLY, message: ResultCode.readOnly.description, hint: "PRAGMA query_only is set")
        }
        // sqlite3_deserialize on this connection would free the schema to which the tables of json_each, pragma_table_info
        // and the like point from their first use on: SQLite then reads beyond its list of databases.
        let source = try Connection(":memory:", configuration: .sqlite)
        source.limits = limits
        if data.isEmpty {
            let pageSize: Int = try query("PRAGMA page_size")
            try source.execute("PRAGMA page_size = \(raw: String(pageSize))")
        } else {
            try source.openImage(data)
            try useEncoding(of: source, on: handle)
        }
        try source.backup(to: self, pagesPerStep: -1).run()
    }

    /// Takes over the encoding of texts, which SQLite allows until it has read or written the schema. With another one, it could
    /// no longer use the database.
    private func useEncoding(of source: Connection, on handle: OpaquePointer) throws {
        let encoding: String = try source.query("PRAGMA encoding")
        var own = ""
        for sql in ["PRAGMA encoding = '\(encoding)'", "PRAGMA encoding"] {
            let code = forEachRowInternally(sql, on: handle) { own = $0.text(0) }
            guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
        }
        guard own == encoding else {
            throw SQLiteError(
                code: SQLITE_ERROR,
                message: "the data has texts in \(encoding), and the connection has texts in \(own)",
                hint: "deserialize the data into a new connection")
        }
    }
}

// MARK: - Images

extension Connection {
    /// Makes the bytes of a database file the database of this connection, which must be new, and reads the schema.
    private func openImage(_ data: Data) throws {
        try Self.checkImage(data)
        guard let memory = sqlite3_malloc64(UInt64(data.count)) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "no memory for the \(data.count) bytes of the database")
        }
        let bytes = memory.assumingMemoryBound(to: UInt8.self)
        data.copyBytes(to: bytes, count: data.count)
        Self.leaveWAL(bytes)
        let (count, flags) = (Int64(data.count), SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
        // The bytes then belong to SQLite, even if this fails.
        let code = sqlite3_deserialize(handle, "main", bytes, count, count, UInt32(flags))
        guard code == SQLITE_OK else {
            // SQLITE_ERROR is reported for each failure of the statement that it runs. The connection has the code of that.
            let statementCode = sqlite3_errcode(handle)
            throw SQLiteError(code == SQLITE_ERROR && statementCode != SQLITE_OK ? statementCode : code, on: handle)
        }
        try readSchemaOnce(ofBytes: data.count)
    }

    /// Reads the schema, for which SQLite runs some instructions for each of its rows. In damaged data, pages can refer to each other
    /// so that it has any number of rows.
    private func readSchemaOnce(ofBytes count: Int) throws {
        try progressHandler(every: count + 100_000) { .interrupt }
        do {
            _ = try catalog().count()
        } catch let error as SQLiteError where error.resultCode == .interrupt {
            throw SQLiteError(code: SQLITE_CORRUPT, message: "the schema has more rows than the data has room for")
        }
    }

    /// Throws for data whose header is not that of a database that this library can write, and for its beginning.
    private static func checkImage(_ data: Data) throws {
        let header = Array(data.prefix(100))
        // SQLite treats fewer bytes as a database that has not been written to yet.
        guard data.count >= 512, header.starts(with: "SQLite format 3\0".utf8) else {
            throw SQLiteError(
                code: SQLITE_NOTADB, message: "file is not a database",
                hint: "the data is not an SQLite database, or it is encrypted")
        }
        // The versions that are needed to write and to read the file: 1 for a rollback journal, 2 for WAL.
        guard header[18] <= 2, header[19] <= 2 else {
            throw SQLiteError(
                code: SQLITE_NOTADB, message: "the data has a format that this version of SQLite cannot write")
        }
        func number(at index: Int, bytes: Int) -> Int { header[index..<index + bytes].reduce(0) { $0 << 8 | Int($1) } }
        let size = number(at: 16, bytes: 2)
        let pageSize = size == 1 ? 65_536 : size
        // The number of pages is not up to date after a version of SQLite before 3.7.0. The data must then end with a page.
        let isCounted = number(at: 24, bytes: 4) == number(at: 92, bytes: 4) && number(at: 28, bytes: 4) > 0
        let isWhole =
            isCounted ? data.count >= number(at: 28, bytes: 4) * pageSize : data.count % Swift.max(1, pageSize) == 0
        guard isWhole else {
            throw SQLiteError(code: SQLITE_CORRUPT, message: "the data is only the beginning of a database")
        }
    }

    /// Changes the header from WAL to a rollback journal.
    private static func leaveWAL(_ bytes: UnsafeMutablePointer<UInt8>) {
        if bytes[18] == 2 || bytes[19] == 2 { (bytes[18], bytes[19]) = (1, 1) }
    }

    private func handleForSerializing() throws -> OpaquePointer {
        guard squall_has_serialize() != 0 else {
            throw SQLiteError.libraryLacks(.serialization)
        }
        guard let handle else { throw closedError() }
        guard !isInTransaction else {
            throw SQLiteError(UpkeepProblem.serializedInsideTransaction)
        }
        return handle
    }
}

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

    /// Replaces the database in memory by the one in the bytes of a database file. Empty data is an empty database.
    ///
    ///     let connection = try Connection(storageLocation: .inMemory)
    ///     try connection.deserialize(data)
    ///
    /// The data is opened by a separate connection, and copied from it as by ``backup(databaseNamed:to:as:pagesPerStep:)``:
    /// the database is replaced as a whole or stays as it is. Settings, statements, hooks and recorded changes of this
    /// connection remain. A database in WAL mode is changed to a rollback journal, because WAL does not exist in memory.
    ///
    /// Data that is not a database, or only its beginning, is rejected. The rest of the data is not checked; use
    /// ``integrityCheck(maxErrors:)`` for that.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_NOTADB` (26) for data that is not a database, `SQLITE_CORRUPT` (11) for
    ///   damaged data, `SQLITE_READONLY` (8) when the pages of the data have another size than those of the database, unless
    ///   nothing was written to the database yet. Also throws on a connection to a file, inside a transaction, and while a
    ///   statement is being read.
    public func deserialize(_ data: Data) throws {
        _ = try handleForSerializing()
        guard fileName.isEmpty else {
            throw SQLiteError.misuse(.notInMemory(path: fileName))
        }
        guard backupsReading == 0 else {
            throw SQLiteError(.backup(.unfinishedSource), code: .busy)
        }
        // sqlite3_deserialize on this connection would free the schema to which the tables of json_each, pragma_table_info
        // and the like point from their first use on: SQLite then reads beyond its list of databases.
        let source = try Connection(":memory:", configuration: .sqlite)
        if data.isEmpty {
            let pageSize: Int = try query("PRAGMA page_size")
            try source.execute("PRAGMA page_size = \(raw: String(pageSize))")
        } else {
            try source.openImage(data)
        }
        try source.backup(to: self, pagesPerStep: -1).run()
    }

    /// Makes the bytes of a database file the database of this connection, which must be new, and reads the schema.
    private func openImage(_ data: Data) throws {
        // SQLite treats fewer bytes as a database that has not been written to yet.
        guard data.count >= 512 else {
            throw SQLiteError(code: SQLITE_NOTADB, message: "file is not a database")
        }
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
        let _: Int = try query("SELECT count(*) FROM sqlite_schema")
    }

    /// Changes the header from WAL to a rollback journal. Bytes 18 and 19 give the versions required to write and to
    /// read the file: 1 for a rollback journal, 2 for WAL.
    private static func leaveWAL(_ bytes: UnsafeMutablePointer<UInt8>) {
        guard bytes[18] == 2 || bytes[19] == 2 else { return }
        guard UnsafeBufferPointer(start: bytes, count: 16).elementsEqual("SQLite format 3\0".utf8) else { return }
        (bytes[18], bytes[19]) = (1, 1)
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
}

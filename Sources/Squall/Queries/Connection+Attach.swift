import SquallSQLite

extension Connection {
    /// Attaches another database under a name: `ATTACH DATABASE ? AS ?`.
    ///
    /// The path is not a URI, even when it begins with `file:`. On a connection that has a key, the file must have the same key.
    ///
    /// In a closure of a pool or a database, the database is detached when the closure ends. If a closure detaches a
    /// database that was attached before, the database is attached again when the closure ends. This uses the path of its
    /// file only. If it was attached by SQL with a URI, such as `file:prices.db?mode=ro`, the parameters of the URI are lost.
    /// A database in memory cannot be attached again.
    ///
    /// - Parameters:
    ///   - storageLocation: The location of the other database.
    ///   - name: The name by which SQL refers to it, before the name of a table: `name.cars`.
    /// - Throws: ``SQLiteError``: `SQLITE_CANTOPEN` (14) if the file cannot be opened, `SQLITE_NOTADB` (26) if it is not a database, with a
    ///   ``FileProblem`` if it is encrypted and has another key or needs one, `SQLITE_ERROR` (1) if the name is in use, `SQLITE_MISUSE` (21)
    ///   for a path or a name with a NUL character.
    public func attachDatabase(from storageLocation: StorageLocation, withName name: String) throws {
        if storageLocation.isFile, let key = configuration.key(ofFile: storageLocation.path)?.base {
            // SQLCipher would use the salt of the main file as well.
            return try attach(storageLocation, named: name, key: key, isOfMain: true)
        }
        try attach(storageLocation, named: name, clause: "")
    }

    /// Attaches a file that is not encrypted to a connection that has a key, which would otherwise be used: `ATTACH DATABASE ? AS ? KEY ''`.
    package func attachPlainDatabase(from storageLocation: StorageLocation, withName name: String) throws {
        try attach(storageLocation, named: name, clause: configuration.key == nil ? "" : "KEY ''")
    }

    /// Attaches a file with a key, which is used again where the library opens or attaches the file by itself. Trace observers do not see
    /// the statement.
    package func attach(
        _ storageLocation: StorageLocation, named name: String, key: any FileKey, isOfMain: Bool = false
    ) throws {
        let path = try Self.path(of: storageLocation, attachedAs: name)
        let statement = try prepare(SQL(raw: Self.attachWithKey), path, name, nil as String?)
        do {
            try key.withBytes(forAttachingTo: try requireHandle(sql: statement.sql)) { bytes in
                // A key that exceeds the limit of lengths is not bound, and NULL would be no key.
                let code = sqlite3_bind_blob64(statement.handle, 3, bytes.baseAddress, UInt64(bytes.count), nil)
                guard code == SQLITE_OK else { throw error(code, sql: statement.sql) }
                defer { sqlite3_clear_bindings(statement.handle) }
                callbacks.pointee.isHidden = true
                defer { callbacks.pointee.isHidden = false }
                try statement.run()
            }
        } catch let error as SQLiteError where error.isOfUnreadableFile {
            throw SQLiteError.refusedKey(ofFile: path, sql: statement.sql)
        }
        keepKey(key, isOfMain: isOfMain, ofDatabase: name)
    }

    private func attach(_ storageLocation: StorageLocation, named name: String, clause: StaticString) throws {
        let path = try Self.path(of: storageLocation, attachedAs: name)
        try FileBegin.checkJournal(of: path)
        do {
            try run("ATTACH DATABASE \(path) AS \(name) \(raw: "\(clause)")")
        } catch let error as SQLiteError {
            throw namingMissingKey(error, path: path)
        }
    }

    private static func path(of storageLocation: StorageLocation, attachedAs name: String) throws -> String {
        let path = storageLocation.plainPath
        for text in [path, name] where text.utf8.contains(0) {
            throw SQLiteError.misuse(.nulCharacter(in: .attachment))
        }
        return path
    }

    /// Detaches a database: `DETACH DATABASE ?`.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) if no database has that name, or while it is in use.
    public func detachDatabase(named name: String) throws {
        try run("DETACH DATABASE \(name)")
    }
}

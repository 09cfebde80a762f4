import SquallSQLite

extension Connection {
    /// Rebuilds a database without free pages and fragmentation: `VACUUM "main"`.
    ///
    /// - Throws: ``SQLiteError``; `SQLITE_ERROR` (1) inside a transaction or while a statement is being read, and for an unknown
    ///   name.
    public func vacuum(databaseNamed name: String = "main") throws {
        try checkForVacuum(name)
        try execute("VACUUM \(name: name)")
    }

    /// Writes a copy of a database, without free pages and fragmentation, to a new file: `VACUUM "main" INTO ?`.
    ///
    ///     try connection.vacuum(into: "copy.db")
    ///
    /// If it fails, no partial file is left. A file that has replaced it in the meantime is kept. SQLite does not flush the
    /// copy to the disk: after a loss of power it may be incomplete.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) inside a transaction, when the file is already a database, for an unknown
    ///   name, and on a read-only connection for a table with a CHECK constraint and a generated column; `SQLITE_NOTADB` (26)
    ///   for another file that is not empty; `SQLITE_CANTOPEN` (14) when the file cannot be created; `SQLITE_FULL` (13) when
    ///   the disk is full; `SQLITE_READONLY_DBMOVED` (``ResultCode/fileMoved``) when the file has been deleted or replaced;
    ///   ``UpkeepProblem/encrypted`` for an attached database that is encrypted, beside a main database that is not.
    public func vacuum(databaseNamed name: String = "main", into path: String) throws {
        // SQLite would write to a temporary database that is deleted when the statement ends.
        guard !path.isEmpty, path != ":memory:" else {
            throw SQLiteError(UpkeepProblem.vacuumNeedsFile)
        }
        try checkForVacuum(name)
        // The copy has the key of the main file, and no key beside one that has none.
        if configuration.key == nil, key(ofDatabase: name) != nil { throw SQLiteError(UpkeepProblem.encrypted) }
        try NewFile.write(path) { try run("VACUUM \(name: name) INTO \(StorageLocation.onDisk(path).plainPath)") }
    }

    /// Throws an error for the name of a database that the connection does not have.
    ///
    /// SQLite throws one itself, but not Apple's: with `SQLITE_BUG_COMPATIBLE_20160819`, it takes `main` instead.
    private func checkForVacuum(_ name: String) throws {
        guard let handle else { throw closedError() }
        // The temporary database is not open before it is used.
        let isTemporary = Identifier(name) == Identifier("temp")
        guard !name.utf8.contains(0), isTemporary || sqlite3_db_readonly(handle, name) != -1 else {
            throw SQLiteError.unknownDatabase(name)
        }
    }
}

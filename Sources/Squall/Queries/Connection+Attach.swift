extension Connection {
    /// Attaches another database under a name: `ATTACH DATABASE ? AS ?`.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_CANTOPEN` (14) if the file cannot be opened.
    public func attachDatabase(from storageLocation: StorageLocation, withName name: String) throws {
        let path = storageLocation.plainPath
        for text in [path, name] where text.utf8.contains(0) {
            throw SQLiteError.misuse(.nulCharacter(in: "the path or the name of a database"))
        }
        try run("ATTACH DATABASE \(path) AS \(name)")
    }

    /// Detaches a database: `DETACH DATABASE ?`.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) if no database has that name.
    public func detachDatabase(named name: String) throws {
        try run("DETACH DATABASE \(name)")
    }
}

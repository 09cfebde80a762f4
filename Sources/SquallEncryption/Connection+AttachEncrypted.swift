import Squall

extension Connection {
    /// Attaches a file with a key other than that of the connection: `ATTACH DATABASE ? AS ? KEY ?`.
    ///
    ///     try connection.attachDatabase(
    ///         from: .onDisk(path), withName: "prices", encryption: .rawKey(key))
    ///
    /// Trace observers do not see the statement, because it has the key. The same key is used again where the library attaches the
    /// database again, as after a closure that detached it, and where a backup of it opens the file.
    ///
    /// - Parameters:
    ///   - storageLocation: The location of the file.
    ///   - name: The name by which SQL refers to it.
    ///   - encryption: The encryption of the file; `nil` for one that is not encrypted, beside one that is.
    /// - Throws: `SQLiteError`: ``/Squall/FileProblem/wrongKey`` or ``/Squall/FileProblem/notEncrypted``, and ``EncryptionProblem``.
    public func attachDatabase(
        from storageLocation: StorageLocation, withName name: String, encryption: Encryption?
    ) throws {
        guard let encryption else { return try attachPlainDatabase(from: storageLocation, withName: name) }
        guard storageLocation.isFile else { throw SQLiteError(EncryptionProblem.needsFile) }
        try encryption.requireCipher()
        try keepTemporaryTablesInMemory()
        try attach(storageLocation, named: name, key: encryption)
    }

    /// Sets `temp_store` where the main file is not encrypted. SQLite removes the temporary tables when the setting changes.
    private func keepTemporaryTablesInMemory() throws {
        try checkIsUsable()
        guard let handle, pragmaValue("temp_store", on: handle) != 2 else { return }
        guard try hiddenCatalog(of: "temp").count() == 0 else { throw SQLiteError(EncryptionProblem.temporaryTables) }
        runInternally("PRAGMA temp_store = MEMORY", on: handle)
    }
}

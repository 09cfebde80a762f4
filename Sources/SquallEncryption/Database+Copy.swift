import Squall

extension Database {
    /// Writes a copy of the database to a new file, which is encrypted, or is not, in one snapshot. Reads and writes go on.
    ///
    ///     try await database.copy(to: "sealed.db", encryption: .passphrase { new })
    ///     try await database.copy(to: "plain.db", encryption: nil)
    ///
    /// The copy has the rows with their rowids, the schema, the text encoding, `auto_vacuum`, `user_version` and `application_id`, and
    /// for a file that is not encrypted the page size. It has no free pages. It is not in WAL mode. CHECK and foreign keys are not
    /// checked; a row that another constraint forbids is an error. If the call fails, no partial file is left.
    ///
    /// A connection that is opened for it, and with which the preparations for the writer are called, attaches the file with
    /// `ATTACH DATABASE ? AS ? KEY ?`. For each table it runs `CREATE TABLE`, and `INSERT OR ABORT INTO … SELECT` with the rowid and all
    /// columns that are not generated, then for each index `CREATE INDEX`. Other entries are written to `sqlite_schema`. A database in
    /// memory is copied in memory first.
    ///
    /// - Parameters:
    ///   - path: The path of a file that does not exist, or is empty.
    ///   - encryption: The key and the parameters of the copy; `nil` for one that is not encrypted.
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    /// - Throws: `CancellationError`; `SQLiteError`: ``EncryptionProblem``; ``/Squall/FileProblem/exists``, also while another call
    ///   writes the file; `SQLITE_CANTOPEN` (14) when the file cannot be created; `SQLITE_FULL` (13) when the disk is full; and as ``/Squall/Database/read(deadline:_:)``.
    public nonisolated(nonsending) func copy(
        to path: String, encryption: Encryption?, deadline: Duration? = nil
    ) async throws {
        try Self.checkCopy(to: path, encryption)
        try await withSeparateConnection(deadline: deadline) { try $0.copyDatabase(to: path, encryption) }
    }

    fileprivate static func checkCopy(to path: String, _ encryption: Encryption?) throws {
        guard StorageLocation.onDisk(path).isFile else { throw SQLiteError(EncryptionProblem.needsFile) }
        try encryption?.requireCipher()
    }
}

extension Database.Blocking {
    /// Writes a copy of the database to a new file as ``Database/copy(to:encryption:deadline:)`` does.
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - encryption: The key and the parameters of the copy; `nil` for one that is not encrypted.
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    /// - Throws: `SQLiteError` as ``Database/copy(to:encryption:deadline:)``.
    public func copy(to path: String, encryption: Encryption?, deadline: Duration? = nil) throws {
        try Database.checkCopy(to: path, encryption)
        try withSeparateConnection(deadline: deadline) { try $0.copyDatabase(to: path, encryption) }
    }
}

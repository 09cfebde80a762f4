import Squall

extension Database {
    /// Changes the key of the file: `sqlite3_rekey_v2`, which encrypts all pages again, in one transaction.
    ///
    ///     try await database.rekey(to: .passphrase { new })
    ///
    /// The call waits for the running reads and writes. Later ones wait until it has ended. All readers are then opened with the new
    /// key, and the write-ahead log is truncated, so that its pages with the old key are gone; not while another process reads. If the
    /// call throws, the file has the old key. If it cannot be read after the error, it may have either, which the database finds out
    /// when it opens the file again. So it may after a crash. The writer is opened again after an error: its temporary tables are lost,
    /// as are the hooks, functions and collations that closures have added.
    ///
    /// In WAL mode, all pages go through the log: the disk needs room for the file once more. SQLite3 Multiple Ciphers can damage the
    /// file when a write fails: ``EncryptionProblem/unsafeRekey`` is thrown there.
    ///
    /// Connections of other processes, and other `Database`s of the file, throw ``/Squall/FileProblem/wrongKey`` from their next
    /// transaction on: open them again.
    ///
    /// The parameters of a file cannot be changed, nor can its encryption be ended: see ``copy(to:encryption:deadline:)``.
    ///
    /// - Parameters:
    ///   - encryption: The new key. Its parameters are those of the present one.
    ///   - deadline: The maximum duration of the waits; `nil` for no limit. Encrypting that has begun is finished.
    /// - Throws: `CancellationError`; `SQLiteError`: ``EncryptionProblem``, such as ``EncryptionProblem/keyNotChanged`` when the disk is
    ///   full; `SQLITE_BUSY` (5) while another process writes; `SQLITE_READONLY` (8) for a database that was opened read-only;
    ///   ``/Squall/FileProblem/moved`` and ``/Squall/FileProblem/replaced``; the error of the closure of the key; and as
    ///   ``/Squall/Database/writeWithoutTransaction(deadline:_:)``.
    public nonisolated(nonsending) func rekey(to encryption: Encryption, deadline: Duration? = nil) async throws {
        try checkRekey(to: encryption)
        try await replaceKey(
            with: encryption, orThrow: SQLiteError(EncryptionProblem.rekeyBlocked), deadline: deadline)
    }

    fileprivate func checkRekey(to encryption: Encryption) throws {
        guard let key = key as? Encryption else { throw SQLiteError(EncryptionProblem.notEncrypted) }
        guard try encryption.requireCipher().changesKeysSafely else { throw SQLiteError(EncryptionProblem.unsafeRekey) }
        guard key.parameters == encryption.parameters else { throw SQLiteError(EncryptionProblem.parametersOfFile) }
        guard !isUsedByThisThread else { throw SQLiteError(EncryptionProblem.rekeyInsideClosure) }
    }
}

extension Database.Blocking {
    /// Changes the key of the file as ``Database/rekey(to:deadline:)`` does.
    ///
    /// - Parameters:
    ///   - encryption: The new key.
    ///   - deadline: The maximum duration of the waits; `nil` for no limit.
    /// - Throws: `SQLiteError` as ``Database/rekey(to:deadline:)``.
    public func rekey(to encryption: Encryption, deadline: Duration? = nil) throws {
        try database.checkRekey(to: encryption)
        try replaceKey(with: encryption, orThrow: SQLiteError(EncryptionProblem.rekeyBlocked), deadline: deadline)
    }
}

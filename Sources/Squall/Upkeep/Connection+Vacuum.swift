#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Connection {
    /// Rebuilds a database without free pages and fragmentation: `VACUUM "main"`.
    ///
    /// - Throws: ``SQLiteError``; `SQLITE_ERROR` (1) inside a transaction or while a statement is being read.
    public func vacuum(databaseNamed name: String = "main") throws {
        try execute("VACUUM \(name: name)")
    }

    /// Writes a copy of a database, without free pages and fragmentation, to a new file: `VACUUM "main" INTO ?`.
    ///
    ///     try connection.vacuum(into: "copy.db")
    ///
    /// If it fails, no partial file is left.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) inside a transaction and when the file is already a database;
    ///   `SQLITE_NOTADB` (26) for another file that is not empty; `SQLITE_CANTOPEN` (14) when the file cannot be
    ///   created; `SQLITE_FULL` (13) when the disk is full.
    public func vacuum(databaseNamed name: String = "main", into path: String) throws {
        guard !path.utf8.contains(0) else { throw SQLiteError.misuse(.nulCharacter(in: .path)) }
        // SQLite would write to a temporary database that is deleted when the statement ends.
        guard !path.isEmpty, path != ":memory:" else {
            throw SQLiteError.misuse(.vacuumNeedsFile)
        }
        let isNew = !FileManager.default.fileExists(atPath: path)
        do {
            try run("VACUUM \(name: name) INTO \(StorageLocation.onDisk(path).plainPath)")
        } catch let error as SQLiteError {
            // SQLite leaves the partial file, which looks like a database and blocks the next attempt. These errors
            // occur after SQLite created the file, or found it empty.
            let late: Set<ResultCode> = [.full, .ioError, .interrupt, .corrupt, .outOfMemory]
            if isNew, late.contains(error.resultCode) { try? FileManager.default.removeItem(atPath: path) }
            throw error
        }
    }
}

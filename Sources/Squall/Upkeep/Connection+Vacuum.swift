#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Connection {
    /// Builds a database anew, without free pages and fragments: `VACUUM "main"`.
    ///
    /// - Throws: ``SQLiteError``, code 1 inside a transaction or while a statement is being read.
    public func vacuum(databaseNamed name: String = "main") throws {
        try execute("VACUUM \(name: name)")
    }

    /// Writes a database without free pages and fragments into a new file: `VACUUM "main" INTO ?`.
    ///
    ///     try connection.vacuum(into: "copy.db")
    ///
    /// What fails on the way leaves no file.
    ///
    /// - Throws: ``SQLiteError``: code 1 when there is a database already, and inside a transaction; 26 when there is another
    ///   file that is not empty; 14 when the file cannot be made; 13 when the disk is full.
    public func vacuum(databaseNamed name: String = "main", into path: String) throws {
        guard !path.utf8.contains(0) else { throw SQLiteError.misuse(.nulCharacter(in: "a path")) }
        // SQLite would write a database that is gone when the statement ends.
        guard !path.isEmpty, path != ":memory:" else {
            throw SQLiteError.misuse(.unsuitableDatabase("VACUUM INTO needs a file"))
        }
        let isNew = !FileManager.default.fileExists(atPath: path)
        do {
            try run("VACUUM \(name: name) INTO \(StorageLocation.onDisk(path).plainPath)")
        } catch let error as SQLiteError {
            // SQLite leaves the part that it has written, which looks like a database and stands in the way of the next
            // attempt. These errors come after the file was made, and it was empty then.
            let late: Set<ResultCode> = [.full, .ioError, .interrupt, .corrupt, .outOfMemory]
            if isNew, late.contains(error.resultCode) { try? FileManager.default.removeItem(atPath: path) }
            throw error
        }
    }
}

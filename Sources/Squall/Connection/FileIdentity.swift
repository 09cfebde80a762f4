import SquallSQLite

/// The identity of a file in the file system, independent of its path.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path; `nil` if there is none.
    init?(path: UnsafePointer<CChar>) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
    }
}

extension Connection {
    /// Returns the error of an open file that is not at its path any more, as `SQLITE_FCNTL_HAS_MOVED` reports it.
    ///
    /// - Returns: The error; `nil` if the file is at its path, and for a database that is not in a file.
    static func movedFileError(of database: String, _ handle: OpaquePointer) -> SQLiteError? {
        var hasMoved: Int32 = 0
        guard sqlite3_file_control(handle, database, SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK, hasMoved != 0,
            let name = sqlite3_db_filename(handle, database)
        else { return nil }
        let path = String(cString: name)
        return SQLiteError(FileIdentity(path: path) == nil ? FileProblem.moved : .replaced, of: .file(path))
    }
}

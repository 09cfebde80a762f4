import SquallSQLite

extension Connection {
    /// Returns the SQLite file of the main database.
    func file(of handle: OpaquePointer) -> UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        return code == SQLITE_OK ? file : nil
    }

    /// Returns the begin of the index of the write-ahead log, which is shared memory; `nil` if the log is not open.
    ///
    /// SQLite keeps it in place until the connection closes the log: when it is closed, or changes its journal mode.
    /// Another connection cannot change the mode of the file while this one has the log open.
    func logIndex(on handle: OpaquePointer) -> UnsafeRawPointer? {
        var memory: UnsafeMutableRawPointer?
        guard let file = file(of: handle), squall_map_index(file, &memory) == SQLITE_OK else { return nil }
        return memory.map { UnsafeRawPointer($0) }
    }
}

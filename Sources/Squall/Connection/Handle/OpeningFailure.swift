import SquallSQLite

/// Explains why an ordinary file cannot be opened.
enum OpeningFailure {
    /// Returns the reason after opening has failed; `nil` if the file system reports none.
    static func hint(_ path: String, flags: Int32) -> String? {
        if squall_is_directory(path) != 0 { return "it is a directory" }
        if access(path, F_OK) == 0 { return access(path, R_OK) == 0 ? nil : "the file cannot be read: \(systemError)" }
        guard squall_errno() == ENOENT else { return systemError }
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if squall_is_directory(folder) == 0 { return "the directory does not exist: \(folder)" }
        if flags & SQLITE_OPEN_CREATE == 0 { return "the file does not exist; the mode .create creates it" }
        return access(folder, W_OK) == 0 ? nil : "the directory cannot be written: \(systemError)"
    }

    private static var systemError: String { String(cString: strerror(squall_errno())) }
}

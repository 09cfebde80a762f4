import SquallSQLite

extension Connection {
    /// Opens a handle with extended result codes, with which views and triggers can search.
    ///
    /// - Parameter key: The key of the file; `nil` for one that is not encrypted.
    static func open(_ path: String, flags: Int32, key: (any FileKey)?) throws -> OpaquePointer {
        guard !path.utf8.contains(0) else { throw pathWithNULError }
        guard sqlite3_threadsafe() != 0 else { throw SQLiteError.libraryLacks(.threads) }
        var handle: OpaquePointer?
        var code = sqlite3_open_v2(path, &handle, flags, nil)
        if code == SQLITE_OK, let handle { try unlock(handle, key) }
        if code == SQLITE_OK, SQLiteVersion.hasInnocuousSearch { code = squall_allow_search_in_schema(handle) }
        guard code == SQLITE_OK, let handle else {
            // `sqlite3_open_v2` returns a handle even when it fails. It has the message, and must be closed.
            let error = SQLiteError(code, on: handle)
            sqlite3_close_v2(handle)
            throw error.changed {
                $0.message += ": \(path)"
                $0.hint = flags & SQLITE_OPEN_URI == 0 ? OpeningFailure.hint(path, flags: flags) : nil
            }
        }
        sqlite3_extended_result_codes(handle, 1)
        return handle
    }

    /// Gives a new handle the key of its file, or checks a file without a key. Closes the handle if that fails.
    static func unlock(_ handle: OpaquePointer, _ key: (any FileKey)?) throws {
        do {
            if let key {
                try key.unlock(handle)
            } else if let path = sqlite3_db_filename(handle, "main") {
                try FileBegin.checkJournal(of: String(cString: path))
            }
        } catch {
            sqlite3_close_v2(handle)
            throw error
        }
    }

    static var pathWithNULError: SQLiteError {
        SQLiteError(.nulCharacter(in: .path), code: .cantOpen)
    }
}

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

import SquallSQLite

/// The SQLite library that the process uses.
public enum SQLiteLibrary {
    /// A setting of the library, which applies to the whole process.
    public struct Setting: Sendable {
        let apply: @Sendable () -> Int32

        /// Does not count the memory that SQLite uses: `SQLITE_CONFIG_MEMSTATUS` 0.
        ///
        /// SQLite counts under a lock, which every allocation of every connection takes. Without it, reads on several threads
        /// do not wait for each other. `sqlite3_memory_used`, `sqlite3_status` and the heap limits, such as `PRAGMA
        /// soft_heap_limit`, then have no effect. ``Connection/status`` is not affected.
        public static let withoutMemoryStatistics = Setting { squall_count_memory(0) }
    }

    /// Configures the library, by `sqlite3_config`. Call it once, at the start of the program:
    ///
    ///     try SQLiteLibrary.configure(.withoutMemoryStatistics)
    ///     let database = try Database("app.db")
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), of the kind ``SQLiteError/Kind/libraryInUse``, after SQLite has been
    ///   used: a connection has been opened, by Squall or by another library of the process. Nothing is changed then.
    public static func configure(_ settings: Setting...) throws {
        for setting in settings {
            let code = setting.apply()
            if code == SQLITE_MISUSE {
                throw SQLiteError.misuse(
                    .libraryInUse, hint: "call `SQLiteLibrary.configure` before the first connection is opened")
            }
            guard code == SQLITE_OK else {
                throw SQLiteError(code: code, message: "\(ResultCode(rawValue: code)) in sqlite3_config")
            }
        }
    }
}

import SquallSQLite

/// The SQLite library that the process uses.
public enum SQLiteLibrary {
    /// A setting of the library, which applies to the whole process.
    public struct Setting: Sendable {
        let apply: @Sendable () -> Int32
        /// Whether a newer SQLite takes the setting also after it has been used.
        var isForAnyTime = false

        /// Does not count the memory that SQLite uses: `SQLITE_CONFIG_MEMSTATUS` 0.
        ///
        /// SQLite counts under a lock, which every allocation of every connection takes. Without it, reads on several threads
        /// do not wait for each other. `sqlite3_memory_used`, `sqlite3_status` and the heap limits, such as `PRAGMA
        /// soft_heap_limit`, then have no effect. ``Connection/status`` is not affected.
        public static let withoutMemoryStatistics = Setting { squall_count_memory(0) }

        /// Counts the memory that SQLite uses, which a heap limit needs: `SQLITE_CONFIG_MEMSTATUS` 1. Apple's does not by itself.
        package static let memoryStatistics = Setting { squall_count_memory(1) }

        /// Calls a closure with each message of SQLite's error log: `SQLITE_CONFIG_LOG`.
        ///
        ///     try SQLiteLibrary.configure(
        ///         .errorLog { code, message in print(code, message) })
        ///
        /// SQLite reports errors of statements, and what no statement returns: a log that was recovered after a crash, a file that
        /// was moved, an automatic index, a damaged page. A message may contain SQL as it was written.
        ///
        /// The closure is called on the threads that use SQLite, on several at the same time. It must not use SQLite in any
        /// way, and delays the statement: hand over what takes long.
        public static func errorLog(_ observer: @escaping @Sendable (ResultCode, String) -> Void) -> Setting {
            Setting(
                apply: {
                    // Kept for ever: SQLite may call it until the process ends.
                    let context = Unmanaged.passRetained(ErrorLogObserver(call: observer)).toOpaque()
                    return squall_log_errors(
                        { context, code, message in
                            guard let context, let message else { return }
                            Unmanaged<ErrorLogObserver>.fromOpaque(context).takeUnretainedValue()
                                .call(ResultCode(rawValue: code), String(cString: message))
                        }, context)
                }, isForAnyTime: true)
        }
    }

    /// The version of the library that runs, which may be another one than the program was built with: `3.40.1`.
    public static let version = String(cString: sqlite3_libversion())

    /// Returns whether the library was built with an option, by `sqlite3_compileoption_used`.
    ///
    ///     SQLiteLibrary.has("ENABLE_FTS5")
    ///
    /// - Parameter option: The name, with its value if it has one: `THREADSAFE=2`. The prefix `SQLITE_` may be left out.
    public static func has(_ option: String) -> Bool { sqlite3_compileoption_used(option) != 0 }

    /// Configures the library, by `sqlite3_config`. Call it once, at the start of the program:
    ///
    ///     try SQLiteLibrary.configure(.withoutMemoryStatistics)
    ///     let database = try Database("app.db")
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), with the problem ``UpkeepProblem/libraryInUse``, after SQLite has been
    ///   used: a connection has been opened, by Squall or by another library of the process. Nothing is changed then. Newer versions
    ///   of SQLite take an ``Setting/errorLog(_:)`` alone at any time.
    public static func configure(_ settings: Setting...) throws {
        // Settings that can be refused come first: nothing has been changed then.
        for setting in settings.filter({ !$0.isForAnyTime }) + settings.filter(\.isForAnyTime) {
            let code = setting.apply()
            if code == SQLITE_MISUSE {
                throw SQLiteError(
                    UpkeepProblem.libraryInUse,
                    hint: "call `SQLiteLibrary.configure` before the first connection is opened")
            }
            guard code == SQLITE_OK else {
                throw SQLiteError(code: code, message: "\(ResultCode(rawValue: code)) in sqlite3_config")
            }
        }
    }
}

private final class ErrorLogObserver: Sendable {
    let call: @Sendable (ResultCode, String) -> Void

    init(call: @escaping @Sendable (ResultCode, String) -> Void) {
        self.call = call
    }
}

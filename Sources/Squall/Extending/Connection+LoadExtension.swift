import SquallSQLite

extension Connection {
    /// Loads an extension of SQLite from a library, by `sqlite3_load_extension`.
    ///
    ///     try connection.loadExtension("/usr/lib/sqlite3/vec0")
    ///     let version: String = try connection.query("SELECT vec_version()")
    ///
    /// The library runs with all rights of the program: never load one from a place where others can write. The
    /// loading of extensions is on only during the call. SQL cannot load one: its function `load_extension` stays off.
    ///
    /// An extension stays loaded until its connection is closed. In a ``Database``, load it in the `preparation`, which is
    /// called with every connection. An extension that fails may have added functions before; they stay, and so does the
    /// library in memory.
    ///
    /// - Parameters:
    ///   - path: The path of the library. The suffix `.so` or `.dylib` may be left out. The system's loader searches for a
    ///     path without a slash among the system's libraries.
    ///   - entryPoint: The name of the C function that adds the extension to the connection. `nil` is
    ///     `sqlite3_extension_init`, and then a name that SQLite derives from the file: `sqlite3_vec_init` for `vec0.so`.
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1), with an ``ExtensionProblem`` and the
    ///   message of the loader or of the extension, and of the kind ``SQLiteError/Kind/libraryLacks(_:)`` where
    ///   SQLite cannot load extensions; `SQLITE_BUSY` (5) inside a function or a collation; `SQLITE_MISUSE` (21) for a path
    ///   or a name with a NUL character.
    public func loadExtension(_ path: String, entryPoint: String? = nil) throws {
        guard squall_has_load_extension() != 0 else { throw SQLiteError.libraryLacks(.extensionLoading) }
        if let entryPoint, entryPoint.utf8.contains(0) {
            throw SQLiteError.misuse(.nulCharacter(in: .entryPoint))
        }
        var failure: SQLiteError?
        try change(path, .path) { handle in
            let library = ExtensionLibrary(path)
            squall_set_option(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1)
            defer { squall_set_option(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0) }
            var message: UnsafeMutablePointer<CChar>?
            defer { sqlite3_free(message) }
            let code = squall_load_extension(handle, path, entryPoint, &message)
            if code == SQLITE_OK {
                library.close()
            } else {
                failure = library.error(message.map { String(cString: $0) } ?? "\(ResultCode(rawValue: code))")
            }
            return SQLITE_OK
        }
        // The extension may have added functions, also if it failed.
        forgetSchema()
        if let failure { throw failure }
    }
}

/// The library of an extension, held open while SQLite loads it.
///
/// SQLite closes the library of an extension that fails, although functions that the extension has added before may still
/// be called. This handle then keeps the library in memory.
private struct ExtensionLibrary {
    let path: String
    let handle: UnsafeMutableRawPointer?
    /// The loader's message for the path itself. SQLite's message is about its last attempt, the path with a suffix.
    private let message: String?

    init(_ path: String) {
        self.path = path
        var message: String?
        var handle = squall_open_library(path)
        if handle == nil {
            message = dlerror().map { String(cString: $0) }
            handle = Self.suffixes.lazy.compactMap { squall_open_library(path + $0) }.first
        }
        self.handle = handle
        self.message = access(path, F_OK) == 0 ? message : nil
    }

    private static var suffixes: [String] {
        #if canImport(Darwin)
            [".dylib"]
        #else
            [".so"]
        #endif
    }

    func close() {
        if let handle { dlclose(handle) }
    }

    /// Returns the error of an extension that SQLite has not loaded.
    func error(_ text: String) -> SQLiteError {
        // SQLite replaces its message about a missing entry point by the loader's.
        let problem: ExtensionProblem =
            if text.hasPrefix("error during initialization") {
                .initialization
            } else {
                handle == nil ? .library : .entryPoint
            }
        // Only an extension that has run can have added a function.
        if problem != .initialization { close() }
        return SQLiteError(problem, of: .file(path)).changed {
            $0.message = problem == .library ? message ?? text : text
        }
    }
}

/// The reason why an extension is not loaded. The path of its library is the error's ``SQLiteError/subject``, and the error's
/// message is that of the loader, or of the extension.
public enum ExtensionProblem: SQLiteProblem {
    /// Thrown when the path has no file, or the file is not a library of this platform.
    case library
    /// Thrown when the library has no function with the name of the entry point.
    case entryPoint
    /// Thrown when the entry point has reported an error.
    case initialization
}

extension ExtensionProblem {
    public var code: ResultCode { .error }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        "the extension \(subject.pathName) cannot be loaded"
    }
}

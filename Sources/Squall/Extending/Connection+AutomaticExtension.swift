import SquallSQLite

extension Connection {
    /// The C function that adds an extension to a connection: its handle, the address for a message of `sqlite3_mprintf`,
    /// and SQLite's table of functions. It returns `SQLITE_OK` (0) or the code of an error.
    public typealias ExtensionEntryPoint =
        @convention(c) (
            _ handle: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
            _ routines: OpaquePointer?
        ) -> Int32

    /// Adds an extension that is linked into the program to every connection of the process that is opened afterwards, by
    /// `sqlite3_auto_extension`.
    ///
    ///     try Connection.register(automatic: sqlite3_vec_init)
    ///     let database = try Database("notes.db")     // each of its connections has sqlite-vec
    ///
    /// Call it once, at the start of the program. Connections that are open already do not get the extension. Connections
    /// that other libraries open get it too. An extension whose entry point fails prevents the opening of every connection:
    /// it throws with the message of the extension.
    ///
    /// It may be called on any thread. Registering a function again has no effect.
    ///
    /// A header with the complete `sqlite3_api_routines` gives the function a third parameter of another pointer type.
    /// `unsafeBitCast` then makes it an ``ExtensionEntryPoint``.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1), of the kind ``SQLiteError/Kind/libraryLacks(_:)``, where SQLite
    ///   has no automatic extensions, as on Apple platforms; `SQLITE_NOMEM` (7).
    public static func register(automatic entryPoint: ExtensionEntryPoint) throws {
        guard squall_has_auto_extension() != 0 else { throw SQLiteError.libraryLacks(.extensionLoading) }
        let code = squall_auto_extension(entryPoint)
        // Apple's function exists, and refuses every extension.
        if code == SQLITE_MISUSE { throw SQLiteError.libraryLacks(.extensionLoading) }
        guard code == SQLITE_OK else {
            throw SQLiteError(code: code, message: "\(ResultCode(rawValue: code)) in sqlite3_auto_extension")
        }
    }

    /// Cancels a registration by ``register(automatic:)``, by `sqlite3_cancel_auto_extension`. Open connections keep the extension.
    ///
    /// - Returns: Whether the function was registered.
    @discardableResult
    public static func cancel(automatic entryPoint: ExtensionEntryPoint) -> Bool {
        squall_has_auto_extension() != 0 && squall_cancel_auto_extension(entryPoint) == 1
    }
}

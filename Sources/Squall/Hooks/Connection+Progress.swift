import SquallSQLite

extension Connection {
    /// The decision of a progress handler.
    public enum ProgressResult: Hashable, Sendable {
        case proceed
        /// Ends the statement with `SQLITE_INTERRUPT` (9).
        case interrupt
    }

    /// Sets a closure that is called at intervals while a statement runs, or removes it with `nil`. A time limit and
    /// deadlines remain in effect beside it.
    ///
    /// - Parameters:
    ///   - instructions: The number of virtual machine instructions, of all statements, between two calls; above 1000 it is
    ///     rounded up to thousands. 1000 instructions take some microseconds.
    ///   - handler: The closure to call. It cannot use the connection: every call throws. It may set or remove the
    ///     handler. The connection retains it: capture the connection `weak` or `unowned` in it.
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), when the connection is closed.
    public func progressHandler(every instructions: Int = 1000, _ handler: (() -> ProgressResult)?) throws {
        try checkIsUsable()
        interruption.setProgressHandler(
            of: self, interval: Int32(clamping: instructions), handler.map { handler in { handler() == .interrupt } }
        )
    }

    /// Runs a closure with a deadline. A statement that is running or waiting for a lock at the deadline, and any that
    /// begins later, throws `SQLITE_INTERRUPT` (9). Deadlines nest; the earliest counts.
    ///
    ///     let names: [String] = try connection.withDeadline(.seconds(2)) {
    ///         try connection.query("SELECT name FROM cars")
    ///     }
    ///
    /// The busy timeout does not change. A `PRAGMA busy_timeout` in the closure makes waits for locks ignore the deadline.
    ///
    /// SQLite rolls back the transaction when it interrupts a statement that writes. `transaction` and `savepoint`
    /// always roll back theirs, even after the deadline.
    ///
    /// - Throws: The closure's error; ``SQLiteError``, `SQLITE_INTERRUPT` (9).
    public func withDeadline<Result>(_ duration: Duration, _ body: () throws -> Result) throws -> Result {
        try withDeadline(at: Deadline(after: duration), body)
    }
}

import SquallSQLite

extension Connection {
    /// What a progress handler says.
    public enum ProgressResult: Hashable, Sendable {
        case proceed
        /// Ends the statement with code 9.
        case interrupt
    }

    /// Asks a closure from time to time while a statement runs, or stops asking with `nil`. A time limit and deadlines go on
    /// beside it.
    ///
    /// - Parameters:
    ///   - instructions: How many instructions of SQLite's machine to carry out between two questions, over a thousand
    ///     rounded up to thousands; 1000 take some microseconds.
    ///   - handler: It cannot use the connection: what it tries throws. It can set or remove the handler. The connection keeps
    ///     it: capture the connection `weak` or `unowned` in it.
    /// - Throws: ``SQLiteError`` when the connection is closed.
    public func progressHandler(every instructions: Int = 1000, _ handler: (() -> ProgressResult)?) throws {
        if isClosed { throw closedError() }
        interruption.setProgressHandler(
            of: self, interval: Int32(clamping: instructions), handler.map { handler in { handler() == .interrupt } }
        )
    }

    /// Runs a closure whose statements must be done when a time has passed: one that runs then, or waits for a lock, ends with
    /// code 9, and so does every one that is to begin afterwards. Deadlines nest; the first to pass counts.
    ///
    ///     let names: [String] = try connection.withDeadline(.seconds(2)) {
    ///         try connection.query("SELECT name FROM cars")
    ///     }
    ///
    /// The busy timeout is as before; a `PRAGMA busy_timeout` in the closure takes the waiting for locks out of the deadline's
    /// reach.
    ///
    /// SQLite rolls a transaction back when it interrupts a statement that writes; `transaction` and `savepoint` roll theirs
    /// back in any case, also after the deadline.
    ///
    /// - Throws: What the closure throws; ``SQLiteError``, code 9.
    public func withDeadline<Result>(_ duration: Duration, _ body: () throws -> Result) throws -> Result {
        try withDeadline(at: .now + duration, body)
    }
}

extension Database {
    /// Runs a closure with a reader, in one snapshot, as `database.blocking.read` does.
    ///
    /// - Parameter closure: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error, and `SQLiteError` as `Database.read(deadline:_:)`.
    @available(*, noasync, message: "blocks a thread that tasks share: use 'read'")
    @discardableResult
    public func executeRead<Result>(closure: (Connection) throws -> Result) throws -> Result {
        try blocking.read(closure)
    }

    /// Runs a closure with the writer, without a transaction around it, as `database.blocking.writeWithoutTransaction`
    /// does.
    ///
    /// - Parameter closure: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error, and `SQLiteError` as `Database.writeWithoutTransaction(deadline:_:)`.
    @available(*, noasync, message: "blocks a thread that tasks share: use 'write', or 'writeWithoutTransaction'")
    @discardableResult
    public func executeWrite<Result>(closure: (Connection) throws -> Result) throws -> Result {
        try blocking.writeWithoutTransaction(closure)
    }
}

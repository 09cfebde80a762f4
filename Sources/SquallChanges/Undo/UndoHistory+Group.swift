import Squall

extension UndoHistory {
    /// Runs a closure in a transaction that is one step with a name: `BEGIN IMMEDIATE TRANSACTION`, the closure,
    /// `COMMIT TRANSACTION`; or `ROLLBACK` when the closure throws or the commit fails.
    ///
    ///     try await history.write("Import") { connection in
    ///         for car in cars { try connection.run("INSERT INTO cars(name) VALUES(\(car))") }
    ///     }
    ///     history.undoName        // "Import"
    ///
    /// A closure that changes none of the tables makes no step.
    ///
    /// - Parameters:
    ///   - name: The name of the step, for instance for a menu.
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    ///   - body: Runs outside the threads that tasks share. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error; `CancellationError`; `SQLiteError`, with an ``UndoProblem``, inside a write that
    ///   began before the history was made; as `Database.write(deadline:isolated:_:)`.
    @discardableResult
    public nonisolated(nonsending) func write<Result: Sendable>(
        _ name: String, deadline: Duration? = nil, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await database.write(deadline: deadline, isolated: true) { try named(name, on: $0, body) }
    }

    fileprivate func named<Result>(
        _ name: String, on connection: Connection, _ body: (Connection) throws -> Result
    ) throws -> Result {
        let recording = try recording(on: connection)
        let result = try body(connection)
        recording.action = .record(name: name)
        return result
    }
}

extension UndoHistory.Blocking {
    /// Runs a closure in a transaction that is one step with a name as ``UndoHistory/write(_:deadline:_:)`` does.
    ///
    /// Inside a transaction of the same thread, it is a savepoint, and the whole transaction is one step. The closure that ends
    /// last gives it its name.
    ///
    /// - Parameters:
    ///   - name: The name of the step, for instance for a menu.
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    ///   - body: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error; `SQLiteError` as ``UndoHistory/write(_:deadline:_:)``.
    @discardableResult
    public func write<Result>(
        _ name: String, deadline: Duration? = nil, _ body: (Connection) throws -> Result
    ) throws -> Result {
        try history.database.blocking.write(deadline: deadline, isolated: true) {
            try history.named(name, on: $0, body)
        }
    }
}

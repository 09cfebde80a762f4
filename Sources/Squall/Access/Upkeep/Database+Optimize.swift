extension Database {
    /// Updates the statistics by which SQLite chooses among indexes, for the tables where they are missing or old; see
    /// ``Connection/optimize(databaseNamed:)``. Writes wait; reads continue, and use the new statistics from the next read on.
    ///
    ///     try database.executeOptimize()
    ///
    /// Blocks the calling thread, and does not compile in asynchronous code: use ``optimize(deadline:)`` there.
    ///
    /// - Parameter deadline: The maximum duration of the call, including waits; `nil` for no limit. A table that is being analysed is
    ///   finished first.
    /// - Returns: The statements that were run, such as `ANALYZE "main"."cars"`.
    /// - Throws: ``SQLiteError`` as ``Connection/optimize(databaseNamed:)`` and ``executeWrite(deadline:closure:)``.
    @available(*, noasync, message: "blocks a thread that tasks share: use 'optimize'")
    @discardableResult
    public func executeOptimize(deadline: Duration? = nil) throws -> [String] {
        try executeWrite(deadline: deadline) { try $0.optimize() }
    }

    /// Updates the statistics as ``executeOptimize(deadline:)`` does, without blocking the thread.
    ///
    ///     try await database.optimize()
    ///
    /// - Parameter deadline: The maximum duration of the call, including waits; `nil` for no limit. A table that is being analysed is
    ///   finished first.
    /// - Returns: The statements that were run, such as `ANALYZE "main"."cars"`.
    /// - Throws: `CancellationError`, and ``SQLiteError`` as ``executeOptimize(deadline:)``.
    @discardableResult
    public nonisolated(nonsending) func optimize(deadline: Duration? = nil) async throws -> [String] {
        try await writeWithoutTransaction(as: .optimize, deadline) { try $0.optimize() }
    }
}

extension Database {
    /// Updates the statistics by which SQLite chooses among indexes, for the tables where they are missing or old; see
    /// ``Connection/optimize(databaseNamed:)``. Writes wait; reads continue, and use the new statistics from the next read on.
    ///
    ///     try await database.optimize()
    ///
    /// - Parameter deadline: The maximum duration of the call, including waits; `nil` for no limit. A table that is being analysed is
    ///   finished first.
    /// - Returns: The statements that were run, such as `ANALYZE "main"."cars"`.
    /// - Throws: `CancellationError`, and ``SQLiteError`` as ``Connection/optimize(databaseNamed:)`` and
    ///   ``writeWithoutTransaction(deadline:_:)``.
    @discardableResult
    public nonisolated(nonsending) func optimize(deadline: Duration? = nil) async throws -> [String] {
        try await writeWithoutTransaction(as: .optimize, deadline) { try $0.optimize() }
    }
}

extension Database.Blocking {
    /// Updates the statistics as ``Database/optimize(deadline:)`` does.
    ///
    /// - Parameter deadline: The maximum duration of the call, including waits; `nil` for no limit.
    /// - Returns: The statements that were run, such as `ANALYZE "main"."cars"`.
    /// - Throws: ``SQLiteError`` as ``Database/optimize(deadline:)``.
    @discardableResult
    public func optimize(deadline: Duration? = nil) throws -> [String] {
        try writeWithoutTransaction(deadline: deadline) { try $0.optimize() }
    }
}

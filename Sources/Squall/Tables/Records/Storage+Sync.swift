extension Storage {
    /// Brings the file to the tables of the storage, and returns what became of each: SQLiteORM's `syncSchema`, without losing
    /// rows that nobody said could go. Tables that the storage does not have are left alone.
    ///
    ///     try storage.sync(preserve: true)      // ["users": .newColumnsAdded]
    ///
    /// Columns that are not declared are removed, with the rows kept, whatever `preserve` says. Everything happens in one
    /// transaction.
    ///
    /// - Parameter preserve: Whether a table that cannot be changed with its rows is an error, which names the cures; otherwise
    ///   it is dropped and created anew.
    /// - Throws: ``SchemaError``, ``SQLiteError``.
    @discardableResult
    public func sync(preserve: Bool = true) throws -> [String: SyncOutcome] {
        let definitions = try tables.map { try $0.checkedDefinition() }
        return try database.executeWrite { try $0.sync(definitions, preserve: preserve) }
    }
}

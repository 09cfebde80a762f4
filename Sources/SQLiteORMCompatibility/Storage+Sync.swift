import Squall

extension Storage {
    /// Brings the file to the tables of the storage, and returns the outcome for each. It is SQLiteORM's `syncSchema`, but loses
    /// no rows unless `preserve` is `false`. Tables that the storage does not have are left as they are.
    ///
    ///     try storage.sync(preserve: true)      // ["users": .newColumnsAdded]
    ///
    /// Columns that are not declared are removed, with the rows kept, whatever `preserve` says. Everything happens in one
    /// transaction.
    ///
    /// - Parameter preserve: Whether a table that cannot be changed with its rows is an error, which names the remedies; otherwise
    ///   it is dropped and created again.
    /// - Throws: ``SchemaError``, ``SQLiteError``.
    @discardableResult
    public func sync(preserve: Bool = true) throws -> [String: SyncOutcome] {
        let definitions = try tables.map { try $0.checkedDefinition() }
        return try database.blocking.writeWithoutTransaction { try $0.sync(definitions, preserve: preserve) }
    }
}

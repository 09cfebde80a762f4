extension Connection {
    /// Compares the file with the given tables, and returns the changes that make the file match them. Only reads: the
    /// definitions, and the rows of changed tables, to find values that would be lost and rows that the new table refuses.
    ///
    /// - Throws: ``SchemaError/invalid(_:)`` for a text that contains more than its part of the definition, for a foreign
    ///   key to a table that is neither declared nor in the file, and for the name of a virtual table;
    ///   ``SchemaError/alreadyExists(_:)`` for the name of a view; ``SQLiteError``.
    public func plan(toMatch tables: [TableDefinition]) throws -> SchemaPlan {
        // A single snapshot, so that the definitions and the counts belong together.
        if isInTransaction { return try SchemaPlanner(self).plan(toMatch: tables) }
        return try transaction(transactionType: .deferred) { try SchemaPlanner(self).plan(toMatch: tables) }
    }
}

extension Connection {
    /// Makes the file match the given tables, by applying a plan (``plan(toMatch:)-([TableDefinition])``). The rules are
    /// SQLiteORM's, except that rows are lost only where the caller has allowed it.
    ///
    /// | in the file | `preserve: true` | `preserve: false` |
    /// |---|---|---|
    /// | the table is missing | created | created |
    /// | it has undeclared columns | removed, rows kept | removed, rows kept |
    /// | declared columns are missing | added, rows kept | added, rows kept |
    /// | the rows prevent adding or changing columns | throws, with the cures | dropped and created again |
    ///
    /// - Returns: The outcome for each table, by its name.
    /// - Throws: ``SchemaError/losses(_:)`` and ``SchemaError/obstacles(_:)`` before anything is changed;
    ///   ``SchemaError/insideTransaction``; ``SQLiteError``.
    @discardableResult
    public func sync(_ tables: [TableDefinition], preserve: Bool = true) throws -> [String: SyncOutcome] {
        try plan(toMatch: tables).apply(allowing: preserve ? .columns : [.columns, .tables, .conversions])
    }
}

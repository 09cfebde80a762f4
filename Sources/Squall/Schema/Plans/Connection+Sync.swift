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

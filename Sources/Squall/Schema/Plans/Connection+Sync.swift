extension Connection {
    /// Brings the file to these tables, by SQLiteORM's rules but without losing rows that nobody said could go: a plan
    /// (``plan(toMatch:)-([TableDefinition])``) that is applied.
    ///
    /// | in the file | `preserve: true` | `preserve: false` |
    /// |---|---|---|
    /// | no such table | created | created |
    /// | columns that are not declared | removed, rows kept | removed, rows kept |
    /// | declared columns are missing | added, rows kept | added, rows kept |
    /// | they cannot be added, or changed, with the rows | throws, with the cures | dropped and created anew |
    ///
    /// - Returns: What became of each table, by its name.
    /// - Throws: As ``SchemaPlan/apply(allowing:)``.
    @discardableResult
    public func sync(_ tables: [TableDefinition], preserve: Bool = true) throws -> [String: SyncOutcome] {
        try plan(toMatch: tables).apply(allowing: preserve ? .columns : [.columns, .tables, .conversions])
    }
}

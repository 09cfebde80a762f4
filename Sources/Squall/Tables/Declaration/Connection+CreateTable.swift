extension Connection {
    /// Creates a declared table with its indexes: `CREATE TABLE "users"(…)`, `CREATE INDEX …`.
    ///
    ///     try connection.create(User.table)
    ///
    /// - Parameter ifNotExists: Leaves a table alone that is there already, whatever its columns, and likewise indexes.
    /// - Throws: ``SQLiteError``: for a table that is there already, or that is declared wrongly.
    public func create(_ table: some RecordTable, ifNotExists: Bool = false) throws {
        try table.core.check()
        let definition = table.core.definition
        try savepoint(named: "squall_create") {
            try run(definition.sql(ifNotExists: ifNotExists))
            for index in definition.indexes { try run(index.sql(ifNotExists: ifNotExists)) }
        }
    }
}

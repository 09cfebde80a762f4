extension Connection {
    /// Creates a declared table with its indexes: `CREATE TABLE "users"(…)`, `CREATE INDEX main.…`.
    ///
    ///     try connection.create(User.table)
    ///
    /// - Parameters:
    ///   - table: The declared table.
    ///   - ifNotExists: Whether an existing table and existing indexes are left as they are, whatever their columns.
    /// - Throws: ``SQLiteError``, also for an existing table and for a wrong declaration.
    public func create(_ table: some RecordTable, ifNotExists: Bool = false) throws {
        try table.core.check()
        let definition = table.core.definition
        try savepoint(named: "squall_create") {
            try run(definition.sql(ifNotExists: ifNotExists))
            for index in definition.indexes { try run(index.sql(ifNotExists: ifNotExists, in: "main")) }
        }
    }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "write the table: `create(Author.table)`")
    public func create<Record: TableRecord>(_ type: Record.Type, ifNotExists: Bool = false) throws {
        throw SQLiteError.unavailableError
    }
}

extension Connection {
    /// Returns the changes that bring the file to declared tables. It only reads the file.
    ///
    ///     let plan = try connection.plan(toMatch: User.table, points)
    ///     print(plan.changes, plan.losses)
    ///     try plan.apply()
    ///
    /// - Throws: ``SQLiteError``, also for a wrong declaration.
    public func plan<each T: RecordTable>(toMatch tables: repeat each T) throws -> SchemaPlan {
        var definitions: [TableDefinition] = []
        for table in repeat each tables { definitions.append(try table.checkedDefinition()) }
        return try plan(toMatch: definitions)
    }
}

extension Schema {
    /// Returns the difference between the history and declared tables: the steps that the history lacks.
    ///
    ///     let drift = try schema.drift(from: User.table, points)
    ///     print(drift)
    ///     // AlterTable("users") { AddColumn("age", sql: "INTEGER NOT NULL DEFAULT 0") }
    ///
    /// The versions run in memory.
    ///
    /// - Parameters:
    ///   - tables: The declared tables.
    ///   - configuration: The configuration of the database that the schema is for.
    ///   - preparation: Is called with the connection before the first version, to add the functions and collations that
    ///     the versions use.
    /// - Throws: ``SQLiteError``, ``SchemaError``, and what a closure throws, when the versions cannot be run.
    public func drift<each T: RecordTable>(
        from tables: repeat each T, configuration: Configuration = .recommended,
        preparation: (Connection) throws -> Void = { _ in }
    ) throws -> SchemaDrift {
        var definitions: [TableDefinition] = []
        for table in repeat each tables { definitions.append(try table.checkedDefinition()) }
        return try drift(from: definitions, configuration: configuration, preparation: preparation)
    }
}

extension Connection {
    /// What brings the file to declared tables. Only reads.
    ///
    ///     let plan = try connection.plan(toMatch: User.table, points)
    ///     print(plan.changes, plan.losses)
    ///     try plan.apply()
    ///
    /// - Throws: ``SQLiteError``, also for a table that is declared wrongly.
    public func plan<each T: RecordTable>(toMatch tables: repeat each T) throws -> SchemaPlan {
        var definitions: [TableDefinition] = []
        for table in repeat each tables { definitions.append(try table.checkedDefinition()) }
        return try plan(toMatch: definitions)
    }
}

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

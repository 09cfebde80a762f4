extension Connection {
    /// Compares the file with these tables, and returns the changes that bring it to them. Only reads: the definitions, and the
    /// rows of the tables that change, to find values that would be lost and rows that the new table refuses.
    ///
    /// - Throws: ``SchemaError/invalid(_:)`` for a text that is more than its part of the definition, a foreign key to a table
    ///   that is neither declared nor in the file, and the name of a virtual table;
    ///   ``SchemaError/alreadyExists(_:)`` for one with the name of a view; ``SQLiteError``.
    public func plan(toMatch tables: [TableDefinition]) throws -> SchemaPlan {
        // One snapshot: the definitions and the counts belong together.
        if isInTransaction { return try SchemaPlanner(self).plan(toMatch: tables) }
        return try transaction { try SchemaPlanner(self).plan(toMatch: tables) }
    }
}

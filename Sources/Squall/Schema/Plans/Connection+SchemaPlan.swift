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
        return try transaction { try SchemaPlanner(self).plan(toMatch: tables) }
    }
}

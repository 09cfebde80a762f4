import SquallSQLite

extension Connection {
    /// Throws unless the database has the tables and columns that the program's SQL uses.
    ///
    ///     try connection.require(schema)
    ///     let prices: [Int] = try connection.query("SELECT price FROM cars")
    ///
    /// The first call reads the columns of the expected tables. Names are resolved as in SQL: a temporary table hides a table of the
    /// file, which hides one of an attached database. A column fits if its type has the same affinity, or either has no type. Other
    /// tables, other columns, and a column that is NOT NULL without need do not matter. In views and virtual tables, only the names of
    /// the columns are compared.
    ///
    /// A later call takes 3 ns. After the connection has compiled a statement, also one that SQLite compiles again because the schema
    /// was changed, the next call compares the version of the schema, and reads the columns again if it differs. A mismatch is not
    /// remembered.
    ///
    /// Authorizers and trace observers do not notice the check. Another connection may change the schema between this call and a
    /// query; see ``require(_:while:)``.
    ///
    /// - Throws: ``SchemaMismatch``; ``SQLiteError`` when the connection is closed or the database cannot be read.
    public func require(_ schema: ExpectedSchema) throws {
        // 20 instructions. With them, a look-up by key in a transaction takes 1.01× (2026-11-26).
        if schemaFits.isCurrent(schema), openHandle != nil, access != .returned { return }
        try checkMayRead()
        try check(schema)
    }

    /// Runs a closure whose SQL uses a schema, and throws if another connection has changed the schema before it ran.
    ///
    ///     let prices: [Int] = try connection.require(schema) {
    ///         try connection.query("SELECT price FROM cars")
    ///     }
    ///
    /// Without the closure, a query after a change can return wrong values: SQLite may find the name of a renamed column in an outer
    /// query, or take it for a text where it has double quotes. This method therefore calls ``require(_:)`` again if the closure has
    /// compiled a statement, and throws instead of returning the result. An error of the closure is replaced if the schema is its
    /// reason.
    ///
    /// Let SQL that writes run in a transaction, which the error rolls back. A closure that passes rows on while it reads them calls
    /// ``require(_:)`` for each row. Only in a transaction is it noticed if the schema was changed and changed back.
    ///
    /// - Throws: ``SchemaMismatch``; ``SQLiteError`` when the connection is closed or the database cannot be read; the error of the
    ///   closure.
    @inlinable
    public func require<Result>(_ schema: ExpectedSchema, while body: () throws -> Result) throws -> Result {
        try require(schema)
        let result: Result
        do { result = try body() } catch { throw mismatch(with: schema) ?? error }
        try requireStill(schema)
        return result
    }
}

extension Connection {
    /// Makes the checks that a statement makes before it runs.
    private func checkMayRead() throws {
        try checkIsUsable()
        guard let handle else { throw closedError() }
        try checkTransaction(handle, sql: nil)
        if interruption.isActive { try checkInterruption(sql: nil) }
    }

    /// Checks a schema after the work that needs it. A deadline that has passed in the meantime does not matter.
    @usableFromInline
    func requireStill(_ schema: ExpectedSchema) throws {
        if !schemaFits.isCurrent(schema) { try check(schema) }
    }

    /// Returns the mismatch because of which the work may have failed.
    @usableFromInline
    func mismatch(with schema: ExpectedSchema) -> SchemaMismatch? {
        do { try requireStill(schema) } catch { return error as? SchemaMismatch }
        return nil
    }

    private func check(_ schema: ExpectedSchema) throws {
        if schemaFits.select(schema) { return }
        try duringCall { try compare(schema) }
    }

    private func compare(_ schema: ExpectedSchema) throws {
        let versions = try schemaVersions()
        if !isWriting { schemaFits.didEndTransaction() }
        schemaFits.confirm(versions)
        if schemaFits.select(schema) { return }
        let found = try schema.tables.flatMap(SchemaComparison(self).differences)
        guard found.isEmpty else {
            throw SchemaMismatch(
                differences: found, expectedSQLiteVersion: schema.sqliteVersion,
                sqliteVersion: String(cString: sqlite3_libversion()))
        }
        schemaFits.insert(schema, versions)
    }

    /// The versions of all databases of the connection, in the order in which SQLite resolves names.
    private func schemaVersions() throws -> [SchemaFits.Version] {
        try databases().map { database in
            var cookie = 0
            try forEachRowInternally("PRAGMA \(name: database.name).schema_version") { cookie = $0.int(0) }
            return SchemaFits.Version(database: database.name, file: database.file, cookie: cookie)
        }
    }
}

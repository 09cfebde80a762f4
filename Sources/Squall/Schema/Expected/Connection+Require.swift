import SquallSQLite

extension Connection {
    /// Throws unless the database has the tables and columns that the program's SQL uses.
    ///
    ///     try connection.require(schema)
    ///     let prices: [Int] = try connection.query("SELECT price FROM cars")
    ///
    /// The first call reads the columns of the expected tables. Names are resolved as in SQL: a temporary table hides a table of the
    /// database, and a table of an attached database is found last. Later calls take about a nanosecond. After a statement was compiled,
    /// also one that SQLite has compiled again because the schema was changed, the next call compares the version of the schema, and
    /// reads the columns again if it differs.
    ///
    /// A column fits if its type has the same affinity, or either has no type. Additional tables and columns, and columns that are NOT
    /// NULL without need, do not matter. Only the names of the columns are compared for views and virtual tables. Authorizers and
    /// trace observers are not called.
    ///
    /// The schema may change between this call and the query. ``require(_:while:)`` excludes that.
    ///
    /// - Throws: ``SchemaMismatch``; ``SQLiteError`` when the connection is closed or the database cannot be read.
    public func require(_ schema: ExpectedSchema) throws {
        if schemaFits.isCurrent(schema), openHandle != nil, access != .returned { return }
        try checkMayRead()
        try check(schema)
    }

    /// Runs a closure whose SQL uses a schema, and throws if it was not the schema of the database.
    ///
    ///     let prices: [Int] = try connection.require(schema) {
    ///         try connection.query("SELECT price FROM cars")
    ///     }
    ///
    /// Calls ``require(_:)`` before the closure and, if a statement was compiled in it, afterwards. A result that SQLite has computed
    /// with another schema is therefore never returned: when a column has been renamed, its name may be found in another table of the
    /// query. An error of the closure for which the schema is the reason is replaced by ``SchemaMismatch``.
    ///
    /// SQL that writes must run in a transaction, which is rolled back when this throws. A closure that passes rows on before it returns
    /// calls ``require(_:)`` for each of them.
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
        defer { if callbacks.pointee.isConnectionClosed { finishClosing() } }
        let versions = try schemaVersions()
        if !isWriting { schemaFits.didEndTransaction() }
        schemaFits.confirm(versions)
        if schemaFits.select(schema) { return }
        let found = try schema.tables.flatMap { try differences(from: $0) }
        guard found.isEmpty else {
            throw SchemaMismatch(
                differences: found, expectedSQLiteVersion: schema.sqliteVersion,
                sqliteVersion: String(cString: sqlite3_libversion()))
        }
        schemaFits.insert(schema, versions)
    }

    /// The versions of all databases of the connection, in the order in which SQLite resolves names.
    private func schemaVersions() throws -> [SchemaFits.Version] {
        var databases: [(name: String, file: String)] = []
        try forEachRowOfSchema("PRAGMA database_list") {
            databases.append(($0.text(1), $0.text(2)))
        }
        return try databases.map { database in
            var cookie = 0
            try forEachRowOfSchema("PRAGMA \(name: database.name).schema_version") {
                cookie = Int(sqlite3_column_int64($0, 0))
            }
            return SchemaFits.Version(database: database.name, file: database.file, cookie: cookie)
        }
    }
}

// A query for tuples must have one column for each type.

extension Statement {
    /// Throws unless the statement has this number of columns.
    @inlinable
    func requireColumns(_ count: Int) throws {
        if columnCount != count { try requireColumnsOfFile(count) }
    }

    /// Throws unless the first row has this number of columns: SQLite may have prepared the statement again for its first step.
    @inlinable
    func requireColumns(_ count: Int, in row: Row) throws {
        if row.columnCount != count { throw columnCountError(expected: count, found: row.columnCount) }
    }

    /// Throws unless the SQL has this number of columns now. It is prepared again for that: SQLite prepares a cached `SELECT *`
    /// of an altered table again only for its first step, and only then notices that another connection has altered it.
    @usableFromInline
    func requireColumnsOfFile(_ count: Int) throws {
        // A file that is locked keeps the schema that SQLite has read.
        for database in try connection.databases() { try? connection.hiddenCatalog(of: database.name).readChanges() }
        let current = try Statement(connection: connection, sql: SQL(raw: sql))
        let found = current.columnCount
        if found != count { throw current.columnCountError(expected: count, found: found) }
    }

    @usableFromInline
    func columnCountError(expected: Int, found: Int) -> SQLiteError {
        .misuse(
            .columnCount(expected: expected, found: found), sql: sql,
            hint: "the columns are \(columnNames.joined(separator: ", "))"
        )
    }
}

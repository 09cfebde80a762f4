extension Statement {
    /// Runs the statement and returns all rows as tuples.
    @inlinable
    func tuples<each Value: FunctionArgument>(_ types: (repeat each Value).Type) throws -> [(repeat each Value)] {
        try reset()
        var count = 0
        for _ in repeat (each Value).self { count += 1 }
        try requireColumns(count)
        let columns = count
        var elements: [(repeat each Value)] = []
        try forEachRow { row in
            if elements.isEmpty { try requireColumns(columns, in: row) }
            var reader = TupleReader(row)
            defer { withExtendedLifetime(row.storage) {} }
            elements.append((repeat try reader.next((each Value).self)))
        }
        return elements
    }

    /// Runs the statement and returns the first row as a tuple; `nil` when there is none.
    @inlinable
    func firstTuple<each Value: FunctionArgument>(_ types: (repeat each Value).Type) throws -> (repeat each Value)? {
        try reset()
        defer { rewind() }
        var count = 0
        for _ in repeat (each Value).self { count += 1 }
        try requireColumns(count)
        guard let row = try nextRow() else { return nil }
        try requireColumns(count, in: row)
        var reader = TupleReader(row)
        defer { withExtendedLifetime(row.storage) {} }
        return (repeat try reader.next((each Value).self))
    }

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
    /// of an altered table again only for its first step.
    @usableFromInline
    func requireColumnsOfFile(_ count: Int) throws {
        let found = try Statement(connection: connection, sql: SQL(raw: sql)).columnCount
        if found != count { throw columnCountError(expected: count, found: found) }
    }

    @usableFromInline
    func columnCountError(expected: Int, found: Int) -> SQLiteError {
        .misuse(
            .columnCount(expected: expected, found: found), sql: sql,
            hint: "the columns are \(columnNames.joined(separator: ", "))"
        )
    }
}

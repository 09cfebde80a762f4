extension Connection {
    /// Returns all rows of a query.
    ///
    ///     let page = try connection.all(
    ///         User.where { $0.age > 17 }.order { $0.name.ascending }.limit(20, offset: 40))
    ///     let titles = try connection.all(
    ///         User.join(Post.self) { $0.id == $1.author }.select { ($0.name, $1.title) })
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit.
    @inlinable
    public func all<Output>(_ query: some Selection<Output>) throws -> [Output] {
        try all(query.select) { _ in }
    }

    /// Returns all rows of a query, and calls a function with each.
    @inlinable
    @inline(__always)
    func all<Output>(_ select: Select<Output>, forEachRow: (Row) -> Void) throws -> [Output] {
        try withStatement(select.sql) { statement in
            var result: [Output] = []
            if select.statement.expectedCount > 0 { result.reserveCapacity(select.statement.expectedCount) }
            if case .record(let reader) = select.reader.reading {
                // A local reader is not retained for each row.
                try statement.forEachRow { row in
                    forEachRow(row)
                    result.append(try reader.read(row))
                }
            } else {
                try statement.forEachRow { row in
                    forEachRow(row)
                    result.append(try select.reader.read(row))
                }
            }
            return result
        }
    }

    /// Returns all records, or those that meet a condition: `SELECT … FROM "users" WHERE …`.
    ///
    ///     let adults = try connection.all(User.self) { $0.age > 17 && $0.name == "Ada" }
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    @inlinable
    public func all<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> [Record] {
        try table(Record.table).all(where: condition)
    }
}

extension Connection.TableAccess {
    /// Returns all records, or those that meet a condition: `SELECT … FROM "points" WHERE …`.
    ///
    ///     let right = try connection.table(points).all { $0.x > 3 }
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    @inlinable
    public func all(where condition: ((Columns<Record>) -> Condition)? = nil) throws -> [Record] {
        try connection.withStatement(try core.select(where: condition)) { try $0.readAll(core.reader) }
    }
}

extension TableCore {
    /// Returns `SELECT … FROM "users" WHERE …`
    @usableFromInline
    package func select(where condition: ((Columns<Record>) -> Condition)?) throws -> SQL {
        try check()
        guard let condition else { return selectSQL }
        return selectWhereSQL + inScope(condition).sql
    }
}

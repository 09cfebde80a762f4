// Reading a table by its name. Names are quoted, and conditions are `SQL`.

extension SQL {
    /// Returns `SELECT "contacts"."name" FROM "contacts" WHERE … GROUP BY … HAVING … ORDER BY … LIMIT ? OFFSET ?`
    ///
    /// The columns go with their table: SQLite may take a name in quotes that no column has for text, but not `"a"."b"`.
    static func select(
        _ columns: [String], from table: String, where condition: SQL?, groupBy: SQL?, having: SQL?, orderBy: SQL?,
        limit: Int?, offset: Int?
    ) -> SQL {
        let list = columns.map { "\(name: table).\(name: $0)" as SQL }.joined(separator: ", ")
        return "SELECT \(columns.isEmpty ? "*" : list) FROM \(name: table)" + clause(" WHERE ", condition)
            + clause(" GROUP BY ", groupBy) + clause(" HAVING ", having) + clause(" ORDER BY ", orderBy)
            + self.limit(limit, offset: offset)
    }
}

extension Connection {
    /// Returns the results of a closure for the rows: `SELECT "contacts"."name" FROM "contacts" WHERE … ORDER BY … LIMIT ?`.
    ///
    ///     let names = try connection.select(
    ///         "name", from: "contacts", where: "age >= \(least)", orderBy: "name", limit: 10
    ///     ) { try $0.get("name", as: String.self) }
    ///
    /// - Parameters:
    ///   - columns: The names of the columns; all of them when they are left out.
    ///   - table: The name of the table.
    ///   - condition: The rows to read; `nil` for all rows.
    ///   - groupBy: The expressions by which rows are grouped.
    ///   - having: The condition for a group.
    ///   - orderBy: The expressions by which rows are sorted.
    ///   - limit: The maximum number of rows; `nil` for no limit. A negative number throws.
    ///   - offset: The number of rows to leave out first.
    ///   - body: The closure, which is called with each row.
    /// - Throws: ``SQLiteError``, and what the closure throws, which ends the query.
    public func select<T>(
        _ columns: String..., from table: String, where condition: SQL? = nil, groupBy: SQL? = nil,
        having: SQL? = nil, orderBy: SQL? = nil, limit: Int? = nil, offset: Int? = nil, body: (Row) throws -> T
    ) throws -> [T] {
        let sql = SQL.select(
            columns, from: table, where: condition, groupBy: groupBy, having: having, orderBy: orderBy,
            limit: limit, offset: offset
        )
        return try query(sql, body: body)
    }

    /// Returns the first row as `T` or `T?`, or all rows as `[T]`: an ``ExpressibleByRow``, or the values of the first column.
    ///
    ///     let contacts: [Contact] = try connection.select(
    ///         from: "contacts", where: "name IS NOT NULL")
    ///     let names: [String] = try connection.select("name", from: "contacts")
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func select<Result: QueryResult>(
        _ columns: String..., from table: String, where condition: SQL? = nil, groupBy: SQL? = nil,
        having: SQL? = nil, orderBy: SQL? = nil, limit: Int? = nil, offset: Int? = nil
    ) throws -> Result {
        let sql = SQL.select(
            columns, from: table, where: condition, groupBy: groupBy, having: having, orderBy: orderBy,
            limit: limit, offset: offset
        )
        return try query(sql)
    }

    /// Returns the first row as a `Decodable` (`T` or `T?`), or all rows (`[T]`), by the names of the columns.
    ///
    ///     struct Contact: Decodable { let name: String; let email: String? }
    ///     let all: [Contact] = try connection.select(from: "contacts")
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for no row, a missing column, NULL, or a value that does not fit.
    @_disfavoredOverload
    public func select<T: Decodable>(
        _ columns: String..., from table: String, where condition: SQL? = nil, groupBy: SQL? = nil,
        having: SQL? = nil, orderBy: SQL? = nil, limit: Int? = nil, offset: Int? = nil
    ) throws -> T {
        let sql = SQL.select(
            columns, from: table, where: condition, groupBy: groupBy, having: having, orderBy: orderBy,
            limit: limit, offset: offset
        )
        return try query(sql)
    }

    /// The rowids of the rows: `SELECT rowid FROM "contacts" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``.
    public func selectIDs(
        from table: String, where condition: SQL? = nil, orderBy: SQL? = nil, limit: Int? = nil, offset: Int? = nil
    ) throws -> [Int64] {
        let rows = SQL.clause(" WHERE ", condition) + SQL.clause(" ORDER BY ", orderBy)
        return try query("SELECT rowid FROM \(name: table)\(rows)\(SQL.limit(limit, offset: offset))")
    }

    /// The number of rows: `SELECT count(*) FROM "contacts" WHERE …`.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - column: The column that must not be NULL in a counted row; `nil` counts all rows.
    ///   - condition: The rows to count; `nil` for all rows.
    /// - Throws: ``SQLiteError``.
    public func count(_ table: String, column: String? = nil, where condition: SQL? = nil) throws -> Int {
        let counted: SQL = column.map { "\(name: table).\(name: $0)" } ?? "*"
        return try query("SELECT count(\(counted)) FROM \(name: table)\(SQL.clause(" WHERE ", condition))")
    }
}

/// The shapes in which a query returns its rows: `T?` for the first of them, `[T]` and `Set<T>` for all, and `[Key: Value]` for
/// pairs of two columns.
///
/// It is not for other types to conform to: the statement is the cache's, and must not be kept.
public protocol QueryResult {
    /// Steps a statement and makes the result of its rows.
    static func result(of statement: Statement) throws -> Self
}

extension Optional: QueryResult where Wrapped: Fetchable {
    /// The next row, or `nil` when there is none or its value is NULL.
    @inlinable
    public static func result(of statement: Statement) throws -> Wrapped? {
        guard let row = try statement.nextRow() else { return nil }
        return try Wrapped.fetch(from: row)
    }
}

extension Array: QueryResult where Element: Fetchable {
    /// All rows that are left, but for those whose value is NULL.
    @inlinable
    public static func result(of statement: Statement) throws -> [Element] {
        var elements: [Element] = []
        try statement.forEachRow { row in
            if let element = try Element.fetch(from: row) { elements.append(element) }
        }
        return elements
    }
}

extension Set: QueryResult where Element: Fetchable {
    /// All rows that are left, but for those whose value is NULL.
    @inlinable
    public static func result(of statement: Statement) throws -> Set<Element> {
        var elements: Set<Element> = []
        try statement.forEachRow { row in
            if let element = try Element.fetch(from: row) { elements.insert(element) }
        }
        return elements
    }
}

extension Dictionary: QueryResult where Key: ColumnReadable, Value: FunctionArgument {
    /// All rows that are left: the first column is the key, the second the value. Of equal keys the last wins.
    ///
    /// - Throws: ``ConversionError`` for NULL where it has no place, and for a value that does not fit; ``SQLiteError`` when
    ///   there are not two columns.
    public static func result(of statement: Statement) throws -> [Key: Value] {
        guard statement.columnCount == 2 else {
            throw SQLiteError.misuse(
                .unsuitableResult(
                    "\(Self.self) is made of two columns, a key and a value, and the query has \(statement.columnCount)"
                ),
                sql: statement.sql,
                hint: statement.pairsHint
            )
        }
        var elements: [Key: Value] = [:]
        try statement.forEachRow { row in
            elements.updateValue(try row.element(at: 1), forKey: try row.element(at: 0))
        }
        return elements
    }
}

extension Row {
    /// The value of a column; `nil` for NULL in an optional.
    fileprivate func element<T: FunctionArgument>(at index: Int, as type: T.Type = T.self) throws -> T {
        let layout = storage.layout
        guard let value = sqliteValue(at: index), layout.names.indices.contains(index) else {
            throw ConversionError(.noSuchColumn, expected: "\(type)", columnIndex: index, sql: layout.sql)
        }
        do {
            return try T.fromArgument(value)
        } catch {
            throw ConversionError(
                error.reason, columnIndex: index, columnName: layout.names[index], tableName: nil, sql: layout.sql
            )
        }
    }
}

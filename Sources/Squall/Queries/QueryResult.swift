/// The shapes in which a query returns its rows: `T?` for the first of them, `[T]` for all.
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

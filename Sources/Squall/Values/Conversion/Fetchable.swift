/// A type that one row of a query can become: an ``Extractable`` from its first column, or an ``ExpressibleByRow`` from
/// all columns.
///
/// Conform to one of those two protocols; both inherit from this one.
public protocol Fetchable: QueryResult, RowElement, SendableMetatype {
    /// Makes a value from a row, or returns `nil` for NULL.
    ///
    /// - Throws: ``ConversionError`` if a value does not fit; any error of an initialiser.
    static func fetch(from row: Row) throws -> Self?
}

/// A type that is made from a row.
///
///     extension Car: ExpressibleByRow {
///         init(row: Row) throws {
///             name = try row.get("name")
///             price = try row.get("price")
///         }
///     }
public protocol ExpressibleByRow: Fetchable {
    /// Makes a value from a row. The row may be kept.
    ///
    /// - Throws: ``ConversionError`` from ``Row``'s methods, or your own error. The query then ends with this error.
    init(row: Row) throws
}

extension ExpressibleByRow {
    /// Makes a value from a row.
    ///
    /// - Throws: The error of ``ExpressibleByRow/init(row:)``.
    @inlinable
    public static func fetch(from row: Row) throws -> Self? { try Self(row: row) }
}

extension ExpressibleByRow where Self: Extractable {
    /// A type that conforms to both protocols is made from the whole row.
    ///
    /// - Throws: The error of ``ExpressibleByRow/init(row:)``.
    @inlinable
    public static func fetch(from row: Row) throws -> Self? { try Self(row: row) }
}

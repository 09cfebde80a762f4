/// A type that a query can return.
///
/// | type | made from |
/// |---|---|
/// | `T` | the first row, which must exist |
/// | `T?` | the first row; `nil` when there is none, and for NULL |
/// | `[T]`, `Set<T>` | all rows, without those whose value is NULL; with them for ``BindingValue``, which has a case for NULL |
/// | `[T?]` | all rows, `nil` for NULL |
/// | `[Key: Value]` | the two columns of all rows; the last of equal keys wins |
///
/// `T` is a ``Fetchable``: a value from the first column, or a record from the whole row. Conform your types to
/// ``Extractable`` or ``ExpressibleByRow``, which include this conformance.
public protocol QueryResult {
    /// Makes the result from the rows of a query. Only Squall can implement it: ``QueryRows`` has no public members.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError``.
    @_documentation(visibility: internal)
    static func result(of rows: QueryRows) throws -> Self
}

/// The rows of a running query, from which Squall makes a ``QueryResult``. It has no public members: the statement belongs
/// to the cache and must not be kept.
@_documentation(visibility: internal)
@frozen
public struct QueryRows {
    /// The `Statement`. Its type belongs to a later folder, whose files cast it back.
    @usableFromInline let source: AnyObject

    @inlinable
    init(source: AnyObject) {
        self.source = source
    }
}

/// An element of the array that a query returns: a ``Fetchable``, or an optional one, which is `nil` for NULL.
///
/// Conform your types to ``Extractable`` or ``ExpressibleByRow``, which include this conformance.
public protocol RowElement {
    /// Makes an element from a row, or returns `nil` for a row that the array leaves out.
    ///
    /// - Throws: ``ConversionError`` if a value does not fit; any error of an initialiser.
    static func fetch(from row: Row) throws -> Self?
}

extension RowElement {
    /// Makes an element from a row; `nil` for NULL, unless the type has a value for it.
    @inlinable
    static func element(of row: Row) throws -> Self? { try fetch(from: row) ?? row.valueOfNull(at: 0) }
}

extension Optional: RowElement where Wrapped: Fetchable {
    /// Makes an optional value from a row: `nil` for NULL. No row is left out.
    ///
    /// - Throws: ``ConversionError`` if a value does not fit; any error of an initialiser.
    @_documentation(visibility: internal)
    @inlinable
    public static func fetch(from row: Row) throws -> Wrapped?? { .some(try Wrapped.fetch(from: row)) }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error of the initialiser of an ``ExpressibleByRow`` type that cannot be made from a row.
public struct ExpressibleByRowError: Error {
    /// The type that could not be made.
    public let type: any ExpressibleByRow.Type

    /// The columns of the row.
    public let columns: [Row.Column]

    public init(type: any ExpressibleByRow.Type, row: Row) {
        self.type = type
        self.columns = row.columns
    }
}

extension ExpressibleByRowError: CustomStringConvertible, LocalizedError {
    @_documentation(visibility: internal)
    public var description: String { "ExpressibleByRowError: \(summary)" }

    @_documentation(visibility: internal)
    public var errorDescription: String? { summary }

    public var failureReason: String? { "\(type) could not be initialized from Row with columns: \(columns)" }

    private var summary: String { "Failed to initialize \(type) from Row with columns: \(columns)" }
}

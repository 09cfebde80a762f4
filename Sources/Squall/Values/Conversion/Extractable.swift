#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type that a column of a row can be read as: every ``Extractable``, `[UInt8]` and `[Float]`.
public protocol ColumnReadable: FunctionArgument {
    /// Makes a value directly from SQLite's value, or returns `nil` for NULL and for a value that does not fit.
    static func fromSQLiteValue(_ value: SQLiteValue) -> Self?

    /// The storage class in which the type is stored, or `nil` if there are several.
    static var storageClass: Row.Column.DataType? { get }

    /// The declared type of a column for this type, such as `TEXT`. The default is the name of the storage class.
    /// Without a storage class it is empty, and SQLite stores values as they are bound.
    static var declaredType: String { get }

    /// Reads a value, or an optional one, into memory that holds none yet, and does not after an error.
    ///
    /// - Throws: As `fromArgument(_:)` does.
    @_documentation(visibility: internal)
    static func initialize(_ memory: UnsafeMutableRawPointer, from value: SQLiteValue, isOptional: Bool) throws
}

extension ColumnReadable {
    public static var declaredType: String { storageClass?.sqlName ?? "" }
}

/// A type whose values can be read from a column of a row, and from the first column of a query.
///
/// `fromBindingValue(_:)` receives the value in the type that `BindingType` names: `Int64` for INTEGER, `Double` for
/// REAL, `String` for TEXT or `Data` for BLOB. It is not called for NULL, or for a value of another storage class.
public protocol Extractable: Fetchable, ColumnReadable {
    /// The type in which SQLite stores the value: `Int64`, `Double`, `String` or `Data`; `Any` for several of them.
    associatedtype BindingType
    associatedtype DataType = Self

    /// Makes a value from the stored value, or returns `nil` when the value does not fit.
    static func fromBindingValue(_ value: Any) -> DataType?
}

extension Extractable {
    /// Calls `fromBindingValue(_:)`. The standard types read the value directly instead.
    public static func fromSQLiteValue(_ value: SQLiteValue) -> Self? {
        guard let stored = value.converted(to: BindingType.self) else { return nil }
        return fromBindingValue(stored) as? Self
    }

    public static var storageClass: Row.Column.DataType? {
        switch BindingType.self {
        case is Int64.Type: .integer
        case is Double.Type: .float
        case is String.Type: .text
        case is Data.Type: .blob
        default: nil
        }
    }

    /// Reads the first column of a row, or returns `nil` for NULL.
    ///
    /// - Throws: ``ConversionError`` if the value does not fit.
    @inlinable
    public static func fetch(from row: Row) throws -> Self? {
        if let value = row.sqliteValue(at: 0), let result = fromSQLiteValue(value) { return result }
        return try row.nilForNull(at: 0, as: Self.self)
    }
}

/// A type whose values can be written to the database and read from it.
public protocol Binding: Bindable, Extractable {}

extension SQLiteValue {
    /// The value in the type that `BindingType` names, or `nil` for NULL and for values that do not fit it.
    func converted<BindingType>(to type: BindingType.Type) -> Any? {
        if type == Int64.self { return integer }
        if type == Double.self { return real }
        if type == String.self { return text }
        if type == Data.self { return data }
        // Not the optional: it would be a value of the type `Any`.
        guard let stored = any else { return nil }
        return stored as? BindingType
    }
}

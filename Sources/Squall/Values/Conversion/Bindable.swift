#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value in a list of parameters: a ``Bindable``, or an optional one for which `nil` is NULL.
///
/// Binding a pack of these takes a fifth of the time of a pack of `(each P)?`: 6 ns instead of 37 for an integer.
public protocol StatementParameter: SendableMetatype {
    /// The type without `Optional`, with which a column of this type is compared.
    associatedtype ColumnBase: Bindable = Self
    /// The type with whose values SQLite compares these: `Double` for every number, otherwise `ColumnBase`.
    @_documentation(visibility: internal)
    associatedtype ComparedType = ColumnBase

    /// Whether SQLite orders the stored values as Swift orders the values, and computes with them. The default is `true`.
    ///
    /// It is `false` for `Decimal`, whose text SQLite orders by characters: `'100'` before `'20'`, and for `UInt64` and `UInt`, whose large
    /// numbers are negative in SQL. Expressions of such a type can be compared for equality; with `<`, `min`, `sum` and other
    /// computations, and as the order of rows, they make the query throw.
    static var isOrderedInSQL: Bool { get }

    /// Binds the value to a parameter of a statement, or makes it the result of a function.
    ///
    /// - Throws: The error of a value that cannot be converted; ``SQLiteError``: `SQLITE_MISMATCH` (20) for a value that no
    ///   storage class holds, such as NaN, `SQLITE_TOOBIG` (18) for a value over SQLite's length limit.
    func bind(to destination: BindingDestination) throws

    /// Binds the value, or NULL if `bind(to:)` returns without binding anything. Every verb calls this function.
    ///
    /// - Throws: As ``bind(to:)``.
    func bindOrNull(to destination: BindingDestination) throws
}

extension StatementParameter {
    public static var isOrderedInSQL: Bool { true }

    /// Binds NULL first, and then the value. Otherwise, if `bind(to:)` binds nothing, the earlier value would stay
    /// bound, although its memory may already hold other values.
    ///
    /// - Throws: As ``StatementParameter/bind(to:)``.
    public func bindOrNull(to destination: BindingDestination) throws {
        try destination.bindNull()
        try bind(to: destination)
    }
}

/// A standard type, whose `bind(to:)` always binds a value.
///
/// Only Squall's types conform to this protocol. ``Bindable`` lists all value types.
@_documentation(visibility: internal)
public protocol StandardBindable: StatementParameter {}

extension StandardBindable {
    /// Binds the value.
    ///
    /// - Throws: As ``StatementParameter/bind(to:)``.
    @inlinable
    public func bindOrNull(to destination: BindingDestination) throws { try bind(to: destination) }
}

// A new type in `Values/Types` is added to this list, and to the one in the documentation of ``Bindable``.

extension Int: StandardBindable { public typealias ComparedType = Double }
extension Int8: StandardBindable { public typealias ComparedType = Double }
extension Int16: StandardBindable { public typealias ComparedType = Double }
extension Int32: StandardBindable { public typealias ComparedType = Double }
extension Int64: StandardBindable { public typealias ComparedType = Double }
extension UInt: StandardBindable { public typealias ComparedType = Double }
extension UInt8: StandardBindable { public typealias ComparedType = Double }
extension UInt16: StandardBindable { public typealias ComparedType = Double }
extension UInt32: StandardBindable { public typealias ComparedType = Double }
extension UInt64: StandardBindable { public typealias ComparedType = Double }
extension Bool: StandardBindable {}
extension Double: StandardBindable { public typealias ComparedType = Double }
extension Float: StandardBindable { public typealias ComparedType = Double }
extension String: StandardBindable {}
extension Data: StandardBindable {}
extension Array: StandardBindable where Element: BlobElement {}
extension UUID: StandardBindable {}
extension Date: StandardBindable {}
extension BindingValue: StandardBindable {}

extension Optional: StatementParameter where Wrapped: Bindable {
    public typealias ColumnBase = Wrapped
    public typealias ComparedType = Wrapped.ComparedType

    public static var isOrderedInSQL: Bool { Wrapped.isOrderedInSQL }

    public func bind(to destination: BindingDestination) throws { try bindOrNull(to: destination) }

    // A pack calls this through its protocol, and only these attributes specialise it.
    @_specialize(where Wrapped == String)
    @_specialize(where Wrapped == Int)
    @_specialize(where Wrapped == Double)
    @inlinable
    public func bindOrNull(to destination: BindingDestination) throws {
        if let self { try self.bindOrNull(to: destination) } else { try destination.bindNull() }
    }
}

/// A value that a column can be set to by its name: a ``Bindable``, or a `SQL` that computes the value.
///
/// Only Squall's types conform to this protocol: a verb throws for any other type.
public protocol Settable: SendableMetatype {}

/// A type whose values can be given to SQL as parameters.
///
/// To conform, a type needs only `bindingValue`. A ``Binding`` type, which can also be read, needs two members more:
///
///     extension DownloadState: Binding {
///         typealias BindingType = Int64
///         var bindingValue: BindingValue { .integer(Int64(rawValue)) }
///         static func fromBindingValue(_ value: Any) -> DownloadState? { … }
///     }
///
/// These standard types conform to it: `Bool`, the integers, `Double`, `Float`, `String`, `Substring`, `Data`, `[UInt8]`,
/// `[Float]`, `Date`, `UUID`, `URL` and `Decimal`, and on Apple platforms `CGFloat`. So do Squall's ``UnixTime``, ``UnixMilliseconds``,
/// ``JulianDay``, ``JSONBinding``, ``ArrayBinding``, ``SetBinding``, ``DictionaryBinding`` and ``BindingValue``.
///
/// `Optional`, `Array` and `Dictionary` are not `Bindable`. That distinguishes a list of parameters from a single
/// parameter.
public protocol Bindable: StatementParameter, Settable {
    /// The value as SQLite stores it.
    var bindingValue: BindingValue { get }

    /// Returns the value as SQLite stores it.
    ///
    /// Every verb calls this function. The default returns `bindingValue`; a type whose encoding can fail throws here.
    ///
    /// - Throws: The error of a value that cannot be stored, for instance `EncodingError`.
    func checkedBindingValue() throws -> BindingValue

    /// Binds the value at an address, or the optional one.
    ///
    /// - Throws: As ``StatementParameter/bind(to:)``.
    @_documentation(visibility: internal)
    static func bind(at address: UnsafeRawPointer, isOptional: Bool, to destination: BindingDestination) throws
}

extension Bindable {
    @inlinable
    public func checkedBindingValue() throws -> BindingValue { bindingValue }

    /// Binds `checkedBindingValue()`. The standard types pass their value to SQLite directly instead.
    ///
    /// - Throws: The error of ``Bindable/checkedBindingValue()``; ``SQLiteError`` as ``StatementParameter/bind(to:)``.
    public func bind(to destination: BindingDestination) throws {
        try checkedBindingValue().bind(to: destination)
    }

    // Called through the protocol, with the type of the value and not with that of the optional: Swift specialises it for each
    // type that conforms.
    @_documentation(visibility: internal)
    @inlinable
    public static func bind(
        at address: UnsafeRawPointer, isOptional: Bool, to destination: BindingDestination
    ) throws {
        if !isOptional {
            try address.assumingMemoryBound(to: Self.self).pointee.bindOrNull(to: destination)
        } else if let value = address.assumingMemoryBound(to: Self?.self).pointee {
            try value.bindOrNull(to: destination)
        } else {
            try destination.bindNull()
        }
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What can stand for a parameter in a list of values: a ``Bindable``, or an optional one, whose `nil` is NULL.
///
/// A pack of these is bound in a fifth of the time that a pack of `(each P)?` takes (6 ns against 37 for an integer).
public protocol StatementParameter: SendableMetatype {
    /// The type without `Optional`: what a column of this type is compared with.
    associatedtype ColumnBase: Bindable = Self

    /// Binds the value to a parameter of a statement.
    func bind(to parameter: SQLiteParameter) throws

    /// Binds the value, or NULL when `bind(to:)` returns without having bound anything. Every verb calls this one.
    func bindOrNull(to parameter: SQLiteParameter) throws
}

extension StatementParameter {
    /// Binds NULL, and then the value in its place. Otherwise a forgotten value would be what was bound before, whose memory
    /// other values may use by now.
    public func bindOrNull(to parameter: SQLiteParameter) throws {
        try parameter.bindNull()
        try bind(to: parameter)
    }
}

/// One of the standard types, whose `bind(to:)` always binds a value.
///
/// It is not for other types to conform to.
public protocol StandardParameter: StatementParameter {}

extension StandardParameter {
    /// Binds the value.
    @inlinable
    public func bindOrNull(to parameter: SQLiteParameter) throws { try bind(to: parameter) }
}

extension Int: StandardParameter {}
extension Int8: StandardParameter {}
extension Int16: StandardParameter {}
extension Int32: StandardParameter {}
extension Int64: StandardParameter {}
extension UInt: StandardParameter {}
extension UInt8: StandardParameter {}
extension UInt16: StandardParameter {}
extension UInt32: StandardParameter {}
extension UInt64: StandardParameter {}
extension Bool: StandardParameter {}
extension Double: StandardParameter {}
extension Float: StandardParameter {}
extension String: StandardParameter {}
extension Data: StandardParameter {}
extension [UInt8]: StandardParameter {}
extension UUID: StandardParameter {}
extension Date: StandardParameter {}
extension BindingValue: StandardParameter {}

extension Optional: StatementParameter where Wrapped: Bindable {
    public typealias ColumnBase = Wrapped

    public func bind(to parameter: SQLiteParameter) throws { try bindOrNull(to: parameter) }

    // A pack calls this through its protocol: nothing else specialises it.
    @_specialize(where Wrapped == String)
    @_specialize(where Wrapped == Int)
    @_specialize(where Wrapped == Double)
    @inlinable
    public func bindOrNull(to parameter: SQLiteParameter) throws {
        if let self { try self.bindOrNull(to: parameter) } else { try parameter.bindNull() }
    }
}

/// What a column can be set to by its name: a ``Bindable``, or a `SQL` that computes the value.
///
/// It is not for other types to conform to: a verb that is given one throws.
public protocol Settable: SendableMetatype {}

/// A type whose values can be given to SQL as parameters.
///
/// A type of your own needs `bindingValue` alone:
///
///     extension DownloadState: Binding {
///         typealias BindingType = Int64
///         var bindingValue: BindingValue { .integer(Int64(rawValue)) }
///         static func fromBindingValue(_ value: Any) -> DownloadState? { … }
///     }
///
/// `Optional`, `Array` and `Dictionary` are not `Bindable`: a list of parameters is told from a parameter by that.
public protocol Bindable: StatementParameter, Settable {
    /// The value as SQLite stores it.
    var bindingValue: BindingValue { get }

    /// The value as SQLite stores it, or an error where it has no such form.
    ///
    /// Every verb uses this one. The default returns `bindingValue`; a type that can fail to be written (one that is
    /// encoded, say) throws here.
    func checkedBindingValue() throws -> BindingValue
}

extension Bindable {
    public func checkedBindingValue() throws -> BindingValue { bindingValue }

    /// Binds `checkedBindingValue()`. The standard types hand their value to SQLite directly instead.
    public func bind(to parameter: SQLiteParameter) throws {
        try checkedBindingValue().bind(to: parameter)
    }
}

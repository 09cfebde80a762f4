/// What can stand for a parameter in a list of values: a ``Bindable``, or an optional one, whose `nil` is NULL.
///
/// A pack of these is bound in a fifth of the time that a pack of `(each P)?` takes (6 ns against 37 for an integer).
public protocol StatementParameter: SendableMetatype {
    /// The type without `Optional`: what a column of this type is compared with.
    associatedtype ColumnBase: Bindable = Self

    /// Binds the value to a parameter of a statement.
    func bind(to parameter: SQLiteParameter) throws
}

extension Optional: StatementParameter where Wrapped: Bindable {
    public typealias ColumnBase = Wrapped

    // A pack calls this through its protocol: nothing else specialises it.
    @_specialize(where Wrapped == String)
    @_specialize(where Wrapped == Int)
    @_specialize(where Wrapped == Double)
    @inlinable
    public func bind(to parameter: SQLiteParameter) throws {
        if let self { try self.bind(to: parameter) } else { try parameter.bindNull() }
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

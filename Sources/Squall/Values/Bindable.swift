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
public protocol Bindable: SendableMetatype {
    /// The value as SQLite stores it.
    var bindingValue: BindingValue { get }

    /// The value as SQLite stores it, or an error where it has no such form.
    ///
    /// Every verb uses this one. The default returns `bindingValue`; a type that can fail to be written (one that is
    /// encoded, say) throws here.
    func checkedBindingValue() throws -> BindingValue

    /// Binds the value to a parameter of a statement.
    ///
    /// The default binds `checkedBindingValue()`. The standard types hand their value to SQLite directly instead.
    func bind(to parameter: SQLiteParameter) throws
}

extension Bindable {
    public func checkedBindingValue() throws -> BindingValue { bindingValue }

    public func bind(to parameter: SQLiteParameter) throws {
        try checkedBindingValue().bind(to: parameter)
    }
}

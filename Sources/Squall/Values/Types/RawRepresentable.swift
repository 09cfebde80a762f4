// An enumeration, or another type with a raw value, is stored as its raw value:
//
//     enum Fuel: String, Binding { case petrol, diesel }
//
// These extensions only provide defaults, so that a type's own implementations are used instead.

extension Bindable where Self: RawRepresentable, RawValue: Bindable {
    @inlinable
    public var bindingValue: BindingValue { rawValue.bindingValue }

    /// Returns the raw value as SQLite stores it, with its checks: a `Date` of the year 10000 throws also as a raw value.
    ///
    /// - Throws: The error of a raw value that cannot be stored.
    @inlinable
    public func checkedBindingValue() throws -> BindingValue {
        let checked: BindingValue
        do {
            checked = try rawValue.checkedBindingValue()
        } catch {
            // A type may implement `bindingValue` itself, and store something else than its raw value.
            let value = bindingValue
            if value == rawValue.bindingValue { throw error }
            return value
        }
        let value = bindingValue
        if case .null = value, rawValue.bindingValue == .null { return checked }
        return value
    }

    public static var isOrderedInSQL: Bool { RawValue.isOrderedInSQL }
}

extension Extractable where Self: RawRepresentable, RawValue == BindingValue {
    /// As it is stored: `fromBindingValue(_:)` has the bytes of TEXT that is not UTF-8, and not its type.
    public static func fromSQLiteValue(_ value: SQLiteValue) -> Self? {
        BindingValue.fromSQLiteValue(value).flatMap { Self(rawValue: $0) }
    }
}

extension Extractable where Self: RawRepresentable, RawValue: Extractable {
    public typealias BindingType = RawValue.BindingType

    public static func fromBindingValue(_ value: Any) -> Self? {
        (RawValue.fromBindingValue(value) as? RawValue).flatMap { Self(rawValue: $0) }
    }
}

// An enumeration, or any other type with a raw value, is stored as its raw value:
//
//     enum Fuel: String, Binding { case petrol, diesel }

extension Bindable where Self: RawRepresentable, RawValue: Bindable {
    public var bindingValue: BindingValue { rawValue.bindingValue }

    public func checkedBindingValue() throws -> BindingValue { try rawValue.checkedBindingValue() }

    @inlinable
    public func bind(to parameter: SQLiteParameter) throws { try rawValue.bind(to: parameter) }
}

extension Extractable where Self: RawRepresentable, RawValue: Extractable {
    public typealias BindingType = RawValue.BindingType

    @inlinable
    public static func fromSQLiteValue(_ value: SQLiteValue) -> Self? {
        guard let rawValue = RawValue.fromSQLiteValue(value) else { return nil }
        return Self(rawValue: rawValue)
    }

    public static func fromBindingValue(_ value: Any) -> Self? {
        (RawValue.fromBindingValue(value) as? RawValue).flatMap { Self(rawValue: $0) }
    }
}

// An enumeration, or another type with a raw value, is stored as its raw value:
//
//     enum Fuel: String, Binding { case petrol, diesel }
//
// These extensions only provide defaults, so that a type's own implementations are used instead.

extension Bindable where Self: RawRepresentable, RawValue: Bindable {
    public var bindingValue: BindingValue { rawValue.bindingValue }

    public static var isOrderedInSQL: Bool { RawValue.isOrderedInSQL }
}

extension Extractable where Self: RawRepresentable, RawValue: Extractable {
    public typealias BindingType = RawValue.BindingType

    public static func fromBindingValue(_ value: Any) -> Self? {
        (RawValue.fromBindingValue(value) as? RawValue).flatMap { Self(rawValue: $0) }
    }
}

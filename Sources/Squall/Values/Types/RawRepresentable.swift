// An enumeration, or any other type with a raw value, is stored as its raw value:
//
//     enum Fuel: String, Binding { case petrol, diesel }
//
// Only what a type may define for itself is given here, so that its own definitions are the ones that are used.

extension Bindable where Self: RawRepresentable, RawValue: Bindable {
    public var bindingValue: BindingValue { rawValue.bindingValue }
}

extension Extractable where Self: RawRepresentable, RawValue: Extractable {
    public typealias BindingType = RawValue.BindingType

    public static func fromBindingValue(_ value: Any) -> Self? {
        (RawValue.fromBindingValue(value) as? RawValue).flatMap { Self(rawValue: $0) }
    }
}

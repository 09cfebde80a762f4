/// Any `Optional`, where a type is known only when the program runs.
protocol OptionalValue: SendableMetatype {
    static var wrappedType: Any.Type { get }
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }

    var isNil: Bool {
        if case .none = self { true } else { false }
    }
}

/// Any `Optional`, where a type is known only when the program runs.
protocol OptionalValue: SendableMetatype {
    static var wrappedType: Any.Type { get }
    var isNil: Bool { get }

    /// Made-up values; `nil` where none can be made up.
    static func samples(number: Int) -> [Any]
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }

    var isNil: Bool {
        if case .none = self { true } else { false }
    }

    static func samples(number: Int) -> [Any] {
        let values = Samples.of(Wrapped.self, number: number).map { Optional($0) as Any }
        return values.isEmpty ? [Optional.none as Any] : values
    }
}

/// How an observation removes equal values.
struct Equality<Value>: Sendable {
    enum Use {
        /// The values cannot be compared.
        case never
        /// Equal values are removed where anything may have changed, as by another connection.
        case afterUnknownChanges
        case always
    }

    let use: Use
    let areEqual: @Sendable (Value, Value) -> Bool

    /// - Parameter isCertain: Whether what was read has changed.
    func removesEqual(_ isCertain: Bool) -> Bool { use == .always || use == .afterUnknownChanges && !isCertain }
}

extension Equality {
    /// A conformance to `Equatable` that any thread can use: one that belongs to an actor is not found.
    private typealias SharedEquatable = Equatable & SendableMetatype

    /// Returns how values are compared whose type is `Equatable`, and that others are not. The type is tested when the program runs, so that
    /// each `observe` has one form.
    static func ifEquatable(_ use: Use) -> Equality {
        guard let type = Value.self as? any SharedEquatable.Type else { return Equality(use: .never) { _, _ in false } }
        return comparing(type, use)
    }

    private static func comparing<Compared: SharedEquatable>(_ type: Compared.Type, _ use: Use) -> Equality {
        Equality(use: use) { one, other in
            guard let one = one as? Compared, let other = other as? Compared else { return false }
            return one == other
        }
    }
}

import Foundation

/// Made-up values to try an initialiser with.
enum Samples {
    /// A value that differs from those of other numbers, or the few values that a type has; none where it cannot be known.
    static func of<Value>(_ type: Value.Type, number: Int) -> [Value] {
        if let optional = type as? any OptionalSample.Type { return optional.samples(number: number) as? [Value] ?? [] }
        if type == Bool.self { return [false, true] as? [Value] ?? [] }
        if let cases = type as? any CaseIterable.Type { return Array(allCases(of: cases).prefix(2)) as? [Value] ?? [] }
        guard let readable = type as? any Extractable.Type else { return [] }
        let uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number)))
        let candidates: [Any] = [
            Int64(number + 1), Double(number) + 1.5, uuid.uuidString, "\(2001 + number)-01-01T00:00:00.000",
            "sample \(number)", Data("sample \(number)".utf8),
        ]
        for candidate in candidates {
            if let value = fit(candidate, readable) as? Value { return [value] }
        }
        return []
    }

    private static func fit<T: Extractable>(_ candidate: Any, _ type: T.Type) -> Any? {
        guard candidate is T.BindingType else { return nil }
        return T.fromBindingValue(candidate)
    }

    private static func allCases<T: CaseIterable>(of type: T.Type) -> [Any] { T.allCases.map { $0 } }
}

private protocol OptionalSample {
    static func samples(number: Int) -> [Any]
}

extension Optional: OptionalSample {
    static func samples(number: Int) -> [Any] {
        Samples.of(Wrapped.self, number: number).map { Optional($0) as Any }
    }
}

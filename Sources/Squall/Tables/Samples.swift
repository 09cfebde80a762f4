#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Made-up values to try an initialiser with.
enum Samples {
    /// Returns a value that differs from those of other numbers, or two of the few values that a type has; nothing where no
    /// value is known.
    static func of<Value>(_ type: Value.Type, number: Int) -> [Value] {
        if let optional = type as? any OptionalValue.Type { return optional.samples(number: number) as? [Value] ?? [] }
        if type == Bool.self { return [false, true] as? [Value] ?? [] }
        if let cases = type as? any CaseIterable.Type { return allCases(of: cases) as? [Value] ?? [] }
        if type == [UInt8].self { return [Array("sample \(number)".utf8)] as? [Value] ?? [] }
        if let collection = type as? any CollectionSample.Type {
            return (collection.sample(number: number) as? Value).map { [$0] } ?? []
        }
        guard let readable = type as? any Extractable.Type else { return [] }
        let uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number)))
        let candidates: [Any] = [
            Int64(number + 1), Double(number) + 1.5, uuid.uuidString, "\(2001 + number)-01-01T00:00:00.000",
            "sample \(number)", Data("sample \(number)".utf8),
        ]
        for candidate in candidates {
            if let value = fit(candidate, readable) as? Value { return [value] }
        }
        // An enumeration with numbers as raw values.
        return Array((0...255).lazy.compactMap { fit(Int64($0), readable) as? Value }.prefix(2))
    }

    private static func fit<T: Extractable>(_ candidate: Any, _ type: T.Type) -> Any? {
        guard candidate is T.BindingType else { return nil }
        return T.fromBindingValue(candidate)
    }

    private static func allCases<T: CaseIterable>(of type: T.Type) -> [Any] { T.allCases.prefix(2).map { $0 } }
}

/// A collection of the standard library, which can be made of made-up elements.
private protocol CollectionSample {
    static func sample(number: Int) -> Any
}

extension Array: CollectionSample {
    static func sample(number: Int) -> Any { Array(Samples.of(Element.self, number: number).prefix(1)) }
}

extension Set: CollectionSample {
    static func sample(number: Int) -> Any { Set(Samples.of(Element.self, number: number).prefix(1)) }
}

extension Dictionary: CollectionSample {
    static func sample(number: Int) -> Any {
        Dictionary(
            zip(Samples.of(Key.self, number: number), Samples.of(Value.self, number: number)),
            uniquingKeysWith: { first, _ in first }
        )
    }
}

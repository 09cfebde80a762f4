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
        let samples: [Any] =
            if let source = type as? any SampleSource.Type {
                own(source, number: number)
            } else if let cases = type as? any CaseIterable.Type {
                allCases(of: cases)
            } else if let readable = type as? any Extractable.Type {
                stored(readable, number: number)
            } else {
                []
            }
        return samples as? [Value] ?? []
    }

    private static func own<T: SampleSource>(_ type: T.Type, number: Int) -> [Any] { T.samples(number: number) }

    private static func allCases<T: CaseIterable>(of type: T.Type) -> [Any] { T.allCases.prefix(2).map { $0 } }

    /// Returns a value that the type makes from a stored one.
    private static func stored<T: Extractable>(_ type: T.Type, number: Int) -> [Any] {
        let uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number)))
        let candidates: [Any] = [
            Int64(number + 1), Double(number) + 1.5, uuid.uuidString, "\(2001 + number)-01-01T00:00:00.000",
            "sample \(number)", Data("sample \(number)".utf8),
        ]
        if let value = candidates.lazy.compactMap({ value(of: type, from: $0) }).first { return [value] }
        // An enumeration with numbers as raw values.
        return Array((0...255).lazy.compactMap { value(of: type, from: Int64($0)) }.prefix(2))
    }

    private static func value<T: Extractable>(of type: T.Type, from stored: Any) -> T? {
        stored is T.BindingType ? T.fromBindingValue(stored) as? T : nil
    }
}

extension Optional: SampleSource {
    static func samples(number: Int) -> [Wrapped?] {
        let values = Samples.of(Wrapped.self, number: number)
        return values.isEmpty ? [nil] : values
    }
}

extension Array: SampleSource {
    static func samples(number: Int) -> [[Element]] { [Array(Samples.of(Element.self, number: number).prefix(1))] }
}

extension Set: SampleSource {
    static func samples(number: Int) -> [Set<Element>] {
        [Set(Samples.of(Element.self, number: number).prefix(1))]
    }
}

extension Dictionary: SampleSource {
    static func samples(number: Int) -> [[Key: Value]] {
        let pairs = zip(Samples.of(Key.self, number: number), Samples.of(Value.self, number: number))
        return [Dictionary(pairs, uniquingKeysWith: { first, _ in first })]
    }
}

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

/// Returns a closure that calls an initialiser with made-up values.
@usableFromInline
func buildingFromSamples<Record, each Value>(
    _ make: @escaping @Sendable (repeat each Value) throws -> Record
) -> @Sendable ([Any]) throws -> Record {
    { values in
        var samples = SampleReader(values)
        return try make(repeat try samples.next((each Value).self))
    }
}

/// Returns made-up values, one after the other.
struct SampleReader {
    /// A value of the wrong type, or none, was given. The probe then does without the record.
    private struct NoSample: Error {}

    private var values: ArraySlice<Any>

    init(_ values: [Any]) {
        self.values = values[...]
    }

    mutating func next<Value>(_ type: Value.Type) throws -> Value {
        guard let value = values.popFirst() as? Value else {
            throw NoSample()
        }
        return value
    }
}

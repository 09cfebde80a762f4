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

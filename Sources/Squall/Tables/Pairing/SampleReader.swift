/// Hands out made-up values, one after the other.
@usableFromInline
struct SampleReader {
    private var values: ArraySlice<Any>

    @usableFromInline
    init(_ values: [Any]) {
        self.values = values[...]
    }

    @usableFromInline
    mutating func next<Value>(_ type: Value.Type) throws -> Value {
        guard let value = values.popFirst() as? Value else {
            throw SQLiteError.misuse(.unstorable("no \(type) can be made up"))
        }
        return value
    }
}

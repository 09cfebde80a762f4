extension Row {
    /// Reads the value of a selected expression.
    func value<Value: ColumnStorable>(at index: Int, form: AnyStorageForm?) throws -> Value {
        // Cannot fail: a row has as many columns as the query selects. The expected type only completes the error.
        guard let value = sqliteValue(at: index) else { throw failure(at: index, expected: Int.self) }
        do throws(ArgumentError) {
            guard let form, !value.isNull else { return try Value.fromArgument(value) }
            if let result = try form.decode(value) as? Value { return result }
            // Never past the form: what it stores may be a `Value` too.
            throw ArgumentError(
                reason: ConversionError(.unacceptable, expected: "\(Value.self)", sql: nil), address: 0)
        } catch {
            throw conversionError(error, at: index)
        }
    }
}

/// Reads the values of selected expressions.
struct ValueReader {
    let row: Row
    /// The form of each selected column; `nil` for a value that is read as it is.
    let forms: [AnyStorageForm?]
    var index = 0

    mutating func next<Value: ColumnStorable>(_ type: Value.Type) throws -> Value {
        defer { index += 1 }
        // Cannot fail: a row has as many columns as the query selects. The expected type only completes the error.
        guard let value = row.sqliteValue(at: index) else { throw row.failure(at: index, expected: Int.self) }
        do throws(ArgumentError) {
            guard let form = forms[index], !value.isNull else { return try Value.fromArgument(value) }
            if let result = try form.decode(value) as? Value { return result }
            return try Value.fromArgument(value)
        } catch {
            let layout = row.storage.layout
            throw ConversionError(
                error.reason, columnIndex: index, columnName: layout.names[index], tableName: nil, sql: layout.sql
            )
        }
    }
}

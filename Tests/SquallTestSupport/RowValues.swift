import Squall

extension Row {
    /// The values without the names of the columns: `[1, 'Audi', 2 bytes, NULL]`.
    package var valuesText: String {
        let shown = columns.map { column in
            switch column.bindingValue {
            case .null: "NULL"
            case .integer(let value): "\(value)"
            case .real(let value): "\(value)"
            case .text(let value): "'\(value)'"
            case .blob(let value), .malformedText(let value): "\(value.count) bytes"
            }
        }
        return "[\(shown.joined(separator: ", "))]"
    }
}

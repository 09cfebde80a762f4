/// What a ``SchemaPlan`` would lose.
public enum SchemaLoss: Hashable, Sendable {
    /// A column goes, and these many values in it that are not NULL.
    case column(table: String, column: String, values: Int)
    /// Values of a column that its new type does not keep: in an INTEGER column, `abc` stays text, and `007` becomes 7.
    case conversion(table: String, column: String, values: Int, type: String)
    /// A table is made anew, and its rows go.
    case rows(table: String, count: Int, because: String)
}

extension SchemaLoss: CustomStringConvertible {
    public var description: String {
        switch self {
        case .column(let table, let column, let values): "\(values) values of \"\(table)\".\"\(column)\""
        case .conversion(let table, let column, let values, let type):
            "\(values) values of \"\(table)\".\"\(column)\" that \(type) does not keep as they are"
        case .rows(let table, let count, let reason): "\(count) rows of \"\(table)\" (\(reason))"
        }
    }
}

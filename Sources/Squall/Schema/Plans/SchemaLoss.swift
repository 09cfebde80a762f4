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

/// What ``SchemaPlan/apply(allowing:)`` may lose.
public struct AllowedLosses: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Columns that are not declared, with their values. Rows stay.
    public static let columns = Self(rawValue: 1)
    /// The rows of tables that cannot be changed with them.
    public static let tables = Self(rawValue: 2)
    /// Values that the new type of their column does not keep as they are. Those that cannot be converted stay in the column.
    public static let conversions = Self(rawValue: 4)
}

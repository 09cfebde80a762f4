/// A loss that a ``SchemaPlan`` would cause.
public enum SchemaLoss: Hashable, Sendable {
    /// A column is dropped, with the given number of values that are not NULL.
    case column(table: String, column: String, values: Int)
    /// Values of a column that its new type does not keep unchanged. In an INTEGER column, `abc` stays text and `007`
    /// becomes 7.
    case conversion(table: String, column: String, values: Int, type: String)
    /// A table is dropped and created again without its rows.
    case rows(table: String, count: Int, because: String)
}

extension SchemaLoss: CustomStringConvertible {
    @_documentation(visibility: internal)
    public var description: String {
        switch self {
        case .column(let table, let column, let values): "\(values.counted("value")) of \"\(table)\".\"\(column)\""
        case .conversion(let table, let column, let values, let type):
            "\(values.counted("value")) of \"\(table)\".\"\(column)\" that \(type) does not keep as they are"
        case .rows(let table, let count, let reason): "\(count.counted("row")) of \"\(table)\" (\(reason))"
        }
    }
}

extension Int {
    /// `1 row`, `2 rows`
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

/// The losses that ``SchemaPlan/apply(allowing:)`` may cause.
public struct AllowedLosses: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Undeclared columns, with their values. The rows are kept.
    public static let columns = Self(rawValue: 1)
    /// The rows of tables that cannot be changed while keeping their rows.
    public static let tables = Self(rawValue: 2)
    /// Values that the new type of their column does not keep unchanged. Values that cannot be converted stay in the column.
    public static let conversions = Self(rawValue: 4)
}

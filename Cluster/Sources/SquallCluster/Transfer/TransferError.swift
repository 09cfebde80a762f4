/// An error of copying a database between a file and a cluster.
public enum TransferError: Error, Hashable, Sendable {
    /// The file exists, and was not to be replaced.
    case fileExists(String)
    /// A file could not be read or written.
    case file(String, reason: String)
    /// The cluster has no database with the name.
    case noDatabase(String)
    /// The file is damaged. The problems are SQLite's descriptions.
    case damaged(problems: [String])
    /// The database has tables or views, and was not to be replaced.
    case notEmpty(objects: [String])
    /// The table has more columns than a statement of a node takes parameters.
    case tooManyColumns(table: String, count: Int, limit: Int)
    /// A text of the table has a zero byte, at which a node would end it.
    case zeroByte(table: String, column: String)
    /// A text of the table is not UTF-8.
    case invalidText(table: String, column: String)
    /// The copy of a table has another row than the original, counted from 0. Its schema differs if `row` is `nil`.
    case difference(table: String, row: Int?)
}

extension TransferError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .fileExists(let path): "\(path) exists"
        case .file(let path, let reason): "cannot use \(path): \(reason)"
        case .noDatabase(let name): "the cluster has no database \"\(name)\""
        case .damaged(let problems): "the database is damaged: " + problems.joined(separator: "; ")
        case .notEmpty(let objects): "the database is not empty: it has " + objects.joined(separator: ", ")
        case .tooManyColumns(let table, let count, let limit):
            "table \"\(table)\" has \(count) columns; a node takes at most \(limit)"
        case .zeroByte(let table, let column): "a text in \"\(table)\".\"\(column)\" has a zero byte"
        case .invalidText(let table, let column): "a text in \"\(table)\".\"\(column)\" is not UTF-8"
        case .difference(let table, let row):
            row.map { "row \($0 + 1) of \"\(table)\" differs from its copy" }
                ?? "the schema of \"\(table)\" differs from its copy"
        }
    }
}

import Squall

/// A wrong declaration of a search table. The search table is the error's ``SQLiteError/subject``.
public enum SearchTableProblem: SQLiteProblem {
    /// Thrown when a search table is declared without columns.
    case noColumns
    /// Thrown when two columns have this name.
    case repeatedColumn(String)
    /// Thrown for a column whose name FTS5 uses itself: `rank`, `rowid`, or the name of the table.
    case reservedColumn(String)
    /// Thrown when the content is external, and the search table has no source.
    case noSource
    /// Thrown when the source has no column that is its rowid, which VACUUM would change otherwise, or the search table names
    /// another one.
    case noRowID(table: String)
    /// Thrown when the source does not exist.
    case unknownTable(String)
    /// Thrown when the source does not have a column that the search table reads.
    case unknownColumn(String, table: String)
    /// Thrown when a query uses a property that the search table has no column for.
    case unknownProperty(String)
    /// Thrown when the rank or a search function is used where the query has no longer the row of the index.
    case notInQuery
    /// Thrown when a table with the tokenizer `trigram` is searched for a word of less than three characters, which FTS5 would leave
    /// out of the pattern.
    case shortWord(String)
}

extension SearchTableProblem {
    public var code: ResultCode { .misuse }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        let table = subject.tableName
        return switch self {
        case .noColumns: "the search table \"\(table)\" has no columns"
        case .repeatedColumn(let column): "the search table \"\(table)\" has two columns \"\(column)\""
        case .reservedColumn(let column): "FTS5 uses the name \"\(column)\" itself in the search table \"\(table)\""
        case .noSource: "the search table \"\(table)\" has external content, and no table to read it from"
        case .noRowID(let source):
            """
            the search table "\(table)" needs the INTEGER PRIMARY KEY of the table "\(source)", by which FTS5 finds its rows
            """
        case .unknownTable(let source): "the table \"\(source)\" of the search table \"\(table)\" does not exist"
        case .unknownColumn(let column, let source):
            "the table \"\(source)\" of the search table \"\(table)\" has no column \"\(column)\""
        case .unknownProperty(let property): "the search table \"\(table)\" has no column for \(property)"
        case .notInQuery: "the search table \"\(table)\" is not in this part of the query"
        case .shortWord(let word):
            "the tokenizer of \"\(table)\" finds words of at least three characters, and not \(word.debugDescription): use LIKE for it"
        }
    }
}

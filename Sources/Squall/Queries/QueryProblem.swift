/// The reason why the clauses of a query, or of an update, do not make SQL.
public enum QueryProblem: SQLiteProblem {
    /// Thrown when a query has two common table expressions of one name, or one with the name of a table, and when an upsert updates
    /// a table with the name `excluded`.
    case repeatedTableName(String)
    /// Thrown when clauses are added, inside a closure of an outer query, to a query that began before and has a table of the
    /// same name. Begin it inside the closure, add its clauses outside, or give its table another name with `as`.
    case hiddenTable(name: String)
    /// Thrown when the step of a recursive query combines queries with another operator than that of the recursion.
    case recursionOperator(step: String, recursion: String)
    /// Thrown when a limit or an offset is negative. SQLite would treat the limit as none.
    case negativeLimit(Int)
    /// Thrown when an update sets no column.
    case noAssignments
}

extension QueryProblem {
    public var code: ResultCode { .misuse }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        switch self {
        case .repeatedTableName(let name): "the query has two tables, or common table expressions, named \"\(name)\""
        case .hiddenTable(let name):
            "a query that began before an outer query with a table \"\(name)\" has a table of this name too; begin it inside the closure, or add its clauses outside"
        case .recursionOperator(let step, let recursion):
            "the step of a recursive query combines queries with \(step), which must be \(recursion) as in the recursion"
        case .negativeLimit(let number): "a limit or an offset of \(number)"
        case .noAssignments: "the update\(subject.table.map { " of \"\($0)\"" } ?? "") sets no column"
        }
    }
}

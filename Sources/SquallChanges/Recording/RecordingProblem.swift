import Squall

/// The reason why changes cannot be recorded. The table, if it is known, is the error's `SQLiteError.subject`.
public enum RecordingProblem: SQLiteProblem {
    /// Thrown for a name that no table has.
    case unknownTable
    /// Thrown for a view or a virtual table.
    case notATable
    /// Thrown for a table without a declared primary key, by which SQLite tells rows apart.
    case noPrimaryKey
    /// Thrown for a table with generated columns, which SQLite cannot record.
    case generatedColumns
    /// Thrown for a table with a column of its primary key whose values can be equal and have other bytes, by which SQLite tells
    /// recorded rows apart: a column of the type REAL, `ANY` or none, and one with another collation than BINARY.
    case inexactKey(column: String)
    /// Thrown when a table was altered while its changes were recorded.
    case altered
    /// Thrown when the recorded changes take more memory than the limit, in bytes.
    case memoryLimit(Int)
    /// Thrown when a recorder is used after it was stopped.
    case stopped
}

extension RecordingProblem {
    public var code: ResultCode {
        switch self {
        case .altered: .schema
        case .memoryLimit: .full
        case .stopped: .misuse
        default: .error
        }
    }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        let name = subject.table ?? "a table"
        return switch self {
        case .unknownTable: "no such table: \(name)"
        case .notATable: "changes of \(name) cannot be recorded: it is a view or a virtual table"
        case .noPrimaryKey: "changes of \(name) cannot be recorded: it has no declared PRIMARY KEY"
        case .generatedColumns:
            "changes of \(name) cannot be recorded: it has generated columns"
        case .inexactKey(let column):
            """
            changes of \(name) cannot be recorded: values of its primary key, \(column), can be equal and have other bytes; declare it \
            INTEGER, TEXT or BLOB, with the collation BINARY
            """
        case .altered: "\(name) was altered while its changes were recorded"
        case .memoryLimit(let limit): "the recorded changes take more than \(limit) bytes of memory"
        case .stopped: "the recorder was stopped"
        }
    }
}

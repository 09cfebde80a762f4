import Squall

/// The reason why an undo history cannot be made, or cannot undo or redo a step.
public enum UndoProblem: SQLiteProblem {
    /// Thrown for a history that may keep fewer than one step.
    case limit(Int)
    /// Thrown when a history is made, or a step undone or redone, inside a closure of the same database.
    case insideClosure
    /// Thrown when a group begins inside a write that is older than its history, whose changes are not recorded.
    case insideEarlierWrite
    /// Thrown when a table of a step has other columns than when the step was recorded, or does not exist any more. The table is
    /// the error's `SQLiteError.subject`.
    case altered
}

extension UndoProblem {
    public var code: ResultCode {
        switch self {
        case .limit, .insideClosure, .insideEarlierWrite: .misuse
        case .altered: .schema
        }
    }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        switch self {
        case .limit(let limit): "an undo history keeps at least one step, not \(limit)"
        case .insideClosure: "an undo history cannot begin, undo or redo inside a closure of its database"
        case .insideEarlierWrite: "the write began before the undo history, which does not record its changes"
        case .altered: "\(subject.tableName) was altered or dropped after the step was recorded"
        }
    }
}

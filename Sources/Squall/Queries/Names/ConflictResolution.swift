/// The action that SQLite takes for a row that breaks a constraint.
public enum ConflictResolution: String, Hashable, Codable, Sendable {
    /// Undo the transaction.
    case rollback = "ROLLBACK"
    /// Undo the statement; what SQLite does unless told otherwise.
    case abort = "ABORT"
    /// Stop, and keep what the statement has done so far.
    case fail = "FAIL"
    /// Leave the row out.
    case ignore = "IGNORE"
    /// Delete the rows that stand in the way. Update triggers do not run, and cascades do.
    case replace = "REPLACE"
}

/// The reason why the file of a database cannot be used. The path of the file is the error's ``SQLiteError/subject``.
public enum FileProblem: SQLiteProblem {
    /// Thrown when the file of an open database is not at its path any more. The code is ``ResultCode/fileMoved``.
    case moved
    /// Thrown when another file is at the path of an open database. The code is ``ResultCode/fileMoved``.
    case replaced
    /// Thrown when a new database is to be created where a file exists. The code is `SQLITE_CANTOPEN` (14).
    case exists
    /// Thrown when a database is opened as immutable, and this log or journal has changes that its file does not have. The
    /// code is `SQLITE_CANTOPEN` (14).
    case hasUnappliedChanges
}

extension FileProblem {
    public var code: ResultCode {
        switch self {
        case .moved, .replaced: .fileMoved
        case .exists, .hasUnappliedChanges: .cantOpen
        }
    }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        let path = subject.pathName
        return switch self {
        case .moved: "the database file was deleted or moved: \(path)"
        case .replaced: "the database file was replaced: \(path)"
        case .exists: "there is already a file at \(path)"
        case .hasUnappliedChanges: "the database has changes that are not in its file: \(path)"
        }
    }
}

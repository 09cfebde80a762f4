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
    /// Thrown when a file that seems to be encrypted is used without a key. The code is `SQLITE_NOTADB` (26), as of the
    /// following.
    case encrypted
    /// Thrown when a file is opened with a key that is not its own, or with other parameters, or when its first page is damaged.
    case wrongKey
    /// Thrown when a file that is not encrypted is opened with a key.
    case notEncrypted
}

extension FileProblem {
    public var code: ResultCode {
        switch self {
        case .moved, .replaced: .fileMoved
        case .exists, .hasUnappliedChanges: .cantOpen
        case .encrypted, .wrongKey, .notEncrypted: .notADatabase
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
        case .encrypted: "the file is encrypted, and was opened without a key: \(path)"
        case .wrongKey: "the key is not that of the file: \(path)"
        case .notEncrypted: "the file is not encrypted, and was opened with a key: \(path)"
        }
    }

    public var hint: String? {
        switch self {
        case .moved, .replaced, .exists, .hasUnappliedChanges: nil
        case .encrypted: "set the `encryption` of the configuration, which SquallEncryption adds"
        case .wrongKey: "the parameters must be those of the file as well; a damaged first page has the same effect"
        case .notEncrypted: "open it without a key"
        }
    }
}

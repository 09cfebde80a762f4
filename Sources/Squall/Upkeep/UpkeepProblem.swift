/// The reason why SQLite is not configured, and a database is not compacted, serialized or deserialized.
public enum UpkeepProblem: SQLiteProblem {
    /// Thrown when SQLite is configured after it has been used.
    case libraryInUse
    /// Thrown by `VACUUM INTO` for an empty path and for `:memory:`.
    case vacuumNeedsFile
    /// Thrown when bytes are deserialized into a connection to a file, which is the error's ``SQLiteError/subject``.
    case notInMemory
    /// Thrown when a database is serialized or deserialized inside a transaction.
    case serializedInsideTransaction
    /// Thrown when an encrypted database is serialized, and by `VACUUM INTO` of an attached one beside a main database that is not
    /// encrypted: the bytes would be in clear.
    case encrypted
}

extension UpkeepProblem {
    public var code: ResultCode { .misuse }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        switch self {
        case .libraryInUse: "SQLite cannot be configured: it has been used already"
        case .vacuumNeedsFile: "VACUUM INTO needs a file"
        case .notInMemory: "deserialize needs a connection in memory, and this one is to \(subject.pathName)"
        case .serializedInsideTransaction: "a database cannot be serialized or deserialized inside a transaction"
        case .encrypted: "an encrypted database cannot be serialized: its bytes would not be encrypted"
        }
    }

    public var hint: String? { self == .encrypted ? "a backup has the key of the database" : nil }
}

import CSQLite

/// A result code of SQLite, primary or extended, by the name that SQLite's documentation gives it.
///
///     do {
///         try connection.run("INSERT INTO cars VALUES(1, 'Audi', 52642)")
///     } catch let error as SQLiteError where error.resultCode == .constraint {
///         // a row with that id is there already
///     }
public struct ResultCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The primary code: the low eight bits, `constraint` for `constraintForeignKey`.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

    /// SQLite's English text for the code, as `sqlite3_errstr` gives it.
    public var description: String { String(cString: sqlite3_errstr(rawValue)) }
}

extension ResultCode {
    public static let error = ResultCode(rawValue: SQLITE_ERROR)
    public static let permissionDenied = ResultCode(rawValue: SQLITE_PERM)
    public static let abort = ResultCode(rawValue: SQLITE_ABORT)
    public static let busy = ResultCode(rawValue: SQLITE_BUSY)
    public static let locked = ResultCode(rawValue: SQLITE_LOCKED)
    public static let outOfMemory = ResultCode(rawValue: SQLITE_NOMEM)
    public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    public static let interrupt = ResultCode(rawValue: SQLITE_INTERRUPT)
    public static let ioError = ResultCode(rawValue: SQLITE_IOERR)
    public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
    public static let full = ResultCode(rawValue: SQLITE_FULL)
    public static let cantOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    public static let schema = ResultCode(rawValue: SQLITE_SCHEMA)
    public static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
    public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
    public static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
    public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    public static let authorizationDenied = ResultCode(rawValue: SQLITE_AUTH)
    public static let range = ResultCode(rawValue: SQLITE_RANGE)
    public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}

// The extended codes are macros with a shift, which Swift does not import: (number << 8) | primary code.
extension ResultCode {
    /// A `transaction` or `savepoint` goes on although SQLite has rolled its transaction back
    /// (`SQLITE_ABORT_ROLLBACK`); the statement was not run.
    public static let transactionLost = ResultCode(rawValue: SQLITE_ABORT | 2 << 8)
    public static let busySnapshot = ResultCode(rawValue: SQLITE_BUSY | 2 << 8)
    public static let lockedSharedCache = ResultCode(rawValue: SQLITE_LOCKED | 1 << 8)
    public static let constraintCheck = ResultCode(rawValue: SQLITE_CONSTRAINT | 1 << 8)
    public static let constraintForeignKey = ResultCode(rawValue: SQLITE_CONSTRAINT | 3 << 8)
    public static let constraintNotNull = ResultCode(rawValue: SQLITE_CONSTRAINT | 5 << 8)
    public static let constraintPrimaryKey = ResultCode(rawValue: SQLITE_CONSTRAINT | 6 << 8)
    public static let constraintUnique = ResultCode(rawValue: SQLITE_CONSTRAINT | 8 << 8)
    public static let constraintDataType = ResultCode(rawValue: SQLITE_CONSTRAINT | 12 << 8)
}

import SquallSQLite

/// A primary or extended result code of SQLite, named as in SQLite's documentation.
///
///     do {
///         try connection.run("INSERT INTO cars VALUES(1, 'Audi', 52642)")
///     } catch let error as SQLiteError where error.resultCode == .constraint {
///         // a row with that id already exists
///     }
public struct ResultCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The primary code: the low eight bits, `constraint` for `constraintForeignKey`.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

    /// SQLite's English text for the code, from `sqlite3_errstr`.
    @_documentation(visibility: internal)
    public var description: String { String(cString: sqlite3_errstr(rawValue)) }
}

extension ResultCode {
    /// Matches an error in a `catch`: a primary code matches all its extended codes.
    ///
    ///     do {
    ///         try connection.run("INSERT INTO users(email) VALUES(\(email))")
    ///     } catch ResultCode.constraintUnique {
    ///         // that address is already in use
    ///     } catch ResultCode.constraint {
    ///         // any other constraint
    ///     }
    ///
    /// An error that carries another as its reason matches as that one, for instance an ``InsertionError``.
    public static func ~= (code: ResultCode, error: any Error) -> Bool {
        if let error = error as? any ErrorWithReason { return code ~= error.reason }
        if let error = error as? any ErrorWithCode { return error.matchingCode == code }
        guard let error = error as? SQLiteError else { return false }
        return error.extendedResultCode == code || error.resultCode == code
    }
}

/// An error that adds a place to another error.
protocol ErrorWithReason: Error {
    var reason: any Error { get }
}

/// An error that stands for a result code of SQLite.
protocol ErrorWithCode: Error {
    /// The code that matches the error in a `catch`; `nil` for none.
    var matchingCode: ResultCode? { get }
}

extension ResultCode {
    /// `SQLITE_ERROR`: invalid SQL, or an error without a more specific code.
    public static let error = ResultCode(rawValue: SQLITE_ERROR)
    /// `SQLITE_PERM`: a file could not be created with the requested access.
    public static let permissionDenied = ResultCode(rawValue: SQLITE_PERM)
    /// `SQLITE_ABORT`: a callback or a rollback ended the statement.
    public static let abort = ResultCode(rawValue: SQLITE_ABORT)
    /// `SQLITE_BUSY`: another connection has locked the database.
    public static let busy = ResultCode(rawValue: SQLITE_BUSY)
    /// `SQLITE_LOCKED`: the connection itself, or another connection with the same shared cache, has locked a table.
    public static let locked = ResultCode(rawValue: SQLITE_LOCKED)
    /// `SQLITE_NOMEM`: SQLite could not allocate memory.
    public static let outOfMemory = ResultCode(rawValue: SQLITE_NOMEM)
    /// `SQLITE_READONLY`: the database cannot be written.
    public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    /// `SQLITE_INTERRUPT`: the statement was interrupted, for instance by a deadline.
    public static let interrupt = ResultCode(rawValue: SQLITE_INTERRUPT)
    /// `SQLITE_IOERR`: the operating system could not read or write a file.
    public static let ioError = ResultCode(rawValue: SQLITE_IOERR)
    /// `SQLITE_CORRUPT`: the file is damaged. SQLite sometimes also returns it for a file that could not be read.
    public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
    /// `SQLITE_FULL`: the disk is full, or the database has reached its maximum size.
    public static let full = ResultCode(rawValue: SQLITE_FULL)
    /// `SQLITE_CANTOPEN`: a file cannot be opened.
    public static let cantOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    /// `SQLITE_SCHEMA`: the schema changed again each time SQLite re-prepared the statement.
    public static let schema = ResultCode(rawValue: SQLITE_SCHEMA)
    /// `SQLITE_TOOBIG`: a value or a statement exceeds its limit.
    public static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
    /// `SQLITE_CONSTRAINT`: a constraint or a commit hook forbids the change.
    public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
    /// `SQLITE_MISMATCH`: a value has the wrong type.
    public static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
    /// `SQLITE_MISUSE`: Squall or SQLite was used incorrectly.
    public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    /// `SQLITE_AUTH`: an authorizer denied the action.
    public static let authorizationDenied = ResultCode(rawValue: SQLITE_AUTH)
    /// `SQLITE_RANGE`: the parameter or column does not exist.
    public static let range = ResultCode(rawValue: SQLITE_RANGE)
    /// `SQLITE_NOTADB`: the file is not a database.
    public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}

// Swift does not import the extended codes, which are macros with a shift: (number << 8) | primary code.
extension ResultCode {
    /// `SQLITE_ABORT_ROLLBACK`: SQLite has rolled back the transaction while the closure of its `transaction` or
    /// `savepoint` is still running. The statement was not run.
    public static let transactionLost = ResultCode(rawValue: SQLITE_ABORT | 2 << 8)
    /// `SQLITE_BUSY_SNAPSHOT`: a transaction that has read cannot write, because another connection has written since.
    public static let busySnapshot = ResultCode(rawValue: SQLITE_BUSY | 2 << 8)
    /// `SQLITE_READONLY_DBMOVED`: the database file was deleted, moved or replaced while it was open.
    public static let fileMoved = ResultCode(rawValue: SQLITE_READONLY | 4 << 8)
    /// `SQLITE_LOCKED_SHAREDCACHE`: another connection with the same shared cache has locked a table.
    public static let lockedSharedCache = ResultCode(rawValue: SQLITE_LOCKED | 1 << 8)
    /// `SQLITE_CONSTRAINT_CHECK`: a CHECK constraint failed.
    public static let constraintCheck = ResultCode(rawValue: SQLITE_CONSTRAINT | 1 << 8)
    /// `SQLITE_CONSTRAINT_FOREIGNKEY`: a foreign key refers to a row that does not exist.
    public static let constraintForeignKey = ResultCode(rawValue: SQLITE_CONSTRAINT | 3 << 8)
    /// `SQLITE_CONSTRAINT_NOTNULL`: NULL in a NOT NULL column.
    public static let constraintNotNull = ResultCode(rawValue: SQLITE_CONSTRAINT | 5 << 8)
    /// `SQLITE_CONSTRAINT_PRIMARYKEY`: a row with the same primary key exists.
    public static let constraintPrimaryKey = ResultCode(rawValue: SQLITE_CONSTRAINT | 6 << 8)
    /// `SQLITE_CONSTRAINT_TRIGGER`: a trigger called `RAISE`, or `ON DELETE RESTRICT` refused a change.
    public static let constraintTrigger = ResultCode(rawValue: SQLITE_CONSTRAINT | 7 << 8)
    /// `SQLITE_CONSTRAINT_UNIQUE`: a row with the same value in a UNIQUE column exists.
    public static let constraintUnique = ResultCode(rawValue: SQLITE_CONSTRAINT | 8 << 8)
    /// `SQLITE_CONSTRAINT_DATATYPE`: a value has the wrong type for a STRICT table.
    public static let constraintDataType = ResultCode(rawValue: SQLITE_CONSTRAINT | 12 << 8)
}

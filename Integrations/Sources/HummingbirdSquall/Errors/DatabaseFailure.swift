import Hummingbird
import Squall

/// A class of errors of Squall to which a server has one response.
public enum DatabaseFailure: Hashable, Sendable, CaseIterable {
    /// A row with the same value in a primary key or a UNIQUE column exists, or a persisted value with the same key.
    case unique
    /// A foreign key refers to a row that does not exist, or a row is deleted to which one refers.
    case foreignKey
    /// A CHECK constraint failed.
    case check
    /// NULL in a NOT NULL column.
    case notNull
    /// Another constraint: a trigger that called `RAISE`, a value of the wrong type in a STRICT table.
    case otherConstraint
    /// A query has no row where one is required.
    case noRow
    /// A page was asked for with a cursor of a query with another order.
    case foreignCursor
    /// The database was locked longer than the busy timeout, or no connection was free before a timeout.
    case busy
    /// The deadline of the access, or the time limit of a statement, has passed.
    case deadline
    /// The database is closed or suspended, its running statements were interrupted, or its file has been moved or
    /// replaced.
    case unavailable
    /// The disk is full, the file cannot be opened or written, or the operating system reports an I/O error. Repeating
    /// the request soon does not help.
    case storage
}

extension DatabaseFailure {
    /// The class of an error. The error of a record that was not inserted has that of its reason.
    ///
    /// `nil` for errors of other libraries, for cancellation, and for errors that no request can cause or repair: wrong
    /// SQL, a value that does not convert, a write inside a read, a damaged file.
    public init?(_ error: any Error) {
        switch error {
        case let error as InsertionError: self.init(error.reason)
        case let error as ConversionError where error.reason == .noRow: self = .noRow
        case let error as SQLiteError: self.init(error)
        case let error as PersistError where error == .duplicate: self = .unique
        default: return nil
        }
    }

    private init?(_ error: SQLiteError) {
        switch error.kind {
        case .sqlite: self.init(error.extendedResultCode)
        case .interrupted(.deadline), .interrupted(.timeLimit):
            self = .deadline
        case .closed(.database), .interrupted(.suspension), .interrupted(.request): self = .unavailable
        case .problem(let problem): self.init(problem.base)
        default: return nil
        }
    }

    private init?(_ problem: any SQLiteProblem) {
        switch problem {
        case .checkpointBlocked as DatabaseProblem: self = .busy
        case .suspended as DatabaseProblem: self = .unavailable
        case .moved as FileProblem, .replaced as FileProblem: self = .unavailable
        case .cursorOfOtherOrder as PageProblem: self = .foreignCursor
        default: return nil
        }
    }

    private init?(_ code: ResultCode) {
        switch code {
        case .constraintUnique, .constraintPrimaryKey, .constraintRowID: self = .unique
        case .constraintForeignKey: self = .foreignKey
        case .constraintCheck: self = .check
        case .constraintNotNull: self = .notNull
        case .fileMoved: self = .unavailable
        default:
            switch code.primary {
            case .constraint: self = .otherConstraint
            case .busy, .locked: self = .busy
            case .full, .readOnly, .ioError, .cantOpen: self = .storage
            default: return nil
            }
        }
    }
}

extension ResultCode {
    /// `SQLITE_CONSTRAINT_ROWID` (2579): a row with the same rowid exists.
    fileprivate static let constraintRowID = ResultCode(rawValue: 19 | 10 << 8)
}

import Squall
import SquallSQLite

/// The reason why a changeset cannot be read, combined or applied. A table that it is about is the error's `SQLiteError.subject`.
public enum ChangesetProblem: SQLiteProblem {
    /// Thrown for bytes that are not a changeset.
    case damaged
    /// Thrown when a table has other columns or another primary key in two changesets.
    case differentTables
    /// Thrown when a patchset is inverted.
    case patchsetInverted
    /// Thrown when a changeset is combined with a patchset.
    case mixedKinds
    /// Thrown when changes are applied to a database that lacks a table.
    case missingTable
    /// Thrown when a table has fewer columns than its changes.
    case missingColumns(expected: Int, found: Int)
    /// Thrown when a table has another primary key than its changes.
    case otherPrimaryKey
    /// Thrown when `replace` is the answer to a conflict that has no row to replace.
    case invalidReplace
    /// Thrown when the answer to a conflict is `abort`. The error has no table for foreign keys, which are checked at the end of all changes.
    ///
    /// - Parameter conflict: The kind of the conflict, as `Changeset.Conflict.Kind` names it.
    case aborted(conflict: String)
    /// Thrown when foreign keys are violated in the transaction before changes are applied: SQLite would forget it.
    case pendingForeignKeys
    /// Thrown before the commit when a row that was written is not what the changes say. The key is SQL, with a comma between values.
    /// The column is `nil` if the row is missing, or was to be deleted and is there.
    case differentRow(key: String, column: String?)
}

extension ChangesetProblem {
    public var code: ResultCode {
        switch self {
        case .damaged, .patchsetInverted: .corrupt
        case .differentTables, .missingTable, .missingColumns, .otherPrimaryKey: .schema
        case .mixedKinds: .error
        case .invalidReplace, .pendingForeignKeys: .misuse
        case .aborted: .abort
        case .differentRow: .mismatch
        }
    }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        let table = subject.tableName
        return switch self {
        case .damaged: "the bytes are not those of a changeset"
        case .differentTables: "a table has other columns or another primary key in the other changeset"
        case .patchsetInverted: "a patchset cannot be inverted: it does not have the old values"
        case .mixedKinds: "a changeset cannot be combined with a patchset"
        case .missingTable: "the changes are of a table that does not exist here: \(table)"
        case .missingColumns(let expected, let found):
            "the changes of \(table) have \(expected) columns, and the table has \(found)"
        case .otherPrimaryKey: "the primary key of \(table) is another one than that of its changes"
        case .invalidReplace: "a change that conflicts with nothing that can be replaced cannot replace it"
        case .aborted(let conflict):
            subject.table.map { "a conflict (\(conflict)) in \($0) has ended the changes" }
                ?? "a conflict has ended the changes: foreign keys would be violated"
        case .pendingForeignKeys:
            "foreign keys are violated in this transaction: write the missing parents before changes are applied"
        case .differentRow(let key, let column):
            """
            the row \(key) of \(table) is not stored as it was to be\(column.map { ": its \($0) is another value" } ?? "")
            """
        }
    }
}

extension Changeset {
    /// Throws if SQLite was built without sessions.
    static func checkSessions() throws {
        if !Connection.hasSessions { throw SQLiteError.libraryLacks(.sessions) }
    }

    static func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw error(code) }
    }

    /// Returns the error of a function that works on the bytes of changesets.
    static func error(_ code: Int32) -> SQLiteError {
        switch code & 0xff {
        case SQLITE_CORRUPT: SQLiteError(ChangesetProblem.damaged)
        case SQLITE_SCHEMA: SQLiteError(ChangesetProblem.differentTables)
        default: SQLiteError(code: code, message: ResultCode(rawValue: code).description)
        }
    }
}

import Squall

/// The reason why a log of changes cannot be made, read or merged. A table that it is about is the error's `SQLiteError.subject`.
public enum SyncProblem: SQLiteProblem {
    /// Thrown for bytes that are not those of a batch, or that were damaged on their way.
    case damaged
    /// Thrown for an empty origin, and for one with a NUL character.
    case invalidOrigin
    /// Thrown when the policy of a table does not belong to the role of the log.
    case policy
    /// Thrown when the column of the last writer does not exist, or is part of the primary key.
    case stampColumn(column: String)
    /// Thrown when the database does not have the tables of the log.
    case notInstalled
    /// Thrown when the database has the log of another role or origin.
    case otherLog(origin: String, role: String)
    /// Thrown when the log has a table that was not named, so that its changes would be lost.
    case unnamedTable
    /// Thrown when a table has other columns, or another primary key, than its changes.
    case otherColumns(expected: [String], found: [String])
    /// Thrown when a migration of the log does not say how a new column, which is NOT NULL and has no default, is filled.
    case unfilledColumn(column: String)
    /// Thrown when a migration of the log names a column that the table does not have.
    case unknownColumn(column: String)
    /// Thrown when a batch has changes of a table that is not in the log.
    case unknownTable
    /// Thrown when a batch of this role is merged into a log of a role that does not take it.
    case wrongRole(String)
    /// Thrown when a batch, or the stored log, has values of another version than the program.
    case otherVersion(expected: Int, found: Int)
    /// Thrown when a table of the log was renamed to the name of another one.
    case tableInLog
    /// Thrown when another log uses the same origin, or when the hub has another log than before.
    case otherLogOfOrigin(String)
    /// Thrown when a replica has given numbers to its changes that the hub knows as those of others: its file was restored or copied.
    case reusedNumbers(String)
    /// Thrown when a batch does not continue where the last one ended. Nothing of it was merged.
    case missingEntries(after: Int64, first: Int64)
    /// Thrown when entries after a cursor were removed from the log.
    case entriesRemoved
    /// Thrown when a merge begins inside a recording, or a recording inside a merge.
    case nested
    /// Thrown when a merge follows changes that have no entry in a log that follows its database.
    case unrecordedChanges
    /// Thrown when the log of a replica is compacted.
    case compactionOfReplica
    /// Thrown when a row of the hub cannot be stored. Nothing of the batch was merged.
    case unstorable(reason: String)
}

extension SyncProblem {
    public var code: ResultCode {
        switch self {
        case .damaged: .corrupt
        case .notInstalled, .otherLogOfOrigin, .reusedNumbers, .missingEntries, .entriesRemoved: .error
        case .otherColumns, .otherVersion, .unknownTable: .schema
        case .unstorable: .constraint
        default: .misuse
        }
    }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        let table = subject.tableName
        return switch self {
        case .damaged: "the bytes are not those of a batch of changes"
        case .invalidOrigin: "the origin of a log is a text that is not empty and has no NUL character"
        case .policy: "the policy of \(table) does not belong to the role of the log"
        case .stampColumn(let column):
            "\(table) has no column \(column) outside its primary key, by which its last writer is found; after a migration, open the log "
                + "with the new column, which SyncLog.migrate gets as lastWriter: unless it was only renamed"
        case .notInstalled: "this database does not have the log"
        case .otherLog(let origin, let role): "this database has the log of the \(role) \(origin)"
        case .unnamedTable:
            "the log has changes of \(table), which is not among its tables: name it; if it was renamed, call SyncLog.migrate(from:), and "
                + "SyncLog.remove if it is not to be in the log any more"
        case .otherColumns(let expected, let found):
            "the changes of \(table) have the columns \(expected.joined(separator: ", ")), and the table has "
                + found.joined(separator: ", ")
                + "; after a migration, call SyncLog.migrate in both databases, and make the batch again"
        case .unfilledColumn(let column):
            "\(table) has the new column \(column), which must have a value: name the expression that fills it (columns:)"
        case .unknownColumn(let column):
            "\(table) has no column \(column), which the migration of the log names"
        case .unknownTable:
            "the changes are of \(table), which is not a table of the log: add it here, or remove it there"
        case .wrongRole(let role): "this log does not merge the changes of a \(role)"
        case .otherVersion(let expected, let found):
            "the changes have the version \(found), and \(expected) is expected: call SyncLog.migrate in each database, open its log "
                + "with the new version, and make the batch again"
        case .tableInLog:
            "the log has the changes of another table \(table): migrate both by way of a third name"
        case .otherLogOfOrigin(let origin): "the changes are of another log of \(origin) than those before"
        case .reusedNumbers(let origin):
            "changes of \(origin) have the numbers of others: its file was restored or copied; FollowedLog.renewed(origin:) gives it another "
                + "origin"
        case .missingEntries(let after, let first):
            "the changes begin after number \(first), and those from number \(after) are missing"
        case .entriesRemoved:
            "entries that follow the cursor were removed from the log: begin again with a new replica of the hub, or with a copy "
                + "of a peer that is opened with another origin"
        case .unrecordedChanges:
            "changes before the merge have no entry yet: call flush() of the followed log, and merge before other writes of the transaction"
        case .nested: "a merge is inside a recording or a merge"
        case .compactionOfReplica: "the log of a replica removes changes by itself after its hub has them"
        case .unstorable(let reason): "a row of \(table) cannot be stored: \(reason)"
        }
    }
}

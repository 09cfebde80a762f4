/// The reason why a backup cannot begin, or why it prevents another use of its connections.
public enum BackupProblem: SQLiteProblem {
    /// Thrown when the source and the destination are one connection.
    case sameConnection
    /// Thrown when the source and the destination are one file.
    case sameFile
    /// Thrown when the destination has a transaction open.
    case destinationInTransaction
    /// Thrown when a statement of the destination is on a row.
    case destinationHasBusyStatement
    /// Thrown when the destination is the source of another backup.
    case destinationIsSource
    /// Thrown when a connection is used while it is the destination of a backup that has not finished.
    case unfinishedDestination
    /// Thrown when the source is in memory or in a temporary file, and its connection has a transaction open that
    /// writes.
    case sourceInTransaction
    /// Thrown when a connection that is the source of a backup that has not finished is deserialized.
    case unfinishedSource
    /// Thrown when the destination of a backup of a ``Database`` has the path `:memory:`, or an empty path.
    case destinationNeedsFile
    /// Thrown when a backup is to copy 0 pages in each step.
    case noPages
}

extension BackupProblem {
    public var code: ResultCode {
        switch self {
        case .sameConnection, .sameFile, .destinationInTransaction, .destinationHasBusyStatement, .destinationIsSource:
            .error
        case .unfinishedDestination, .unfinishedSource: .busy
        case .sourceInTransaction, .destinationNeedsFile, .noPages: .misuse
        }
    }

    public var message: String {
        switch self {
        case .sameConnection: "source and destination must be distinct"
        case .sameFile: "source and destination must be distinct: they are one file"
        case .destinationInTransaction, .destinationHasBusyStatement, .destinationIsSource:
            "destination database is in use"
        case .unfinishedDestination: "the connection is the destination of a backup that is not finished"
        case .sourceInTransaction: "the source has a transaction open"
        case .unfinishedSource: "the connection is the source of a backup that is not finished"
        case .destinationNeedsFile: "the backup of a database needs a file as its destination"
        case .noPages: "a backup needs steps of at least one page"
        }
    }
}

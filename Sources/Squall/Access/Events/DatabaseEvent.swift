/// An event of a ``Database`` that its operator may want to know of, for logs and metrics; see
/// ``Database/addEventObserver(_:)``.
public enum DatabaseEvent: Sendable {
    /// The connection that a call uses.
    public enum Access: String, Sendable {
        /// A reader.
        case read
        /// The writer, or the only connection of a database in memory.
        case write
    }

    /// The end of a call that has waited in the line for a connection.
    public struct ConnectionWait: Sendable {
        public let access: Access
        public let duration: Duration
        /// The reason why the call got no connection; `nil` if it got one.
        public let error: (any Error)?
    }

    /// The end of a checkpoint.
    public struct Checkpoint: Sendable {
        public let mode: Connection.CheckpointMode
        /// Whether a commit has run the checkpoint: see ``Connection/walAutoCheckpoint``.
        public let isAutomatic: Bool
        /// The state of the log; `nil` after an error.
        public let result: Connection.CheckpointResult?
        /// The error, such as `SQLITE_BUSY` (5).
        public let error: (any Error)?
        public let duration: Duration

        /// Whether the whole log has been copied into the database file. A read of an older state prevents it.
        public var isComplete: Bool { result.map { $0.checkpointedFrames == $0.logFrames } ?? false }
    }

    /// The end of a backup that copied at least one page, or tried to.
    public struct Backup: Sendable {
        /// The path of the destination.
        public let destination: String
        /// The time from the first step to the end, including the time between two steps.
        public let duration: Duration
        /// The error that ended the backup early: `CancellationError` when its loop was left; `nil` when all was copied.
        public let error: (any Error)?
    }

    /// The end of an update of the statistics by which SQLite chooses among indexes.
    public struct Optimization: Sendable {
        /// The statements that were run, such as `ANALYZE "main"."cars"`. Plans of queries may change; none after an error.
        public let statements: [String]
        /// The error.
        public let error: (any Error)?
        public let duration: Duration
    }

    /// A call has returned its connection. The duration begins with the call, and includes the wait for a connection.
    ///
    /// All writes and all asynchronous reads are reported, and one of 64 blocking reads of each thread: reading the clock twice
    /// would take a third of the time of an empty read. Writes that are committed together are reported once.
    case callEnded(Access, duration: Duration)

    /// A call that has waited for a connection has got one, or an error.
    case connectionWaitEnded(ConnectionWait)

    /// A call has waited for locks of other connections, for this long altogether, in SQLite's busy handler.
    case lockWaitEnded(duration: Duration)

    /// A checkpoint has ended. Those that `PRAGMA wal_checkpoint` runs are not reported.
    case checkpointEnded(Checkpoint)

    /// A write has left a write-ahead log that is larger than ``Configuration/logLimit``, and that could not be truncated.
    case logLimitExceeded(size: Int, limit: Int)

    /// The database file has been found to be deleted, moved or replaced. Reported for each call that throws the error.
    case fileMoved(SQLiteError)

    /// A version of a ``Schema`` has been committed.
    case schemaVersionApplied(schema: String, version: Int, duration: Duration)

    /// SQLite has rolled back transactions by itself during a call, as on a full disk: see ``ResultCode/transactionLost``.
    case transactionsLost(count: Int)

    /// A backup has ended.
    case backupEnded(Backup)

    /// The database has updated statistics by itself, or has failed to: see ``Configuration/autoOptimize``. An update that found nothing
    /// to do, or that would have had to wait for a lock, is not reported.
    case optimizationEnded(Optimization)
}

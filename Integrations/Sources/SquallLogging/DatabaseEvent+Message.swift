import IntegrationSupport
import Logging
import Squall

extension SlowStatement {
    var message: Message {
        Message(
            .slowStatement, .warning, "a statement was slow",
            ["db.query.text": "\(expandedSQL ?? sql)", "squall.duration.ms": "\(duration.inMilliseconds)"])
    }
}

extension DatabaseEvent {
    /// The message of the event; `nil` if it is not logged.
    func message(longWait: Duration) -> Message? {
        switch self {
        case .callEnded: nil
        case .connectionWaitEnded(let wait): wait.duration >= longWait ? wait.message : nil
        case .lockWaitEnded(let duration):
            duration >= longWait
                ? Message(
                    .lockWait, .warning, "a call waited for locks of other connections",
                    ["squall.duration.ms": "\(duration.inMilliseconds)"])
                : nil
        case .checkpointEnded(let checkpoint): checkpoint.isComplete ? nil : checkpoint.message
        case .logLimitExceeded(let size, let limit):
            Message(
                .logLimit, .warning, "the write-ahead log exceeds its limit and could not be truncated",
                ["squall.wal.size": "\(size)", "squall.wal.limit": "\(limit)"])
        case .fileMoved(let error):
            Message(.fileMoved, .error, "the database file was deleted, moved or replaced", error.metadata)
        case .schemaVersionApplied(let schema, let version, let duration):
            Message(
                .schemaVersion, .info, "a version of the schema was applied",
                [
                    "squall.schema": "\(schema)", "squall.schema.version": "\(version)",
                    "squall.duration.ms": "\(duration.inMilliseconds)",
                ])
        case .transactionsLost(let count):
            Message(
                .transactionLost, .warning, "SQLite rolled a transaction back by itself", ["squall.count": "\(count)"])
        case .backupEnded(let backup): backup.message
        case .optimizationEnded(let optimization): optimization.message
        }
    }
}

extension DatabaseEvent.ConnectionWait {
    fileprivate var message: Message {
        Message(.connectionWait, .warning, "a call waited for a connection", metadata)
    }

    private var metadata: Logger.Metadata {
        var metadata = error?.metadata ?? [:]
        metadata["db.operation.name"] = "\(access.rawValue)"
        metadata["squall.duration.ms"] = "\(duration.inMilliseconds)"
        return metadata
    }
}

extension DatabaseEvent.Checkpoint {
    /// Readers often prevent an automatic checkpoint from copying the last pages: the next one copies them.
    fileprivate var message: Message {
        Message(.checkpoint, isAutomatic ? .debug : .notice, "a checkpoint could not finish", metadata)
    }

    private var metadata: Logger.Metadata {
        var metadata = error?.metadata ?? [:]
        metadata["squall.checkpoint.mode"] = "\(mode)"
        metadata["squall.duration.ms"] = "\(duration.inMilliseconds)"
        if let result {
            metadata["squall.wal.frames"] = "\(result.logFrames)"
            metadata["squall.wal.checkpointed_frames"] = "\(result.checkpointedFrames)"
        }
        return metadata
    }
}

extension DatabaseEvent.Backup {
    fileprivate var message: Message {
        switch error {
        case nil: Message(.backup, .info, "a backup was made", metadata)
        case is CancellationError: Message(.backup, .notice, "a backup was cancelled", metadata)
        default: Message(.backup, .error, "a backup failed", metadata)
        }
    }

    private var metadata: Logger.Metadata {
        var metadata = error?.metadata ?? [:]
        metadata["squall.backup.destination"] = "\(destination)"
        metadata["squall.duration.ms"] = "\(duration.inMilliseconds)"
        return metadata
    }
}

extension DatabaseEvent.Optimization {
    /// Plans of queries may change after it.
    fileprivate var message: Message {
        error == nil
            ? Message(.optimization, .info, "statistics for the choice of indexes were updated", metadata)
            : Message(.optimization, .warning, "statistics for the choice of indexes could not be updated", metadata)
    }

    private var metadata: Logger.Metadata {
        var metadata = error?.metadata ?? [:]
        metadata["squall.statements"] = .array(statements.map { "\($0)" })
        metadata["squall.duration.ms"] = "\(duration.inMilliseconds)"
        return metadata
    }
}

extension Error {
    /// The type of the error, and for an error of SQLite its code and message. Other errors may contain values.
    fileprivate var metadata: Logger.Metadata {
        guard let error = self as? SQLiteError else { return ["error.type": "\(type(of: self))"] }
        return [
            "error.type": "SQLiteError", "error.message": "\(error.message)",
            "db.response.status_code": "\(error.extendedCode)",
        ]
    }
}

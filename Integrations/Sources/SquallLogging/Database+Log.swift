import Logging
import Squall

/// Settings of ``Squall/Database/log(to:settings:)``.
public struct LogSettings: Sendable {
    /// The duration from which a statement is logged, in whole milliseconds; `nil` for none.
    public var slowStatement: Duration? = .milliseconds(100)
    /// The duration from which a wait for a connection or for locks is logged.
    public var longWait: Duration = .milliseconds(100)
    /// Whether the SQL of a slow statement contains the values of its parameters, which may be private, and SQLite's error log the
    /// texts of errors that statements throw.
    public var includingValues = false
    /// The maximum number of messages of one kind in each `interval`. Further ones are counted, and the next message of the
    /// kind has their number.
    public var maximumPerInterval = 10
    /// The interval of `maximumPerInterval`.
    public var interval: Duration = .seconds(10)

    public init() {}
}

extension Database {
    /// Logs the events of the database: slow statements, long waits, blocked checkpoints, a log over its limit, a replaced
    /// file, versions of a schema, lost transactions and backups.
    ///
    ///     let log = database.log(to: Logger(label: "app.database"))
    ///
    /// The messages are logged on a queue, in their order: a slow log handler delays no call of the database, and may use it.
    /// The metadata of the logger's provider, such as the identifier of a trace, is that of the call.
    ///
    /// - Parameters:
    ///   - logger: The logger. A message below its level is not made.
    ///   - settings: The thresholds and limits.
    /// - Returns: The log, which need not be kept.
    @discardableResult
    public func log(to logger: Logger, settings: LogSettings = LogSettings()) -> DatabaseLog {
        DatabaseLog(of: self, to: logger, settings)
    }
}

/// The log of a database, until it is cancelled or the database is closed.
public final class DatabaseLog: Sendable {
    private let messages: MessageQueue
    private let tokens: [DatabaseObserverToken]

    init(of database: Database, to logger: Logger, _ settings: LogSettings) {
        let messages = MessageQueue(logger, settings, database: database.fileName)
        self.messages = messages
        let longWait = settings.longWait
        var tokens = [
            database.addEventObserver { event in
                if let message = event.message(longWait: longWait) { messages.send(message) }
            }
        ]
        if let threshold = settings.slowStatement {
            tokens.append(
                database.addSlowStatementObserver(from: threshold, includingValues: settings.includingValues) {
                    messages.send($0.message)
                })
        }
        self.tokens = tokens
    }

    /// Stops logging. Messages that are waiting are still logged.
    public func cancel() {
        for token in tokens { token.cancel() }
    }

    /// Waits until the messages of all earlier events have been logged.
    public nonisolated(nonsending) func flush() async { await messages.flush() }
}

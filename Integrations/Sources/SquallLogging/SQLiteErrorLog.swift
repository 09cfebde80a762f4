import Logging
import Squall

/// Logs SQLite's error log: what no statement returns, such as a log that was recovered after a crash, a damaged page or an
/// automatic index, and at the level `debug` the errors that statements throw anyway. Configure it once, at the start of the
/// program:
///
///     try SQLiteLibrary.configure(
///         SQLiteErrorLog(to: Logger(label: "app.sqlite")).setting)
///
/// The text of an error that a statement throws may contain values, as that of a search with FTS5 does. It is logged only with
/// ``LogSettings/includingValues``. The messages are logged on a queue, because SQLite must not be used on the thread that
/// reports the error. They have the limits of ``LogSettings``.
public struct SQLiteErrorLog: Sendable {
    private let messages: MessageQueue
    private let includesValues: Bool

    /// - Parameters:
    ///   - logger: The logger.
    ///   - settings: The limits; the thresholds are not used.
    public init(to logger: Logger, settings: LogSettings = LogSettings()) {
        messages = MessageQueue(logger, settings, database: nil)
        includesValues = settings.includingValues
    }

    /// The setting for ``Squall/SQLiteLibrary/configure(_:)``, which throws after the first connection was opened.
    public var setting: SQLiteLibrary.Setting {
        .errorLog { [messages, includesValues] code, text in
            messages.send(Message(code, text, includingValues: includesValues))
        }
    }

    /// Waits until all earlier messages have been logged.
    public nonisolated(nonsending) func flush() async { await messages.flush() }
}

extension Message {
    /// Makes the message of an entry of the error log.
    init(_ code: ResultCode, _ text: String, includingValues includesValues: Bool) {
        let level = Self.level(of: code)
        self.init(
            .errorLog, level, "SQLite reported an error",
            Self.metadata(code, includesValues || level > .debug ? text : nil))
    }

    private static func metadata(_ code: ResultCode, _ text: String?) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["db.response.status_code": "\(code.rawValue)"]
        if let text { metadata["error.message"] = "\(text)" }
        return metadata
    }

    /// Damage and failures of the system are errors. What a statement throws as well is for debugging.
    private static func level(of code: ResultCode) -> Logger.Level {
        switch code.primary {
        case .corrupt, .notADatabase, .ioError, .cantOpen, .full, .outOfMemory: .error
        case ResultCode(rawValue: 28): .warning  // SQLITE_WARNING
        case ResultCode(rawValue: 27): .info  // SQLITE_NOTICE
        default: .debug
        }
    }
}

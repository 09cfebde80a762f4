import Logging

/// A message that may be logged. Its metadata is made only if it is.
struct Message {
    /// The kinds of messages, each of which is limited separately.
    enum Kind: String, CaseIterable, Sendable {
        case slowStatement = "slow-statement"
        case connectionWait = "connection-wait"
        case lockWait = "lock-wait"
        case checkpoint
        case logLimit = "log-limit"
        case fileMoved = "file-moved"
        case schemaVersion = "schema-version"
        case transactionLost = "transaction-lost"
        case backup
        case optimization
        case errorLog = "error-log"
    }

    let kind: Kind
    let level: Logger.Level
    let text: Logger.Message
    private let makeMetadata: () -> Logger.Metadata

    init(
        _ kind: Kind, _ level: Logger.Level, _ text: Logger.Message,
        _ metadata: @escaping @autoclosure () -> Logger.Metadata
    ) {
        self.kind = kind
        self.level = level
        self.text = text
        makeMetadata = metadata
    }

    var metadata: Logger.Metadata {
        var metadata = makeMetadata()
        metadata["db.system.name"] = "sqlite"
        metadata["squall.event"] = "\(kind.rawValue)"
        return metadata
    }
}

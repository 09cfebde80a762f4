import Logging

/// A message that is to be logged.
struct Message: Sendable {
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
        case errorLog = "error-log"
    }

    let kind: Kind
    let level: Logger.Level
    let text: Logger.Message
    var metadata: Logger.Metadata

    init(_ kind: Kind, _ level: Logger.Level, _ text: Logger.Message, _ metadata: Logger.Metadata) {
        self.kind = kind
        self.level = level
        self.text = text
        self.metadata = metadata
        self.metadata["db.system.name"] = "sqlite"
        self.metadata["squall.event"] = "\(kind.rawValue)"
    }
}

extension Duration {
    /// The duration in milliseconds, with three digits after the point.
    var milliseconds: Logger.MetadataValue {
        let microseconds = Int64(clamping: Int128(self / .microseconds(1)))
        let digits = String(microseconds.magnitude % 1_000)
        let fraction = String(repeating: "0", count: 3 - digits.count) + digits
        return "\(microseconds / 1_000).\(fraction)"
    }
}

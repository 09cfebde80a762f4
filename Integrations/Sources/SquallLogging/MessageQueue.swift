import Dispatch
import IntegrationSupport
import Logging
import Squall

/// Logs messages on a queue, so that a log handler that is slow, or uses the database, delays no call of the database.
final class MessageQueue: Sendable {
    private struct State {
        var limiter: MessageLimiter
        /// The number of messages that wait for the log handler.
        var waiting = 0
    }

    /// The maximum number of messages that wait for the log handler.
    private static let longestLine = 256

    private let logger: Logger
    private let database: String?
    private let queue = DispatchQueue(label: "squall.log")
    private let state: Locked<State>

    /// - Parameter database: The path of the database, which is empty for one in memory; `nil` for no database.
    init(_ logger: Logger, _ settings: LogSettings, database: String?) {
        self.logger = logger
        self.database = database.map(namespace(ofFile:))
        state = Locked(
            State(limiter: MessageLimiter(maximum: settings.maximumPerInterval, interval: settings.interval)))
    }

    /// Logs a message, unless the logger's level or the limit suppresses it.
    func send(_ message: Message) {
        guard logger.logLevel <= message.level else { return }
        guard let suppressed = admit(message.kind) else { return }
        let metadata = metadata(of: message, suppressed: suppressed)
        let (level, text) = (message.level, message.text)
        queue.async { [self] in
            logger.log(level: level, text, metadata: metadata)
            state.withLock { $0.waiting -= 1 }
        }
    }

    private func metadata(of message: Message, suppressed: Int) -> Logger.Metadata {
        // The values of the task of the call, which are not those of the queue.
        var metadata = logger.metadataProvider?.get() ?? [:]
        metadata.merge(message.metadata) { $1 }
        if let database { metadata["db.namespace"] = "\(database)" }
        if suppressed > 0 { metadata["squall.suppressed"] = "\(suppressed)" }
        return metadata
    }

    /// - Returns: The number of messages that were suppressed before; `nil` if this one is suppressed.
    private func admit(_ kind: Message.Kind) -> Int? {
        state.withLock { state in
            guard state.waiting < Self.longestLine else {
                state.limiter.suppress(kind, at: .now)
                return nil
            }
            guard let suppressed = state.limiter.admit(kind, at: .now) else { return nil }
            state.waiting += 1
            return suppressed
        }
    }

    nonisolated(nonsending) func flush() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}

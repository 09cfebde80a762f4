import Foundation
import Logging

/// A log that keeps its messages.
///
/// Sendable, because the array is used only under the lock.
final class LogRecorder: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [(level: Logger.Level, message: String)] = []

    var logger: Logger { Logger(label: "test") { _ in Handler(recorder: self) } }

    func messages(_ level: Logger.Level) -> [String] {
        lock.withLock { entries.filter { $0.level == level }.map(\.message) }
    }

    private func add(_ level: Logger.Level, _ message: String) {
        lock.withLock { entries.append((level, message)) }
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            recorder.add(event.level, "\(event.message)")
        }
    }
}

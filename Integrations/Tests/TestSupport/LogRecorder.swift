import IntegrationSupport
import Logging

/// A log that keeps its lines.
package final class LogRecorder: Sendable {
    package struct Line: Sendable {
        package let level: Logger.Level
        package let message: String
        package let metadata: Logger.Metadata

        package func text(_ key: String) -> String? { metadata[key].map { "\($0)" } }
    }

    private let kept = Locked<[Line]>([])

    package init() {}

    package var lines: [Line] { kept.value }

    package func messages(_ level: Logger.Level) -> [String] { lines.filter { $0.level == level }.map(\.message) }

    package var logger: Logger { logger() }

    /// - Parameter willLog: Called before a line is kept.
    package func logger(
        _ level: Logger.Level = .trace, metadataProvider: Logger.MetadataProvider? = nil,
        willLog: @escaping @Sendable () -> Void = {}
    ) -> Logger {
        Logger(label: "test") { _ in
            Handler(recorder: self, willLog: willLog, logLevel: level, metadataProvider: metadataProvider)
        }
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        let willLog: @Sendable () -> Void
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            willLog()
            let line = Line(
                level: event.level, message: "\(event.message)",
                metadata: metadata.merging(event.metadata ?? [:]) { $1 })
            recorder.kept.withLock { $0.append(line) }
        }
    }
}

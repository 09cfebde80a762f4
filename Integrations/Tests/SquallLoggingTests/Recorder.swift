import Foundation
import Logging

/// A line of a log.
struct Line: Sendable {
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata

    func text(_ key: String) -> String? { metadata[key].map { "\($0)" } }
}

/// A value that several threads change.
final class Shared<Value>: @unchecked Sendable {
    // Everything under the lock.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value { lock.withLock { stored } }

    @discardableResult
    func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&stored) }
    }
}

/// A log handler that keeps the lines.
struct RecordingHandler: LogHandler {
    let lines: Shared<[Line]>
    var willLog: @Sendable () -> Void = {}
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        willLog()
        let line = Line(
            level: event.level, message: event.message.description,
            metadata: metadata.merging(event.metadata ?? [:]) { $1 })
        lines.update { $0.append(line) }
    }
}

/// Runs a closure at once: a blocking verb compiles inside it, also in an asynchronous test.
func blocking<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

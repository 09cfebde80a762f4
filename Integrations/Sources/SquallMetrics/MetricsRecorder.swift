import Dispatch
import Foundation
import Metrics
import Squall

/// Records the metrics of a database, on a separate queue.
///
/// Sendable, because the variables are used only on the queue.
final class MetricsRecorder: @unchecked Sendable {
    private weak let database: Database?
    private let name: String
    private let durations: Durations
    private let factory: (any MetricsFactory)?
    private let queue = DispatchQueue(label: "squall.metrics")
    private var metrics: DatabaseInstruments?
    private var earlier: Database.Statistics?

    init(_ database: Database, name: String?, _ durations: Durations, factory: (any MetricsFactory)?) {
        self.database = database
        self.name = name ?? database.fileName.split(separator: "/").last.map(String.init) ?? ":memory:"
        self.durations = durations
        self.factory = factory
        // Earlier counts do not belong to the first interval.
        earlier = database.statistics
    }

    nonisolated(nonsending) func record() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.recordOnQueue()
                continuation.resume()
            }
        }
    }

    /// Records, but waits for at most `limit` until a backend that blocks has taken everything.
    nonisolated(nonsending) func record(waitingAtMost limit: Duration) async {
        let ending = Ending()
        await withCheckedContinuation { continuation in
            ending.continuation = continuation
            queue.async {
                self.recordOnQueue()
                ending.resume()
            }
            let milliseconds = Int(limit / .milliseconds(1))
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { ending.resume() }
        }
    }

    /// Resumes a continuation once.
    ///
    /// Sendable, because the continuation is used under the lock.
    private final class Ending: @unchecked Sendable {
        private let lock = NSLock()
        private var stored: CheckedContinuation<Void, Never>?

        var continuation: CheckedContinuation<Void, Never>? {
            get { lock.withLock { stored } }
            set { lock.withLock { stored = newValue } }
        }

        func resume() {
            let continuation = lock.withLock {
                defer { stored = nil }
                return stored
            }
            continuation?.resume()
        }
    }

    private func recordOnQueue() {
        // Made here: a factory may block.
        let metrics = self.metrics ?? DatabaseInstruments(name: name, factory: factory ?? MetricsSystem.factory)
        self.metrics = metrics
        metrics.record(durations.take())
        guard let statistics = database?.statistics else { return }
        metrics.record(statistics, since: earlier ?? statistics)
        earlier = statistics
    }
}

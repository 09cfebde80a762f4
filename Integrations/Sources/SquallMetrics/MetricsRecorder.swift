import Dispatch
import IntegrationSupport
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
        self.name = name ?? namespace(ofFile: database.fileName)
        self.durations = durations
        self.factory = factory
        // Earlier counts do not belong to the first interval.
        earlier = database.statistics
    }

    /// Records, and waits until the backend has taken everything.
    ///
    /// - Parameter limit: The longest time to wait; `nil` for no limit. The backend may still take what is left.
    nonisolated(nonsending) func record(waitingAtMost limit: Duration? = nil) async {
        await withCheckedContinuation { continuation in
            let waiting = Locked<CheckedContinuation<Void, Never>?>(continuation)
            let resume: @Sendable () -> Void = {
                let continuation = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                continuation?.resume()
            }
            queue.async {
                self.recordOnQueue()
                resume()
            }
            guard let limit else { return }
            let end = DispatchTime.now() + .milliseconds(Int(limit / .milliseconds(1)))
            DispatchQueue.global().asyncAfter(deadline: end, execute: resume)
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

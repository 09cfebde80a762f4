import Dispatch
import Metrics
import ServiceLifecycle
import Squall

/// Records metrics of a database as a service: timers of calls, waits and checkpoints, gauges of connections and of the
/// write-ahead log, counters of reads, writes, rows and the statement cache.
///
///     let metrics = DatabaseMetrics(database)
///     let group = ServiceGroup(services: [metrics], logger: logger)
///
/// Counters and gauges are read from ``Squall/Database/statistics-swift.property`` after each interval. Durations come from the
/// events of the database, wait in memory, and are recorded at the same time: a metrics backend that blocks delays no call. A
/// blocking read costs no more, except that each 64th one of a thread reads the clock.
public final class DatabaseMetrics: Service {
    private let recorder: MetricsRecorder
    private let interval: Duration
    private let token: DatabaseObserverToken

    /// The longest time for which the service waits for a backend that blocks.
    private static let patience = Duration.seconds(1)

    /// Begins to collect the durations of calls.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - name: The dimension `db.namespace` and `db.client.connection.pool.name`; `nil` for the name of the file.
    ///   - interval: The time between two recordings, at least a millisecond.
    ///   - factory: The metrics backend; `nil` for that of the process.
    public init(
        _ database: Database, name: String? = nil, every interval: Duration = .seconds(10),
        factory: (any MetricsFactory)? = nil
    ) {
        let durations = Durations()
        self.interval = max(interval, .milliseconds(1))
        recorder = MetricsRecorder(database, name: name, durations, factory: factory)
        token = database.addEventObserver { durations.add($0) }
    }

    deinit { token.cancel() }

    /// Records after each interval, and once more at the graceful shutdown or when the task is cancelled. No durations are
    /// collected afterwards. A backend that blocks delays the end by at most a second.
    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: self.interval)
                await self.recorder.record(waitingAtMost: Self.patience)
            }
        }
        token.cancel()
        await recorder.record(waitingAtMost: Self.patience)
    }

    /// Records now, on a thread that tasks do not share.
    public func record() async { await recorder.record() }
}

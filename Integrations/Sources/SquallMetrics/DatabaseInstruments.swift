import Metrics
import Squall

/// The metrics of a database. Where OpenTelemetry's conventions have a name, it is that; others begin with `squall.`.
struct DatabaseInstruments {
    private let reads: Timer
    private let writes: Timer
    private let readWaits: Timer
    private let writeWaits: Timer
    private let lockWaits: Timer
    private let checkpointDurations: Timer

    private let usedConnections: Gauge
    private let idleConnections: Gauge
    private let maximumConnections: Gauge
    private let pendingRequests: Gauge
    private let snapshots: Gauge
    private let logSize: Gauge

    private let counters: [(counter: Counter, value: KeyPath<Database.Statistics, Int>)]
    private let timeouts: Counter
    private let completeCheckpoints: Counter
    private let incompleteCheckpoints: Counter
    private let failedCheckpoints: Counter
    private let dropped: Counter

    init(name: String, factory: any MetricsFactory) {
        let system = [("db.system.name", "sqlite"), ("db.namespace", name)]
        let pool = [("db.client.connection.pool.name", name)]
        func timer(_ label: String, _ dimensions: [(String, String)]) -> Timer {
            Timer(label: label, dimensions: dimensions, factory: factory)
        }
        func gauge(_ label: String, _ dimensions: [(String, String)]) -> Gauge {
            Gauge(label: label, dimensions: dimensions, factory: factory)
        }
        func counter(_ label: String, _ dimensions: [(String, String)] = []) -> Counter {
            Counter(label: label, dimensions: system + dimensions, factory: factory)
        }
        reads = timer("db.client.operation.duration", system + [("db.operation.name", "read")])
        writes = timer("db.client.operation.duration", system + [("db.operation.name", "write")])
        readWaits = timer("db.client.connection.wait_time", pool + [("db.operation.name", "read")])
        writeWaits = timer("db.client.connection.wait_time", pool + [("db.operation.name", "write")])
        lockWaits = timer("squall.lock.wait_time", system)
        checkpointDurations = timer("squall.checkpoint.duration", system)
        usedConnections = gauge("db.client.connection.count", pool + [("db.client.connection.state", "used")])
        idleConnections = gauge("db.client.connection.count", pool + [("db.client.connection.state", "idle")])
        maximumConnections = gauge("db.client.connection.max", pool)
        pendingRequests = gauge("db.client.connection.pending_requests", pool)
        snapshots = gauge("squall.snapshots", system)
        logSize = gauge("squall.wal.size", system)
        counters = [
            (counter("squall.reads"), \.reads),
            (counter("squall.reads.continued"), \.continuedReads),
            (counter("squall.writes"), \.writes),
            (counter("squall.waits"), \.waits),
            (counter("squall.readers.opened"), \.openedReaders),
            (counter("squall.statement_cache.hits"), \.cacheHits),
            (counter("squall.statement_cache.misses"), \.cacheMisses),
            (counter("squall.rows.returned"), \.returnedRows),
            (counter("squall.transactions.lost"), \.lostTransactions),
        ]
        timeouts = Counter(label: "db.client.connection.timeouts", dimensions: pool, factory: factory)
        completeCheckpoints = counter("squall.checkpoints", [("outcome", "complete")])
        incompleteCheckpoints = counter("squall.checkpoints", [("outcome", "incomplete")])
        failedCheckpoints = counter("squall.checkpoints", [("outcome", "failed")])
        dropped = counter("squall.metrics.dropped")
    }

    func record(_ collected: Durations.Collected) {
        for (timer, durations) in [
            (reads, collected.reads), (writes, collected.writes), (readWaits, collected.readWaits),
            (writeWaits, collected.writeWaits), (lockWaits, collected.lockWaits),
            (checkpointDurations, collected.checkpoints),
        ] {
            for duration in durations { timer.record(duration: duration) }
        }
        for (counter, count) in [
            (timeouts, collected.timeouts), (completeCheckpoints, collected.completeCheckpoints),
            (incompleteCheckpoints, collected.incompleteCheckpoints),
            (failedCheckpoints, collected.failedCheckpoints), (dropped, collected.dropped),
        ] where count > 0 {
            counter.increment(by: count)
        }
    }

    /// Records the state of the database, and what was counted since an earlier state.
    func record(_ statistics: Database.Statistics, since earlier: Database.Statistics) {
        let used = statistics.busyReaders + (statistics.isWriterBusy ? 1 : 0)
        usedConnections.record(used)
        idleConnections.record(statistics.readers + (statistics.isWriterOpen ? 1 : 0) - used)
        maximumConnections.record(statistics.maximumReaders + 1)
        pendingRequests.record(statistics.waitingReads + statistics.waitingWrites)
        snapshots.record(statistics.snapshots)
        logSize.record(statistics.walSize)
        for (counter, value) in counters {
            let count = statistics[keyPath: value] - earlier[keyPath: value]
            if count > 0 { counter.increment(by: count) }
        }
    }
}

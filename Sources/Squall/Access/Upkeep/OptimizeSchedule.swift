import SquallSQLite

/// The times at which the writer of a pool updates the statistics by itself: after 1,000 changed rows, and then whenever their number
/// has doubled, at least once in 100,000.
///
/// SQLite analyses a table again when it has become ten times larger or smaller. A check that comes when twice as many rows have been
/// changed notices this in time. With 1,000 rows or fewer, each plan is fast.
struct OptimizeSchedule {
    private static let steps = Int64(1000)...100_000

    /// The number of changed rows, since the connection was opened, from which an update is due.
    private var next: Int64

    init(isOn: Bool) {
        next = isOn ? Self.steps.lowerBound : .max
    }

    func isDue(changes: Int64) -> Bool { changes >= next }

    mutating func didBegin(changes: Int64) {
        next = changes + min(max(changes, Self.steps.lowerBound), Self.steps.upperBound)
    }

    /// Waits for long after an update that had no time for a single table: the next one would not have it either, unless the machine was
    /// only busy.
    mutating func didRunOutOfTime(changes: Int64) { next = changes + Self.steps.upperBound }
}

extension PoolCore {
    /// Updates the statistics after a write that has not failed, if an update is due.
    ///
    /// - Parameters:
    ///   - deadline: The deadline of the write.
    ///   - cancellation: The cancellation of the write.
    func keepStatistics(_ pooled: PooledConnection, until deadline: Deadline?, _ cancellation: Cancellation? = nil) {
        let connection = pooled.connection
        // Reading the counter and comparing it is all that most writes do.
        guard let handle = connection.openHandle else { return }
        let changes = sqlite3_total_changes64(handle)
        guard pooled.optimizeSchedule.isDue(changes: changes) else { return }
        // As for the limit of the log. A later write updates the statistics.
        guard !pooled.isInsideLimits, cancellation?.isCancelled != true, deadline?.hasPassed != true,
            !connection.lease.isClosed, !connection.isInTransaction
        else { return }
        pooled.optimizeSchedule.didBegin(changes: changes)
        let end = Deadline(after: StatisticsUpdate.Limits.patience)
        let limits = StatisticsUpdate.Limits(end: min(end, deadline ?? end))
        func update() throws -> StatisticsUpdate? {
            connection.withOwnAccess { connection.updateStatisticsWithoutWaiting(limits) }
        }
        if let ended = try? connection.withCancellation(cancellation, update) {
            events?.send(ended)
        } else if end.hasPassed {
            pooled.optimizeSchedule.didRunOutOfTime(changes: changes)
        }
    }
}

extension DatabaseEvents {
    func send(_ update: StatisticsUpdate) { send(.optimizationEnded(DatabaseEvent.Optimization(update))) }
}

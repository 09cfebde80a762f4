/// The limit of the write-ahead log of a database: a write that leaves a larger log truncates it.
final class LogLimit: Sendable {
    let bytes: Int
    private let readers: PoolCore
    /// The time before which no attempt is made, because the last one failed.
    private let nextAttempt = Locked<ContinuousClock.Instant?>(nil)

    /// The longest time for which an attempt holds the readers back.
    private static let patience = Duration.seconds(1)
    /// The time after a failed attempt until the next, as a multiple of the time that the attempt took.
    private static let pause = 10

    /// Makes the limit of a configuration; `nil` if it has none, or if the database has only one connection.
    init?(of configuration: Configuration, readers: PoolCore?) {
        guard let bytes = configuration.logLimit, let readers else { return nil }
        self.bytes = max(0, bytes)
        self.readers = readers
    }

    /// Truncates the log if it is larger than the limit. A failure does not concern the caller, as with an automatic checkpoint.
    ///
    /// - Parameters:
    ///   - deadline: The deadline of the write, which also ends the wait for readers.
    ///   - cancellation: The cancellation of the write, which does the same.
    /// - Returns: The size of the log in bytes if an attempt to truncate it has failed.
    fileprivate func keep(
        _ file: DatabaseFile, on connection: Connection, until deadline: Deadline?,
        _ cancellation: Cancellation?
    ) -> Int? {
        // Its caller does not wait for it any longer. A later write truncates the log.
        if cancellation?.isCancelled == true { return nil }
        guard file.walSize > bytes, !connection.isClosed else { return nil }
        // A write inside a read of the same thread would wait for that read. A later write truncates the log.
        guard PooledConnection.innermost(of: readers) == nil else { return nil }
        let start = ContinuousClock.now
        if let next = nextAttempt.withLock({ $0 }), start < next { return nil }
        if let deadline, deadline.hasPassed { return nil }
        do {
            func attempt() throws { _ = try readers.checkpoint(.truncate, on: connection, holding: Self.patience) }
            if let cancellation {
                try connection.withCancellation(cancellation, attempt)
            } else {
                try connection.interruption.scope(on: connection, deadline: deadline, cancellation: nil, attempt)
            }
            nextAttempt.withLock { $0 = nil }
            return nil
        } catch {
            if cancellation?.isCancelled == true { return nil }
            let end = ContinuousClock.now
            nextAttempt.withLock { $0 = end + (end - start) * Self.pause }
            return file.walSize
        }
    }
}

extension PoolCore {
    /// Keeps the limit of the log after a write that has not failed, if there is a limit.
    ///
    /// - Parameters:
    ///   - deadline: The deadline of the write.
    ///   - cancellation: The cancellation of the write.
    func keepLogLimit(
        _ pooled: PooledConnection, until deadline: Deadline?, _ cancellation: Cancellation? = nil
    ) {
        // Nested in a closure with a deadline or a cancellation, it could wait for longer than they allow. A later write
        // truncates the log.
        guard let logLimit, let file, !pooled.isInsideLimits else { return }
        guard let size = logLimit.keep(file, on: pooled.connection, until: deadline, cancellation) else { return }
        events?.send(.logLimitExceeded(size: size, limit: logLimit.bytes))
    }
}

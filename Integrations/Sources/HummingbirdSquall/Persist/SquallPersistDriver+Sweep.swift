import Logging
import ServiceLifecycle
import Squall

extension SquallPersistDriver {
    /// Sweeps expired rows now, and again at each interval, until the service shuts down or its task is cancelled.
    ///
    /// A sweep that fails is logged as a warning, and the next one tries again: a locked database must not end the
    /// server. A sweep that runs when the service shuts down is ended, and its transaction rolled back.
    public func run() async throws {
        let interval = max(configuration.sweepInterval, .milliseconds(1))
        // Returns `nil` because of a cancellation, by which it always ends.
        _ = try? await cancelWhenGracefulShutdown {
            while true {
                await logErrors { try await sweep() }
                try await Task.sleep(for: interval)
            }
        }
        try await shutdown()
    }

    /// Deletes the rows that have expired, some in each transaction, so that other writes need not wait long:
    ///
    ///     DELETE FROM "hummingbird_persist" WHERE rowid IN (
    ///         SELECT rowid FROM "hummingbird_persist" WHERE expires_at <= :now
    ///         ORDER BY expires_at LIMIT 500)
    ///
    /// - Returns: The number of deleted rows.
    /// - Throws: ``/Squall/SQLiteError``, also when the deadline has passed and when the database is locked;
    ///   `CancellationError`. Rows of earlier transactions stay deleted.
    @discardableResult
    public func sweep() async throws -> Int {
        let batch = max(configuration.sweepBatch, 1)
        var total = 0
        while true {
            let count = try await write { connection, now in
                try connection.run(
                    """
                    DELETE FROM \(name: table) WHERE rowid IN (
                        SELECT rowid FROM \(name: table) WHERE expires_at <= \(now.milliseconds)
                        ORDER BY expires_at LIMIT \(batch))
                    """)
                return connection.changes
            }
            total += count
            if count < batch { return total }
        }
    }

    private func logErrors(of body: () async throws -> Void) async {
        do {
            try await body()
        } catch is CancellationError {
            // The service ends.
        } catch {
            logger.warning("Expired values could not be deleted", metadata: ["error": "\(error)"])
        }
    }
}

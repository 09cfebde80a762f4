import IntegrationSupport
import Logging
import Squall

extension DatabaseService {
    /// Refuses every further use, ends the opening, and closes the database.
    func close() async throws {
        switch state.withLock({ $0.close() }) {
        case .nothing: break
        case .opening(let opening, let waiters):
            for waiter in waiters { waiter.resume() }
            opening.cancel()
            if let database = await opening.value { try await close(database) }
        case .database(let database): try await close(database)
        }
    }

    /// Closes a database: waits for the running closures, interrupts their statements after the limit or when the task
    /// is cancelled, and empties the log.
    func close(_ database: Database) async throws {
        logger.debug("the database is closing", metadata: ["squall.path": "\(database.fileName)"])
        let interrupter = Interrupter(database)
        let timer = Task { [limit, logger] in
            try await Task.sleep(for: limit)
            logger.warning(
                "closures of the database are still running: their statements are interrupted",
                metadata: ["squall.path": "\(database.fileName)", "squall.limit": "\(limit)"])
            await interrupter.run()
        }
        defer {
            timer.cancel()
            interrupter.stop()
        }
        do {
            try await logging("closed", database) {
                try await withTaskCancellationHandler {
                    try await database.close()
                } onCancel: {
                    Task { await interrupter.run() }
                }
                if !state.withLock({ $0.isReadOnly }) { await LeftoverLog(of: database, logger)?.truncate() }
            }
        } catch {
            logger.error(
                "the database was not closed",
                metadata: ["squall.path": "\(database.fileName)", "error.message": "\(error)"])
            throw error
        }
    }
}

/// Interrupts the running statements of a database, until it is stopped. An interrupt affects only the statements that
/// run at that moment, and a closure may begin others.
private struct Interrupter: Sendable {
    private let database: Database
    private let isStopped = Locked(false)

    init(_ database: Database) {
        self.database = database
    }

    func stop() {
        isStopped.withLock { $0 = true }
    }

    func run() async {
        while !isStopped.withLock({ $0 }) {
            database.interrupt()
            // A cancelled task no longer sleeps, but is also stopped.
            try? await Task.sleep(for: .milliseconds(5))
        }
    }
}

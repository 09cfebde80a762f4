import IntegrationSupport
import Squall

extension DatabaseService {
    func waitForDatabase() async throws -> Database {
        let number = state.withLock { state in
            state.begin { Task { await openDatabase() } }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                if !state.withLock({ $0.add(waiter, number: number) }) { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.cancel(number) }?.resume()
        }
        return try state.withLock { try $0.finish(number) }
    }

    /// Opens, checks and migrates the database, and reports the result to the waiters.
    ///
    /// - Returns: The database that remains to be closed, because the service was closed in the meantime.
    private func openDatabase() async -> Database? {
        var opened: Database?
        do {
            let database = try await logging("opened") { try await runOutsideTasks(open) }
            opened = database
            try await prepare(database)
            return finishOpening(.success(database)) ? nil : database
        } catch {
            // Cancelled when the service is closed, which then waits for this task.
            if let opened, !Task.isCancelled {
                // Its error is logged, and less important than that of the opening.
                try? await close(opened)
            }
            if finishOpening(.failure(error)) { return nil }
            logger.notice("the shutdown ended the opening of the database", metadata: ["error.message": "\(error)"])
            return opened
        }
    }

    /// - Returns: Whether the service was not closed in the meantime.
    private func finishOpening(_ result: Result<Database, any Error>) -> Bool {
        guard let waiters = state.withLock({ $0.finishOpening(result) }) else { return false }
        for waiter in waiters { waiter.resume() }
        return true
    }

    private func prepare(_ database: Database) async throws {
        try await openLog(of: database)
        if check != .none { try await logging("checked", database) { try await checkFile(of: database) } }
        if let schema { try await logging("migrated", database) { try await database.migrate(schema) } }
        try Task.checkCancellation()
    }

    /// Reads from the file with the writer. SQLite opens the log with the first read of a connection, and a writer that
    /// has not opened the log does not remove it at its end, although readers have made it.
    private func openLog(of database: Database) async throws {
        let isReadOnly = try await database.writeWithoutTransaction { connection in
            try connection.run("SELECT 1 FROM sqlite_schema LIMIT 1")
            return connection.readOnly
        }
        state.withLock { $0.isReadOnly = isReadOnly }
    }

    private func checkFile(of database: Database) async throws {
        let problems = try await database.read { [check] connection in
            try check == .full ? connection.integrityCheck() : connection.quickCheck()
        }
        guard problems.isEmpty else {
            throw DatabaseServiceError.damagedFile(path: database.fileName, problems: problems)
        }
    }

    /// Runs a step, and logs how long it took.
    @discardableResult
    func logging<Value: Sendable>(
        _ step: String, _ database: Database? = nil, _ body: () async throws -> Value
    ) async throws -> Value {
        let start = ContinuousClock.now
        let value = try await body()
        let path = (database ?? value as? Database)?.fileName ?? ""
        logger.info(
            "the database was \(step)",
            metadata: [
                "squall.path": "\(path)", "squall.duration.ms": "\((ContinuousClock.now - start).inMilliseconds)",
            ])
        return value
    }
}

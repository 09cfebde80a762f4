import Squall

/// Hands the statements of an asynchronous closure to the thread that holds the connection.
struct StatementHandover: Sendable {
    private typealias Work = @Sendable (Result<Connection, any Error>) -> Void

    private let statements = Handover<Work>()

    /// Suspends the caller until the thread has the connection.
    nonisolated(nonsending) func begin() async throws {
        try await perform { _ in }
    }

    /// Suspends the caller while the thread runs a closure with the connection.
    nonisolated(nonsending) func perform<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        // A child task can be cancelled alone. Its statement ends then, and the session continues.
        let cancellation = Cancellation()
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    add { connection in
                        continuation.resume(
                            with: Result {
                                let connection = try connection.get()
                                return try connection.endingStatements(by: cancellation) { try body(connection) }
                            })
                    }
                }
            } onCancel: {
                cancellation.cancel()
            }
        } catch let error as SQLiteError where error.kind == .interrupted(.cancellation) {
            throw CancellationError()
        }
    }

    private func add(_ work: @escaping Work) {
        switch statements.add(work) {
        case nil: break
        case .stopped(let error): work(.failure(error))
        case .finished: work(.failure(SQLiteError(StoreProblem.sessionHasEnded)))
        }
    }

    /// Ends the work of the thread, with the error of the closure if it has thrown one.
    func finish(_ error: (any Error)? = nil) { statements.finish(error) }

    /// Runs statements on the connection, and blocks the thread between them, until the closure has ended.
    ///
    /// - Throws: The error of the closure; `SQLiteError` when the work of the connection must end.
    func run(on connection: Connection) throws {
        do {
            try connection.checkMayBegin()
            while let work = try statements.next({ try connection.checkMayBegin() }) {
                work(.success(connection))
                try connection.checkMayBegin()
            }
        } catch {
            leave(error)
            throw error
        }
    }

    /// Refuses statements from now on, because no connection runs them.
    func leave(_ error: any Error) {
        for work in statements.stop(error) { work(.failure(error)) }
    }
}

extension StatementHandover: SQLRunner {
    nonisolated(nonsending) func run(_ sql: SQL) async throws -> RunResult {
        try await perform { connection in
            try connection.run(sql)
            return RunResult(changes: connection.changes, lastInsertRowID: connection.lastInsertRowID)
        }
    }

    nonisolated(nonsending) func execute(_ script: SQL) async throws {
        try await perform { try $0.execute(script) }
    }

    nonisolated(nonsending) func query<Value: Sendable>(
        _ sql: SQL, rows: QueriedRows, _ read: @escaping @Sendable (Connection, SQL) throws -> Value
    ) async throws -> Value {
        try await perform { try read($0, sql) }
    }
}

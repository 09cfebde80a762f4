import Squall

/// Hands the statements of an asynchronous closure to the thread that holds the connection.
///
/// Sendable, because all properties are used under the lock.
final class StatementHandover: @unchecked Sendable {
    private enum Stage {
        case open
        /// The closure has ended, with or without an error.
        case finished((any Error)?)
        /// The thread has left the connection.
        case left(any Error)
    }

    private typealias Work = (Result<Connection, any Error>) -> Void

    private let lock = Lock()
    private let changed = ConditionVariable()
    private var state = Stage.open
    /// The statements that have not begun, the next one first.
    private var waiting: [Work] = []

    /// Suspends the caller until the thread has the connection.
    nonisolated(nonsending) func begin() async throws {
        try await perform { _ in }
    }

    /// Suspends the caller while the thread runs a closure with the connection.
    nonisolated(nonsending) func perform<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                add { connection in continuation.resume(with: Result { try body(connection.get()) }) }
            }
        } catch let error as SQLiteError where error.kind == .interrupted(.cancellation) {
            throw CancellationError()
        }
    }

    private func add(_ work: @escaping Work) {
        let refusal: (any Error)? = lock.withLock {
            switch state {
            case .open:
                waiting.append(work)
                changed.broadcast()
                return nil
            case .left(let error): return error
            case .finished: return SQLiteError(StoreProblem.sessionHasEnded)
            }
        }
        if let refusal { work(.failure(refusal)) }
    }

    /// Ends the work of the thread, with the error of the closure if it has thrown one.
    func finish(_ error: (any Error)? = nil) {
        lock.withLock {
            guard case .open = state else { return }
            state = .finished(error)
            changed.broadcast()
        }
    }

    /// Runs statements on the connection, and blocks the thread between them, until the closure has ended.
    ///
    /// - Throws: The error of the closure; `SQLiteError` when the work of the connection must end.
    func run(on connection: Connection) throws {
        do {
            while let work = try next(for: connection) { work(.success(connection)) }
        } catch {
            leave(error)
            throw error
        }
    }

    /// Refuses statements from now on, because there is no connection for them.
    func leave(_ error: any Error) {
        let refused = lock.withLock {
            if case .open = state { state = .left(error) }
            defer { waiting = [] }
            return waiting
        }
        for work in refused { work(.failure(error)) }
    }

    private func next(for connection: Connection) throws -> Work? {
        try lock.withLock {
            while true {
                try connection.checkMayBegin()
                if !waiting.isEmpty { return waiting.removeFirst() }
                if case .finished(let error) = state {
                    if let error { throw error }
                    return nil
                }
                // In slices, as the busy handler waits: a deadline and a cancellation do not wake this thread.
                changed.wait(with: lock, atMost: .milliseconds(20))
            }
        }
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

import Squall

/// The state of a ``DatabaseService``: from `unopened` by `opening` to `ready` or `failed`, and from each of them to
/// `closed`.
struct ServiceState: Sendable {
    typealias Waiter = CheckedContinuation<Database, any Error>
    /// Opens the database. Its result is a database that remains to be closed, because the service was closed in the
    /// meantime.
    typealias Opening = Task<Database?, Never>

    private enum Phase {
        case unopened
        case opening(Opening, waiters: [Int: Waiter])
        case ready(Database)
        case failed(any Error)
        case closed
    }

    /// The parts of a service that remain to be closed.
    enum Remainder {
        case nothing
        case opening(Opening, refused: [Waiter])
        case database(Database)
    }

    /// Whether the database was opened read-only: its log is left alone.
    var isReadOnly = false
    private var phase = Phase.unopened
    private var lastNumber = 0
    /// The waiters whose tasks were cancelled before they waited.
    private var cancelled: Set<Int> = []

    var readyDatabase: Database? {
        if case .ready(let database) = phase { database } else { nil }
    }

    var isReady: Bool { readyDatabase != nil }

    /// Returns the number of a new waiter.
    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Adds a waiter, and begins the opening for the first one.
    ///
    /// - Returns: The result for a waiter that need not wait.
    mutating func wait(
        _ number: Int, _ waiter: Waiter, begin: () -> Opening
    ) -> Result<Database, any Error>? {
        if cancelled.remove(number) != nil { return .failure(CancellationError()) }
        switch phase {
        case .unopened:
            phase = .opening(begin(), waiters: [number: waiter])
            return nil
        case .opening(let opening, var waiters):
            waiters[number] = waiter
            phase = .opening(opening, waiters: waiters)
            return nil
        case .ready(let database): return .success(database)
        case .failed(let error): return .failure(error)
        case .closed: return .failure(DatabaseServiceError.closed)
        }
    }

    /// Returns the waiter of a task that was cancelled, which no longer waits.
    mutating func cancel(_ number: Int) -> Waiter? {
        guard case .opening(let opening, var waiters) = phase, let waiter = waiters.removeValue(forKey: number) else {
            cancelled.insert(number)
            return nil
        }
        phase = .opening(opening, waiters: waiters)
        return waiter
    }

    /// Forgets a waiter that has its result.
    mutating func forget(_ number: Int) {
        cancelled.remove(number)
    }

    /// Ends the opening.
    ///
    /// - Returns: The waiters; `nil` when the service was closed in the meantime.
    mutating func finishOpening(_ result: Result<Database, any Error>) -> [Waiter]? {
        guard case .opening(_, let waiters) = phase else { return nil }
        switch result {
        case .success(let database): phase = .ready(database)
        case .failure(let error): phase = .failed(error)
        }
        return Array(waiters.values)
    }

    /// Refuses every further use.
    mutating func close() -> Remainder {
        switch phase {
        case .opening(let opening, let waiters):
            phase = .closed
            return .opening(opening, refused: Array(waiters.values))
        case .ready(let database):
            phase = .closed
            return .database(database)
        // The error stays the answer to later callers.
        case .failed, .closed: return .nothing
        case .unopened:
            phase = .closed
            return .nothing
        }
    }
}

import Squall

/// The state of a ``DatabaseService``: from `unopened` by `opening` to `ready` or `failed`, and from each of them to
/// `closed`.
struct ServiceState: Sendable {
    /// A task that opens the database. Its result is a database that remains to be closed, because the service was
    /// closed in the meantime.
    typealias Opening = Task<Database?, Never>
    typealias Waiter = CheckedContinuation<Void, Never>

    private enum Phase {
        case unopened
        case opening(Opening, waiters: [Int: Waiter])
        case ready(Database)
        case failed(any Error)
        case closed
    }

    /// The part of a service that remains to be closed.
    enum Remainder {
        case nothing
        case opening(Opening, waiters: [Waiter])
        case database(Database)
    }

    /// Whether the database was opened read-only: its log is left alone.
    var isReadOnly = false
    private var phase = Phase.unopened
    private var lastNumber = 0
    private var cancelledCallers: Set<Int> = []

    var readyDatabase: Database? {
        if case .ready(let database) = phase { database } else { nil }
    }

    /// Begins the opening for the first caller.
    ///
    /// - Returns: The number of the caller.
    mutating func begin(_ open: () -> Opening) -> Int {
        if case .unopened = phase { phase = .opening(open(), waiters: [:]) }
        lastNumber += 1
        return lastNumber
    }

    /// Adds a waiter.
    ///
    /// - Returns: Whether the caller must wait.
    mutating func add(_ waiter: Waiter, number: Int) -> Bool {
        guard case .opening(let opening, var waiters) = phase, !cancelledCallers.contains(number) else { return false }
        waiters[number] = waiter
        phase = .opening(opening, waiters: waiters)
        return true
    }

    /// Cancels a caller.
    ///
    /// - Returns: Its waiter, if it waits.
    mutating func cancel(_ number: Int) -> Waiter? {
        cancelledCallers.insert(number)
        guard case .opening(let opening, var waiters) = phase else { return nil }
        let waiter = waiters.removeValue(forKey: number)
        phase = .opening(opening, waiters: waiters)
        return waiter
    }

    /// Returns the database for a caller that does not wait any more.
    mutating func finish(_ number: Int) throws -> Database {
        if cancelledCallers.remove(number) != nil { throw CancellationError() }
        switch phase {
        case .ready(let database): return database
        case .failed(let error): throw error
        case .unopened, .opening, .closed: throw DatabaseServiceError.closed
        }
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

    /// Refuses every further use. After a failure, its error stays the answer to callers.
    mutating func close() -> Remainder {
        let remainder: Remainder
        switch phase {
        case .failed: return .nothing
        case .unopened, .closed: remainder = .nothing
        case .opening(let opening, let waiters): remainder = .opening(opening, waiters: Array(waiters.values))
        case .ready(let database): remainder = .database(database)
        }
        phase = .closed
        return remainder
    }
}

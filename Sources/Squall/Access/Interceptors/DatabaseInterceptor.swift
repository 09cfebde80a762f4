/// An asynchronous call of a ``Database``, as interceptors receive it.
public enum DatabaseOperation: String, Sendable, CaseIterable {
    /// ``Database/read(deadline:_:)``.
    case read
    /// ``Database/write(deadline:isolated:_:)``, ``Database/writeWithoutTransaction(deadline:_:)``, and the writing of large values.
    case write
    /// ``Database/migrate(_:to:options:waiting:progress:)``.
    case migrate
    /// ``Database/checkpoint(_:holdingReaders:deadline:)``.
    case checkpoint
    /// ``Database/vacuum(deadline:)`` and ``Database/vacuum(into:deadline:)``.
    case vacuum
    /// ``Database/optimize(deadline:)``.
    case optimize
}

/// Code that runs around the asynchronous calls of a database, for example to record spans of a trace; see
/// ``Database/addInterceptor(_:)``.
public protocol DatabaseInterceptor: Sendable {
    /// Runs a call, once.
    ///
    /// The closure of the call is part of the task: it sees the task-local values that are bound here.
    ///
    /// - Parameters:
    ///   - operation: The kind of the call.
    ///   - database: The database.
    ///   - call: Waits for a connection and runs the closure.
    /// - Returns: The result of `call`.
    /// - Throws: The error of `call`. An error that is thrown without calling it refuses the call.
    nonisolated(nonsending) func intercept<Result: Sendable>(
        _ operation: DatabaseOperation, on database: Database,
        _ call: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result
}

extension Database {
    /// Adds an interceptor around the interceptors that were added before. It is called for asynchronous calls that begin later,
    /// also for those with a session; not for blocking calls, snapshots, observations and backups, whose end is a
    /// ``DatabaseEvent``.
    @discardableResult
    public func addInterceptor(_ interceptor: some DatabaseInterceptor) -> DatabaseObserverToken {
        let number = interceptors.add(interceptor)
        return DatabaseObserverToken { [weak self] in self?.interceptors.remove(number) }
    }

    /// Runs an asynchronous call inside the interceptors.
    package nonisolated(nonsending) func intercepted<Result: Sendable>(
        _ operation: DatabaseOperation, _ call: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let interceptors = interceptors.all
        if interceptors.isEmpty { return try await call() }
        return try await run(interceptors[...], operation, call)
    }

    private nonisolated(nonsending) func run<Result: Sendable>(
        _ interceptors: ArraySlice<any DatabaseInterceptor>, _ operation: DatabaseOperation,
        _ call: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        guard let outermost = interceptors.last else { return try await call() }
        return try await outermost.intercept(operation, on: self) {
            try await run(interceptors.dropLast(), operation, call)
        }
    }
}

/// The interceptors of a database, in the order in which they were added.
///
/// Sendable, because the variables are used only under the lock.
final class DatabaseInterceptors: @unchecked Sendable {
    private let lock = Lock()
    private var entries: [(number: Int, interceptor: any DatabaseInterceptor)] = []
    private var lastNumber = 0

    var all: [any DatabaseInterceptor] { lock.withLock { entries.isEmpty ? [] : entries.map(\.interceptor) } }

    /// - Returns: The number by which the interceptor is removed.
    func add(_ interceptor: any DatabaseInterceptor) -> Int {
        lock.withLock {
            lastNumber += 1
            entries.append((lastNumber, interceptor))
            return lastNumber
        }
    }

    func remove(_ number: Int) {
        lock.withLock { entries.removeAll { $0.number == number } }
    }
}

import SquallSQLite

/// The state of the suspensions of a database. The phases of its cores are changed together under its lock, by `suspend`
/// and `resume`. Connections are opened and closed outside it, because that calls code of the user.
///
/// Sendable, because the properties are used only under the lock.
final class Suspension: @unchecked Sendable {
    private let lock = Lock()
    private let isIdle = ConditionVariable()
    /// The number of times that the database was resumed.
    private var generation = 0
    /// The number of calls that have suspended the database.
    private var calls = 0
    /// The thread that opens the writer again.
    private var resumingThread: pthread_t?
    /// The number of threads that wait for that thread.
    private var waiting = 0

    /// Runs the transition of a call that suspends the database.
    ///
    /// - Returns: The present generation, which ends when the database is resumed, and the result of the closure.
    func suspend<Result>(_ body: () throws -> Result) rethrows -> (generation: Int, result: Result) {
        try lock.withLock {
            let result = try body()
            calls += 1
            return (generation, result)
        }
    }

    /// Runs a closure if the database has not been resumed since a generation began. It must neither block nor call code
    /// of the user.
    ///
    /// - Returns: The result of the closure; `nil` if it did not run.
    func during<Result>(_ generation: Int, _ body: () -> Result) -> Result? {
        lock.withLock { generation == self.generation ? body() : nil }
    }

    /// The number of threads that wait for another one to resume the database.
    var waitingThreads: Int { lock.withLock { waiting } }

    /// Begins to resume the database. Waits while another thread resumes it.
    ///
    /// - Returns: The number of calls that have suspended the database; `nil` when this thread is resuming it already, or
    ///   the closure returns `false`.
    func beginResuming(if isNeeded: () -> Bool) -> Int? {
        lock.withLock {
            waiting += 1
            while let resumingThread, resumingThread != pthread_self() { isIdle.wait(with: lock, atMost: .seconds(60)) }
            waiting -= 1
            guard resumingThread == nil, isNeeded() else { return nil }
            resumingThread = pthread_self()
            return calls
        }
    }

    /// Ends resuming. Runs the transition unless another call has suspended the database since ``beginResuming(if:)``.
    ///
    /// - Parameter calls: The result of ``beginResuming(if:)``; `nil` when the database stays suspended.
    /// - Returns: Whether the transition ran.
    func endResuming(_ calls: Int?, _ body: () -> Void = {}) -> Bool {
        lock.withLock {
            resumingThread = nil
            isIdle.broadcast()
            guard calls == self.calls else { return false }
            body()
            generation += 1
            return true
        }
    }
}

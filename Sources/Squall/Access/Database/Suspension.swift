import SquallSQLite

/// The state of the suspensions of a database. The phases of its cores are changed together under its lock, by `suspend`
/// and `resume`. Connections are opened and closed outside it, because that calls code of the user.
struct Suspension: Sendable {
    private struct State {
        /// The number of times that the database was resumed.
        var generation = 0
        /// The number of calls that have suspended the database.
        var calls = 0
        /// The thread that opens the writer again.
        var resumingThread: pthread_t?
        /// The number of threads that wait for that thread.
        var waiting = 0
    }

    private let state = Locked(State())
    private let isIdle = ConditionVariable()

    /// Runs the transition of a call that suspends the database.
    ///
    /// - Returns: The present generation, which ends when the database is resumed, and the result of the closure.
    func suspend<Result>(_ body: () throws -> Result) rethrows -> (generation: Int, result: Result) {
        try state.withLock { state in
            let result = try body()
            state.calls += 1
            return (state.generation, result)
        }
    }

    /// Runs a closure if the database has not been resumed since a generation began. It must neither block nor call code
    /// of the user.
    ///
    /// - Returns: The result of the closure; `nil` if it did not run.
    func during<Result>(_ generation: Int, _ body: () -> Result) -> Result? {
        state.withLock { $0.generation == generation ? body() : nil }
    }

    /// The number of threads that wait for another one to resume the database.
    var waitingThreads: Int { state.withLock { $0.waiting } }

    /// Begins to resume the database. Waits while another thread resumes it.
    ///
    /// - Returns: The number of calls that have suspended the database; `nil` when this thread is resuming it already, or
    ///   the closure returns `false`.
    func beginResuming(if isNeeded: () -> Bool) -> Int? {
        var isWaiting = false
        return state.wait(for: isIdle, atMost: .seconds(60)) { state -> Int?? in
            if let thread = state.resumingThread, thread != pthread_self() {
                if !isWaiting { state.waiting += 1 }
                isWaiting = true
                return nil
            }
            if isWaiting { state.waiting -= 1 }
            guard state.resumingThread == nil, isNeeded() else { return .some(nil) }
            state.resumingThread = pthread_self()
            return state.calls
        }
    }

    /// Ends resuming. Runs the transition unless another call has suspended the database since ``beginResuming(if:)``.
    ///
    /// - Parameter calls: The result of ``beginResuming(if:)``; `nil` when the database stays suspended.
    /// - Returns: Whether the transition ran.
    func endResuming(_ calls: Int?, _ body: () -> Void = {}) -> Bool {
        state.withLock { state in
            state.resumingThread = nil
            isIdle.broadcast()
            guard calls == state.calls else { return false }
            body()
            state.generation += 1
            return true
        }
    }
}

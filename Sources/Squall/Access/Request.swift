import Foundation

/// An asynchronous call: an actor whose executor waits for a connection.
///
/// To enter the actor is to wait: the task is resumed on a queue of the call once its turn has come. One hop does both, no
/// thread is blocked meanwhile, and the closure is part of the task, with its task-local values and its `Task.isCancelled`.
/// A continuation on a plain queue gives the closure neither, and is not faster.
actor Request: SerialExecutor {
    private let core: PoolCore
    private let waiter = Waiter()
    nonisolated let cancellation: Cancellation

    init(to core: PoolCore, deadline: Duration?) {
        self.core = core
        cancellation = Cancellation(deadline: deadline.map { .now + $0 })
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    /// Runs a part of the task when a connection has been granted or refused.
    nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        core.request(waiter, until: cancellation.deadline) { [self] outcome in
            waiter.outcome = outcome
            // Not on this thread: it may hold the lock of the task, or be about to give its connection back. A queue of its
            // own, because an executor that runs jobs at once goes on there with the caller's work, which may block.
            DispatchQueue(label: "squall.call").async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    nonisolated func cancel() {
        // Running work first: it may be what the others in the line wait for.
        cancellation.cancel()
        core.withdraw(waiter, CancellationError())
    }

    /// Runs a closure with the connection that was granted. The closure releases it.
    ///
    /// - Throws: `CancellationError` in place of the error that a cancelled statement throws.
    func run<Result: Sendable>(_ body: @Sendable (PooledConnection, Cancellation) throws -> Result) throws -> Result {
        do {
            return try body(try core.pooled(waiter.outcome, cancellation), cancellation)
        } catch let error as SQLiteError where error.mayBeCancellation && cancellation.isCancelled {
            throw CancellationError()
        }
    }
}

extension SQLiteError {
    /// Whether SQLite reports this for a statement, or a wait, that was ended; or Squall for the statements that follow in a
    /// transaction that was ended so.
    fileprivate var mayBeCancellation: Bool {
        resultCode == .interrupt || resultCode == .busy || extendedResultCode == .transactionLost
    }
}

extension PoolCore {
    /// Runs a closure with a connection, off the threads that tasks share, and suspends the caller until then. The closure
    /// releases the connection, so that it is free before the caller goes on.
    nonisolated(nonsending) func perform<Result: Sendable>(
        deadline: Duration?, _ body: @Sendable (PooledConnection, Cancellation) throws -> Result
    ) async throws -> Result {
        try fork.check()
        let request = Request(to: self, deadline: deadline)
        return try await withTaskCancellationHandler {
            try await request.run(body)
        } onCancel: {
            request.cancel()
        }
    }
}

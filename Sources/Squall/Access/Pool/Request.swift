import Dispatch

/// An asynchronous call: an actor whose executor waits for a connection.
///
/// Entering the actor suspends the task until its turn. It is resumed on a queue of the call, without blocking a
/// thread, and the closure is part of the task: it sees the task-local values and `Task.isCancelled`. A continuation on
/// a plain queue provides neither, and is not faster.
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
            // Not on this thread, which may hold the lock of the task, or be about to return its connection. On a
            // queue for this call alone, because the executor continues with the caller's work there, which may block.
            DispatchQueue(label: "squall.call").async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    nonisolated func cancel() {
        // The running work first: waiters may need its connection.
        cancellation.cancel()
        core.withdraw(waiter, CancellationError())
    }

    /// Runs a closure with the connection that was granted. The closure releases it.
    ///
    /// - Throws: `CancellationError` in place of the error that a cancelled statement throws.
    func run<Result: Sendable>(_ body: @Sendable (PooledConnection, Cancellation) throws -> Result) throws -> Result {
        do {
            return try body(try core.connection(of: waiter.outcome, cancellation), cancellation)
        } catch let error as SQLiteError where error.mayBeCancellation && cancellation.isCancelled {
            throw CancellationError()
        }
    }
}

extension SQLiteError {
    /// Whether SQLite reports this for a cancelled statement or wait, or Squall for later statements of a transaction
    /// that a cancellation has ended.
    fileprivate var mayBeCancellation: Bool {
        resultCode == .interrupt || resultCode == .busy || extendedResultCode == .transactionLost || isWrappedInterrupt
    }

    /// Whether `ALTER TABLE` has reported an interrupt of its internal statements, with another result code.
    private var isWrappedInterrupt: Bool {
        resultCode == .error && (message.contains("interrupted") || message.contains(codeDescription))
    }
}

extension PoolCore {
    /// Suspends the caller while it runs a closure with a connection, outside the threads that tasks share. The closure
    /// releases the connection, so that it is free before the caller continues.
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

import Dispatch

/// An asynchronous call: an actor whose executor waits for a connection.
///
/// Entering the actor suspends the task until its turn, without blocking a thread. It is resumed on a queue, and the closure is
/// part of the task: it sees the task-local values and `Task.isCancelled`. A continuation on a plain queue provides neither, and
/// is not faster.
actor Request: SerialExecutor {
    private let core: PoolCore
    private let waiter: Waiter
    private let qos: DispatchQoS
    nonisolated let cancellation: Cancellation

    init(to core: PoolCore, deadline: Duration?, joining membership: Waiter.Membership) {
        self.core = core
        waiter = Waiter(joining: membership)
        #if canImport(Darwin)
            // The priority of the task, and not that of the thread that returns a connection.
            qos = DispatchQoS(Task.currentPriority)
        #else
            qos = .unspecified
        #endif
        cancellation = Cancellation(deadline: deadline.map { Deadline(after: $0) })
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    /// Runs the job of ``run(_:)`` when a connection has been granted or refused. A request has one job: `run` does not suspend, and
    /// is called once.
    nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        core.requestConnection(for: waiter, until: cancellation.deadline) { [self] outcome in
            waiter.outcome = outcome
            // A joined call runs here: this thread continues the commit group afterwards.
            if case .joined = outcome { return job.runSynchronously(on: asUnownedSerialExecutor()) }
            // Other calls run on another thread: this one may hold the lock of the task, or be about to return its connection.
            core.callQueues.run(with: qos) { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    nonisolated func cancel() {
        // The running work is cancelled first, because waiters may need its connection.
        cancellation.cancel()
        core.withdraw(waiter, CancellationError())
    }

    /// Runs a closure with the connection that was granted. The closure must release it.
    ///
    /// - Throws: `CancellationError` in place of the error that a cancelled statement throws.
    func run<Result: Sendable>(_ body: @Sendable (PooledConnection, Cancellation) throws -> Result) throws -> Result {
        do {
            return try body(try core.connection(of: waiter, cancellation), cancellation)
        } catch let error as SQLiteError where error.mayBeCancellation && cancellation.isCancelled {
            throw CancellationError()
        }
    }
}

#if canImport(Darwin)
    extension DispatchQoS {
        /// The quality of service of a task with this priority. Task priorities have the raw values of `qos_class_t`: 0x21 is
        /// `QOS_CLASS_USER_INTERACTIVE`.
        fileprivate init(_ priority: TaskPriority) {
            switch priority.rawValue {
            case 0x21...: self = .userInteractive
            case 0x19...: self = .userInitiated
            case 0x15...: self = .default
            case 0x11...: self = .utility
            case 1...: self = .background
            default: self = .default
            }
        }
    }
#endif

extension SQLiteError {
    /// Whether the error may be the effect of a cancellation: of a statement, of a wait for a lock, or of a transaction that the
    /// cancellation has ended.
    fileprivate var mayBeCancellation: Bool {
        resultCode == .interrupt || resultCode == .busy || extendedResultCode == .transactionLost || isWrappedInterrupt
    }

    /// Whether `ALTER TABLE` has reported an interrupt of its internal statements, with another result code.
    private var isWrappedInterrupt: Bool {
        resultCode == .error && (message.contains("interrupted") || message.contains(codeDescription))
    }
}

extension PoolCore {
    /// Runs a closure with a connection, outside the threads that tasks share, and suspends the caller until it has returned. The
    /// closure must release the connection, so that it is free before the caller continues.
    nonisolated(nonsending) func perform<Result: Sendable>(
        deadline: Duration?, joining membership: Waiter.Membership = .none,
        _ body: @Sendable (PooledConnection, Cancellation) throws -> Result
    ) async throws -> Result {
        try fork.check()
        let request = Request(to: self, deadline: deadline, joining: membership)
        return try await withTaskCancellationHandler {
            try await request.run(body)
        } onCancel: {
            request.cancel()
        }
    }
}

import SquallSQLite

/// Ends work on a connection from any thread, and nothing but that work: when it is cancelled, or at a deadline.
///
/// Sendable, because everything that changes is behind the lock of `condition`. The handle is used under that lock too, and
/// only while the work runs: `sqlite3_interrupt` may be called from any thread as long as the connection is open.
final class Cancellation: @unchecked Sendable {
    /// The time at which the work ends by itself, waiting included.
    let deadline: ContinuousClock.Instant?

    private let condition = Monitor()
    private var isSet = false
    private var running: OpaquePointer?

    init(deadline: ContinuousClock.Instant? = nil) {
        self.deadline = deadline
    }

    var isCancelled: Bool { condition.withLock { isSet } }

    /// Ends the work that runs, or that is to begin. Again, it does nothing.
    func cancel() {
        condition.withLock {
            isSet = true
            if let running { sqlite3_interrupt(running) }
            condition.broadcast()
        }
    }

    /// Sets the handle that is interrupted from now on. With `nil`, nothing is interrupted after the call.
    func run(on handle: OpaquePointer?) {
        condition.withLock { running = handle }
    }

    /// Sleeps until a time, or until the work is cancelled.
    func sleep(until end: ContinuousClock.Instant) {
        condition.withLock {
            while !isSet {
                let rest = ContinuousClock.now.duration(to: end)
                guard rest > .zero else { return }
                condition.wait(atMost: rest)
            }
        }
    }
}

extension Connection {
    /// Runs a closure whose statements, and whose waiting for locks, end when it is cancelled or when the deadline has passed.
    ///
    /// After a cancellation, statements that the closure has left standing on a row are reset, because the interrupt would
    /// end the next one as well.
    func withCancellation<Result>(_ cancellation: Cancellation, _ body: () throws -> Result) throws -> Result {
        try interruption.scope(on: self, deadline: cancellation.deadline, cancellation: cancellation) {
            defer {
                cancellation.run(on: nil)
                if cancellation.isCancelled {
                    endBusyStatements()
                    if let handle { Self.clearInterrupt(of: handle) }
                }
            }
            return try body()
        }
    }

    /// Runs a closure whose statements, and whose waiting for locks, end when the deadline has passed.
    @usableFromInline
    func withDeadline<Result>(
        at deadline: ContinuousClock.Instant, _ body: () throws -> Result
    ) throws -> Result {
        try interruption.scope(
            on: self, deadline: deadline, cancellation: interruption.cancellation, body
        )
    }
}

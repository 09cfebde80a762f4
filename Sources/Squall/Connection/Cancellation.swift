import SquallSQLite

/// Ends one piece of work on a connection from any thread: when it is cancelled, or at its deadline. Other work is not
/// affected.
///
/// Sendable, because all mutable properties are used under the lock of `condition`. So is the handle, and only while
/// the work runs: `sqlite3_interrupt` may be called from any thread as long as the connection is open.
@usableFromInline
final class Cancellation: @unchecked Sendable {
    /// The time at which the work ends, even while it waits.
    let deadline: ContinuousClock.Instant?

    private let condition = Monitor()
    private var isSet = false
    private var running: OpaquePointer?
    private var onCancel: (() -> Void)?

    init(deadline: ContinuousClock.Instant? = nil) {
        self.deadline = deadline
    }

    var isCancelled: Bool { condition.withLock { isSet } }

    /// Ends the running work, or work that begins later. Cancelling again does nothing.
    func cancel() {
        let onCancel = condition.withLock {
            isSet = true
            if let running { sqlite3_interrupt(running) }
            condition.broadcast()
            return self.onCancel
        }
        onCancel?()
    }

    /// Sets the closure that is called when the work is cancelled, at once if it is cancelled already; `nil` removes it. A
    /// cancellation at the same time may still call one that was just removed.
    func onCancel(_ body: (() -> Void)?) {
        let isCancelled = condition.withLock {
            onCancel = body
            return isSet
        }
        if isCancelled { body?() }
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
    /// Runs a closure. Its statements and its waits for locks end when it is cancelled, or when the deadline has
    /// passed.
    ///
    /// After a cancellation, statements that the closure has left on a row are reset. Otherwise, the interrupt would
    /// also end the next statement.
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

    /// Runs a closure. Its statements and its waits for locks end when the deadline has passed.
    @usableFromInline
    func withDeadline<Result>(
        at deadline: ContinuousClock.Instant, _ body: () throws -> Result
    ) throws -> Result {
        try interruption.scope(
            on: self, deadline: deadline, cancellation: interruption.cancellation, body
        )
    }
}

import Dispatch
import SquallSQLite

/// Ends one piece of work on a connection from any thread: when it is cancelled, or at its deadline. Other work is not
/// affected.
///
/// Sendable, because all mutable properties but `previous` are used under the lock, and `previous` only by the
/// thread that runs the work. The handle is used only while the work runs: `sqlite3_interrupt` may be called from any thread as
/// long as the connection is open.
@usableFromInline
final class Cancellation: @unchecked Sendable {
    /// The time at which the work ends, even while it waits.
    let deadline: Deadline?

    private let lock = Lock()
    /// Wakes the thread that sleeps in the work; `nil` before the first sleep.
    private var wakeUp: ConditionVariable?
    private var isSet = false
    private var running: OpaquePointer?
    private var onCancel: (() -> Void)?

    // The closures of a thread end in reverse order, so that the last nested piece of work ends first.
    /// The work that runs inside a closure of this work, and ends with it.
    private var nested: Cancellation?
    private let parent: Cancellation?
    /// The nested work of the parent that began before this work.
    private var previous: Cancellation?

    /// - Parameters:
    ///   - deadline: The time at which the work ends, even while it waits.
    ///   - parent: The work inside whose closure this work runs, until ``end()``. Cancelling it cancels this work.
    init(deadline: Deadline? = nil, parent: Cancellation? = nil) {
        self.deadline = deadline
        self.parent = parent
        previous = parent?.setNested(self)
    }

    /// Ends nested work: its parent does not cancel it from now on.
    func end() {
        parent?.setNested(previous)
        previous = nil
    }

    /// - Returns: The nested work until now.
    @discardableResult
    private func setNested(_ nested: Cancellation?) -> Cancellation? {
        let (previous, isCancelled) = lock.withLock {
            defer { self.nested = nested }
            return (self.nested, isSet)
        }
        if isCancelled { nested?.cancel() }
        return previous
    }

    var isCancelled: Bool { lock.withLock { isSet } }

    /// Ends the running work, or work that begins later. Cancelling again does nothing.
    func cancel() {
        let (onCancel, nested) = lock.withLock {
            isSet = true
            if let running { sqlite3_interrupt(running) }
            wakeUp?.broadcast()
            return (self.onCancel, self.nested)
        }
        nested?.cancel()
        onCancel?()
    }

    /// Sets the closure that is called when the work is cancelled, at once if it is cancelled already; `nil` removes it. A
    /// cancellation at the same time may still call one that was just removed.
    func onCancel(_ body: (() -> Void)?) {
        let isCancelled = lock.withLock {
            onCancel = body
            return isSet
        }
        if isCancelled { body?() }
    }

    /// Sets the handle that is interrupted from now on. With `nil`, nothing is interrupted after the call.
    func run(on handle: OpaquePointer?) {
        lock.withLock { running = handle }
    }

    /// Sleeps until a time, or until the work is cancelled.
    func sleep(until end: Deadline) {
        lock.withLock {
            let wakeUp = wakeUp ?? ConditionVariable()
            self.wakeUp = wakeUp
            while !isSet, !end.hasPassed { wakeUp.wait(with: lock, atMost: end.rest) }
        }
    }
}

extension DispatchQueue {
    /// The queue of the deadlines. Private and serial, because the global queues stall when an application blocks their
    /// threads. Nothing that runs here may block.
    static let squallTimers = DispatchQueue(label: "squall.timers")
}

extension Connection {
    /// Runs a closure. Its statements end at a time, also while they count the rows of a table, where SQLite calls no progress handler.
    func endingStatements<Result>(at end: Deadline, _ body: () throws -> Result) throws -> Result {
        let limit = Cancellation(parent: interruption.cancellation)
        let timer = DispatchSource.makeTimerSource(queue: .squallTimers)
        timer.setEventHandler { limit.cancel() }
        timer.schedule(deadline: end.dispatchTime)
        timer.activate()
        defer {
            timer.cancel()
            limit.end()
        }
        return try withCancellation(limit, body)
    }

    /// Runs a closure. Its statements and its waits for locks end when it is cancelled, or when the deadline has
    /// passed.
    ///
    /// After a cancellation, statements that the closure has left on a row are reset. Otherwise, the interrupt would
    /// also end the next statement.
    func withCancellation<Result>(_ cancellation: Cancellation, _ body: () throws -> Result) throws -> Result {
        try interruption.scope(on: self, deadline: cancellation.deadline, cancellation: cancellation) {
            defer { endInterrupts(of: cancellation) }
            return try body()
        }
    }

    /// Ends the interrupts of a cancellation. If it was cancelled, statements that are on a row are reset.
    func endInterrupts(of cancellation: Cancellation) {
        cancellation.run(on: nil)
        guard cancellation.isCancelled else { return }
        endBusyStatements()
        if let handle { Self.clearInterrupt(of: handle) }
    }

    /// Runs a closure. Its statements and its waits for locks end when the deadline has passed.
    @usableFromInline
    func withDeadline<Result>(
        at deadline: Deadline, _ body: () throws -> Result
    ) throws -> Result {
        try interruption.scope(
            on: self, deadline: deadline, cancellation: interruption.cancellation, body
        )
    }
}

import Dispatch
import SquallSQLite

/// Ends one piece of work on a connection from any thread: when it is cancelled, or at its deadline. Other work is not
/// affected.
@usableFromInline
package final class Cancellation: Sendable {
    private struct State {
        var isSet = false
        /// The handle of the running work: `sqlite3_interrupt` may be called from any thread as long as the connection is open.
        var running: OpaquePointer?
        var onCancel: (() -> Void)?
        /// Wakes the thread that sleeps in the work; `nil` before the first sleep.
        var wakeUp: ConditionVariable?
        // The closures of a thread end in reverse order, so that the last nested piece of work ends first.
        /// The work that runs inside a closure of this work, and ends with it.
        var nested: Cancellation?
        /// The nested work of the parent that began before this work.
        var previous: Cancellation?
    }

    /// The time at which the work ends, even while it waits.
    let deadline: Deadline?
    private let parent: Cancellation?
    private let state = Locked(State())

    /// - Parameters:
    ///   - deadline: The time at which the work ends, even while it waits.
    ///   - parent: The work inside whose closure this work runs, until ``end()``. Cancelling it cancels this work.
    init(deadline: Deadline? = nil, parent: Cancellation? = nil) {
        self.deadline = deadline
        self.parent = parent
        guard let previous = parent?.setNested(self) else { return }
        state.withLock { $0.previous = previous }
    }

    package convenience init() { self.init(deadline: nil) }

    /// Ends nested work: its parent does not cancel it from now on.
    func end() {
        guard let parent else { return }
        let previous = state.withLock { state in
            defer { state.previous = nil }
            return state.previous
        }
        parent.setNested(previous)
    }

    /// - Returns: The nested work until now.
    @discardableResult
    private func setNested(_ nested: Cancellation?) -> Cancellation? {
        let (previous, isCancelled) = state.withLock { state in
            defer { state.nested = nested }
            return (state.nested, state.isSet)
        }
        if isCancelled { nested?.cancel() }
        return previous
    }

    var isCancelled: Bool { state.withLock { $0.isSet } }

    /// Ends the running work, or work that begins later. Cancelling again does nothing.
    package func cancel() {
        let (onCancel, nested) = state.withLock { state in
            state.isSet = true
            if let running = state.running { sqlite3_interrupt(running) }
            state.wakeUp?.broadcast()
            return (state.onCancel, state.nested)
        }
        nested?.cancel()
        onCancel?()
    }

    /// Sets the closure that is called when the work is cancelled, at once if it is cancelled already; `nil` removes it. A
    /// cancellation at the same time may still call one that was just removed.
    func onCancel(_ body: (() -> Void)?) {
        let isCancelled = state.withLock { state in
            state.onCancel = body
            return state.isSet
        }
        if isCancelled { body?() }
    }

    /// Sets the handle that is interrupted from now on. With `nil`, nothing is interrupted after the call.
    func run(on handle: OpaquePointer?) {
        state.withLock { $0.running = handle }
    }

    /// Sleeps until a time, or until the work is cancelled.
    func sleep(until end: Deadline) {
        let wakeUp = state.withLock { state in
            let wakeUp = state.wakeUp ?? ConditionVariable()
            state.wakeUp = wakeUp
            return wakeUp
        }
        state.wait(for: wakeUp, atMost: end.rest) { $0.isSet || end.hasPassed ? () : nil }
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
        let limit = Cancellation()
        let timer = DispatchSource.makeTimerSource(queue: .squallTimers)
        timer.setEventHandler { limit.cancel() }
        timer.schedule(deadline: end.dispatchTime)
        timer.activate()
        defer { timer.cancel() }
        return try endingStatements(by: limit, body)
    }

    /// Runs a closure. Its statements end when a limit is cancelled, and with the cancellation that is in force.
    package func endingStatements<Result>(by limit: Cancellation, _ body: () throws -> Result) throws -> Result {
        let nested = Cancellation(parent: interruption.cancellation)
        defer { nested.end() }
        limit.onCancel { nested.cancel() }
        defer { limit.onCancel(nil) }
        return try withCancellation(nested, body)
    }

    /// Runs a closure. Its statements and its waits for locks end when it is cancelled, or when the deadline has
    /// passed. Without a cancellation, it only runs.
    ///
    /// After a cancellation, statements that the closure has left on a row are reset. Otherwise, the interrupt would
    /// also end the next statement.
    @usableFromInline
    func withCancellation<Result>(_ cancellation: Cancellation?, _ body: () throws -> Result) throws -> Result {
        guard let cancellation else { return try body() }
        return try interruption.scope(on: self, deadline: cancellation.deadline, cancellation: cancellation) {
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

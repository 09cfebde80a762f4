import Foundation
import Squall
import SquallBase

/// The handling of ^C and other signals by a verb that must clean up.
///
/// The first signal interrupts the statement that is running, and is found by ``check()``. The verb then cleans up as after any
/// error. A second one cleans up and ends the process at once, for instance during a long wait for a lock.
final class Interruption: Sendable {
    private struct State {
        var isRequested = false
        var interrupt: (@Sendable () -> Void)?
        var cleanUp: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    /// Runs a closure during which signals are handled.
    static func handling<Result>(
        _ signals: [Int32] = InterruptSignal.all, _ body: (Interruption) throws -> Result
    ) throws -> Result {
        let interruption = Interruption()
        let signal = InterruptSignal(signals) { interruption.request() }
        defer { signal.cancel() }
        return try body(interruption)
    }

    /// Runs an asynchronous closure during which signals are handled.
    static func handling<Result>(_ body: (Interruption) async throws -> Result) async throws -> Result {
        let interruption = Interruption()
        let signal = InterruptSignal(InterruptSignal.all) { interruption.request() }
        defer { signal.cancel() }
        return try await body(interruption)
    }

    /// Runs a closure during which signals are handled, and interrupt the statements of a connection.
    static func handling<Result>(of connection: Connection, _ body: (Interruption) throws -> Result) throws -> Result {
        try handling { interruption in
            try interruption.interrupting(connection) { try body(interruption) }
        }
    }

    /// - Throws: ``Failure`` after a signal. The tool then ends as if it had received the signal.
    func check() throws {
        if state.withLock({ $0.isRequested }) { throw Self.failure }
    }

    /// Runs a closure whose statements are interrupted by a signal.
    func interrupting<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result {
        let handle = connection.interruptHandle
        try state.withLock { state in
            if state.isRequested { throw Self.failure }
            state.interrupt = { handle.interrupt() }
        }
        defer { state.withLock { $0.interrupt = nil } }
        return try body()
    }

    /// Runs a closure in a task that is cancelled by a signal.
    func cancelling<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try check()
        let task = Task(operation: body)
        state.withLock { $0.interrupt = { task.cancel() } }
        defer { state.withLock { $0.interrupt = nil } }
        do { return try await task.value } catch {
            try check()
            throw error
        }
    }

    /// Sets what a second signal does before it ends the process.
    func cleanUpAtOnce(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.cleanUp = body }
    }

    private func request() {
        let before = state.withLock { state in
            defer { state.isRequested = true }
            return state
        }
        before.interrupt?()
        if !before.isRequested { return }
        before.cleanUp?()
        InterruptSignal.endProcess()
    }

    private static var failure: Failure { Failure("interrupted", exitCode: .interrupted) }
}

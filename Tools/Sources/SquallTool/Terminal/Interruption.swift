import Foundation
import Squall

/// The handling of ^C and other signals by a verb that must clean up.
///
/// The first signal interrupts the statement that is running, and is found by ``check()``. The verb then cleans up as after any
/// error. A second one cleans up and ends the process at once, for instance during a long wait for a lock.
final class Interruption: @unchecked Sendable {
    private let lock = NSLock()
    private var isRequested = false
    private var handle: InterruptHandle?
    private var cleanUp: (@Sendable () -> Void)?

    /// Runs a closure during which signals are handled.
    static func handling<Result>(
        _ signals: [Int32] = InterruptSignal.all, _ body: (Interruption) throws -> Result
    ) throws -> Result {
        let interruption = Interruption()
        let signal = InterruptSignal(signals) { interruption.request() }
        defer { signal.cancel() }
        return try body(interruption)
    }

    /// Runs a closure during which signals are handled, and interrupt the statements of a connection.
    static func handling<Result>(of connection: Connection, _ body: (Interruption) throws -> Result) throws -> Result {
        try handling { interruption in
            try interruption.interrupting(connection) { try body(interruption) }
        }
    }

    /// - Throws: ``Failure`` after a signal. The tool then ends as if it had received the signal.
    func check() throws {
        if lock.withLock({ isRequested }) { throw Self.failure }
    }

    /// Runs a closure whose statements are interrupted by a signal.
    func interrupting<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result {
        let handle = connection.interruptHandle
        try lock.withLock {
            if isRequested { throw Self.failure }
            self.handle = handle
        }
        defer { lock.withLock { self.handle = nil } }
        return try body()
    }

    /// Sets what a second signal does before it ends the process.
    func cleanUpAtOnce(_ body: @escaping @Sendable () -> Void) {
        lock.withLock { cleanUp = body }
    }

    private func request() {
        let (isFirst, handle, cleanUp) = lock.withLock {
            defer { isRequested = true }
            return (!isRequested, self.handle, self.cleanUp)
        }
        handle?.interrupt()
        if isFirst { return }
        cleanUp?()
        InterruptSignal.endProcess()
    }

    private static var failure: Failure { Failure("interrupted", exitCode: .interrupted) }
}

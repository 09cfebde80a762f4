import Foundation
import Squall

/// Whether the user has pressed ^C. SQLite ends only the statement that is running; between two of them, a verb checks this.
final class Interruption: @unchecked Sendable {
    private let lock = NSLock()
    private var isInterrupted = false

    /// Runs a closure which ^C interrupts.
    static func watching<Result>(_ connection: Connection, _ body: (Interruption) throws -> Result) rethrows -> Result {
        let interruption = Interruption()
        let handle = connection.interruptHandle
        let signal = InterruptSignal {
            interruption.set()
            handle.interrupt()
        }
        defer { signal.cancel() }
        return try body(interruption)
    }

    private func set() {
        lock.withLock { isInterrupted = true }
    }

    /// - Throws: ``Failure`` after ^C.
    func check() throws {
        guard lock.withLock({ isInterrupted }) else { return }
        throw Failure("interrupted", exitCode: .interrupted)
    }
}

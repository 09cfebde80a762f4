import Foundation
import Squall

/// Calls a closure when the user presses ^C, instead of ending the process at once. For verbs that must clean up, or go on.
///
///     let signal = InterruptSignal { handle.interrupt() }
///     defer { signal.cancel() }
final class InterruptSignal {
    private let source: any DispatchSourceSignal

    init(_ action: @escaping @Sendable () -> Void) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler(handler: action)
        source.activate()
    }

    /// Ends the handling. ^C ends the process again.
    func cancel() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }

    /// Runs a closure whose statements are interrupted by ^C. They throw `SQLITE_INTERRUPT` (9), with which the tool ends as
    /// if it had received the signal.
    static func interrupting<Result>(_ connection: Connection, _ body: () throws -> Result) rethrows -> Result {
        let handle = connection.interruptHandle
        let signal = InterruptSignal { handle.interrupt() }
        defer { signal.cancel() }
        return try body()
    }

    /// Ends the process by the signal, which shells report as 130.
    static func endProcess() -> Never {
        signal(SIGINT, SIG_DFL)
        raise(SIGINT)
        exit(130)
    }
}

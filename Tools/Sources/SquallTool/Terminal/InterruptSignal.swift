import Foundation

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

    /// Ends the process by the signal, which shells report as 130.
    static func endProcess() -> Never {
        signal(SIGINT, SIG_DFL)
        raise(SIGINT)
        exit(130)
    }
}

import Foundation

/// Calls a closure when the process receives a signal, instead of ending it at once. For verbs that must clean up, or go on.
///
///     let signal = InterruptSignal([SIGINT]) { handle.interrupt() }
///     defer { signal.cancel() }
final class InterruptSignal {
    /// ^C, `kill`, and the end of the terminal.
    static let all = [SIGINT, SIGTERM, SIGHUP]

    private static let lock = NSLock()
    nonisolated(unsafe) private static var lastSignal = SIGINT

    private let sources: [any DispatchSourceSignal]
    private let signals: [Int32]

    /// A signal that the parent process ignores, such as SIGHUP under `nohup`, stays ignored.
    init(_ signals: [Int32], _ action: @escaping @Sendable () -> Void) {
        let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
        self.signals = signals.filter { number in
            let before = signal(number, SIG_IGN)
            return number == SIGINT || unsafeBitCast(before, to: Int.self) != ignored
        }
        sources = self.signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                Self.lock.withLock { Self.lastSignal = number }
                action()
            }
            source.activate()
            return source
        }
    }

    /// Ends the handling. The signals end the process again.
    func cancel() {
        for source in sources { source.cancel() }
        for number in signals { signal(number, SIG_DFL) }
    }

    /// Ends the process by the signal that it has received, which shells report as 128 and its number: 130 for ^C.
    static func endProcess() -> Never {
        let number = lock.withLock { lastSignal }
        signal(number, SIG_DFL)
        raise(number)
        exit(128 + number)
    }
}

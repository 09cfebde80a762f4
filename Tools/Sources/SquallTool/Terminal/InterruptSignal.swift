import Foundation
import SquallBase

/// Calls a closure when the process receives a signal, instead of ending it. For verbs that must clean up, or go on.
///
///     let signal = InterruptSignal([SIGINT]) { handle.interrupt() }
///     defer { signal.cancel() }
///
/// Of several that handle a signal, the one that began last is called.
final class InterruptSignal: Sendable {
    /// ^C, `kill`, and the end of the terminal.
    static let all = [SIGINT, SIGTERM, SIGHUP]

    private static let handlers = SignalHandlers()
    private let signals: [Int32]
    fileprivate let action: @Sendable () -> Void

    init(_ signals: [Int32], _ action: @escaping @Sendable () -> Void) {
        (self.signals, self.action) = (signals, action)
        for number in signals { Self.handlers.add(self, for: number) }
    }

    /// Ends the handling.
    func cancel() {
        for number in signals { Self.handlers.remove(self, for: number) }
    }

    /// Ends the process by the signal that it has received, which shells report as 128 and its number: 130 for ^C.
    static func endProcess() -> Never {
        let number = handlers.lastSignal
        signal(number, SIG_DFL)
        // The dispatch library blocks a signal in the thread that has received it.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        exit(128 + number)
    }
}

/// The handlers of the process.
///
/// A signal that has been handled once stays with its source: cancelling a source and making another one for the same signal can
/// lose the second one, because the first ends later, on another thread. Without a handler, the signal ends the process.
private final class SignalHandlers: Sendable {
    private struct State {
        var sources: [Int32: any DispatchSourceSignal] = [:]
        var handlers: [Int32: [InterruptSignal]] = [:]
        var last = SIGINT
    }

    private let state = Locked(State())

    var lastSignal: Int32 { state.withLock { $0.last } }

    func add(_ handler: InterruptSignal, for number: Int32) {
        state.withLock { state in
            if state.sources[number] == nil {
                let before = signal(number, SIG_IGN)
                // A signal that the parent process ignores, such as SIGHUP under `nohup`, stays ignored.
                let isIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
                if isIgnored, number != SIGINT { return }
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { [unowned self] in receive(number) }
                source.activate()
                state.sources[number] = source
            }
            state.handlers[number, default: []].append(handler)
        }
    }

    func remove(_ handler: InterruptSignal, for number: Int32) {
        state.withLock { $0.handlers[number]?.removeAll { $0 === handler } }
    }

    private func receive(_ number: Int32) {
        let handler = state.withLock { state in
            state.last = number
            return state.handlers[number]?.last
        }
        guard let handler else { InterruptSignal.endProcess() }
        handler.action()
    }
}

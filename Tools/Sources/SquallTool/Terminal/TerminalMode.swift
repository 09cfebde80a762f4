import Foundation

/// A mode of the terminal, until it is left.
struct TerminalMode {
    private let before: termios
    /// The process must not leave the terminal in this mode when it is killed.
    private let signal: InterruptSignal

    /// - Parameters:
    ///   - signals: The signals that restore the terminal and end the process.
    ///   - action: How the terminal is restored then.
    ///   - end: Called after it.
    ///   - change: Makes the mode out of the present one.
    init(
        restoredBy signals: [Int32], _ action: Int32 = TCSADRAIN, then end: @escaping @Sendable () -> Void = {},
        _ change: (inout termios) -> Void
    ) throws {
        var mode = termios()
        guard tcgetattr(STDIN_FILENO, &mode) == 0 else {
            throw Failure("cannot read from the terminal: \(String(cString: strerror(errno)))", exitCode: .ioError)
        }
        let before = mode
        self.before = before
        signal = InterruptSignal(signals) {
            Self.set(before, action)
            end()
            InterruptSignal.endProcess()
        }
        change(&mode)
        Self.set(mode)
    }

    func leave() {
        Self.set(before)
        signal.cancel()
    }

    // Without TCSAFLUSH, which drops what was typed ahead.
    private static func set(_ mode: termios, _ action: Int32 = TCSADRAIN) {
        var mode = mode
        tcsetattr(STDIN_FILENO, action, &mode)
    }
}

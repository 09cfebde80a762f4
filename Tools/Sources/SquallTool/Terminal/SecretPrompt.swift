import ArgumentParser
import Foundation

/// Asks for a secret on the terminal, which does not show what is typed.
enum SecretPrompt {
    /// Whether a person can be asked.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Prints a question to standard error, and returns the bytes of the line that is typed.
    static func read(_ question: String) throws -> [UInt8] {
        let mode = try SilentMode()
        defer { mode.leave() }
        try? FileHandle.standardError.write(contentsOf: Data(question.utf8))
        var (line, byte): ([UInt8], UInt8) = ([], 0)
        while true {
            let count = Foundation.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { return line }
            line.append(byte)
        }
    }
}

/// The mode of a terminal that collects a line without an echo.
private struct SilentMode {
    /// `_POSIX_VDISABLE`, which Swift does not import from Glibc.
    #if os(Linux)
        private static let noCharacter: UInt8 = 0
    #else
        private static let noCharacter: UInt8 = 255
    #endif

    private let before: termios
    /// The process must not leave the terminal in this mode when it is killed.
    private let signal: InterruptSignal

    init() throws {
        var mode = termios()
        guard tcgetattr(STDIN_FILENO, &mode) == 0 else {
            throw Failure("cannot read from the terminal: \(String(cString: strerror(errno)))", exitCode: .ioError)
        }
        let before = mode
        self.before = before
        signal = InterruptSignal(InterruptSignal.all) {
            // What was typed of the secret must not reach the shell.
            Self.set(before, TCSAFLUSH)
            Console.printError("")
            InterruptSignal.endProcess()
        }
        mode.c_lflag &= ~tcflag_t(ECHO)
        // ^Z would leave the mode to the shell, and come back to one that has an echo.
        withUnsafeMutableBytes(of: &mode.c_cc) { $0[Int(VSUSP)] = Self.noCharacter }
        Self.set(mode)
    }

    func leave() {
        Self.set(before)
        signal.cancel()
        // The newline that was typed had no echo.
        Console.printError("")
    }

    // Without TCSAFLUSH, which drops what was typed ahead.
    private static func set(_ mode: termios, _ action: Int32 = TCSADRAIN) {
        var mode = mode
        tcsetattr(STDIN_FILENO, action, &mode)
    }
}

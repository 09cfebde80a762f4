import ArgumentParser
import Foundation

/// Asks for a secret on the terminal, which does not show what is typed.
enum SecretPrompt {
    /// Whether a person can be asked.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Prints a question to standard error, and returns the bytes of the line that is typed.
    static func read(_ question: String) throws -> [UInt8] {
        let mode = try TerminalMode.silent()
        defer {
            mode.leave()
            // The newline that was typed had no echo.
            Console.printError("")
        }
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

extension TerminalMode {
    /// `_POSIX_VDISABLE`, which Swift does not import from Glibc.
    #if os(Linux)
        private static let noCharacter: UInt8 = 0
    #else
        private static let noCharacter: UInt8 = 255
    #endif

    /// The terminal collects a line without an echo. A secret that was typed in part does not reach the shell after a signal.
    fileprivate static func silent() throws -> TerminalMode {
        try TerminalMode(restoredBy: InterruptSignal.all, TCSAFLUSH, then: { Console.printError("") }) { mode in
            mode.c_lflag &= ~tcflag_t(ECHO)
            // ^Z would leave the mode to the shell, and come back to one that has an echo.
            withUnsafeMutableBytes(of: &mode.c_cc) { $0[Int(VSUSP)] = noCharacter }
        }
    }
}

import Foundation

/// Reads texts from the terminal with a ``LineEditor``.
final class TerminalLine {
    enum Input {
        case text(String)
        /// ^C.
        case cancelled
        /// ^D, or the end of the terminal.
        case ended
    }

    // The terminal marks what is pasted.
    private static let beginOfPasting = "\u{1B}[?2004h"
    private static let endOfPasting = "\u{1B}[?2004l"
    private var decoder = KeyDecoder()
    private var display = LineDisplay()

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - isComplete: Whether ENTER ends the text.
    ///   - complete: Completes the text before the cursor, and returns what else could follow, to be listed.
    func read(
        prompt: String, history: [String], isComplete: (String) -> Bool, complete: (inout LineEditor) -> [String]
    ) throws -> Input {
        let continuation = String(repeating: " ", count: max(prompt.displayWidth - 5, 0)) + "...> "
        var editor = LineEditor(history: history)
        func draw() throws {
            let layout = LineLayout(
                editor, prompt: prompt, continuation: continuation, width: Console.width(of: STDOUT_FILENO))
            try write(display.draw(layout, height: Console.height(of: STDOUT_FILENO)))
        }
        /// Leaves the text on the screen, and goes to the line below.
        func finish(_ mark: String = "") throws {
            _ = editor.handle(.end) { _ in true }
            while editor.after.contains("\n") { _ = editor.handle(.down) { _ in true } }
            _ = editor.handle(.end) { _ in true }
            try draw()
            try write(Self.endOfPasting + mark + "\r\n")
            display = LineDisplay()
        }
        let mode = try TerminalMode.raw()
        defer { mode.leave() }
        try write(Self.beginOfPasting)
        try draw()
        while let byte = try nextByte() {
            guard let key = decoder.decode(byte) else { continue }
            switch editor.handle(key, isComplete: isComplete) {
            case .none: continue
            case .redraw: try draw()
            case .accept(let text):
                try finish()
                return .text(text)
            case .cancel:
                try finish("^C")
                return .cancelled
            case .end:
                try finish()
                return .ended
            case .complete:
                let candidates = complete(&editor)
                if !candidates.isEmpty { try list(candidates) }
                try draw()
            case .clearScreen:
                try write(display.clear() + "\u{1B}[H\u{1B}[2J")
                try draw()
            }
        }
        try finish()
        return .ended
    }

    /// Prints words in columns above the text.
    private func list(_ words: [String]) throws {
        let width = (words.map(\.displayWidth).max() ?? 0) + 2
        let perRow = max((Console.width(of: STDOUT_FILENO) - 1) / width, 1)
        var text = display.clear()
        for start in stride(from: 0, to: words.count, by: perRow) {
            let row = words[start..<min(start + perRow, words.count)].map {
                $0.printable + String(repeating: " ", count: max(width - $0.displayWidth, 0))
            }
            text += row.joined().trimmingCharacters(in: .whitespaces) + "\r\n"
        }
        try write(text)
    }

    private func write(_ text: String) throws {
        let output = Output()
        try output.write(text)
        try output.flush()
    }

    /// Waits for a byte; `nil` at the end.
    private func nextByte() throws -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = Foundation.read(STDIN_FILENO, &byte, 1)
            if count == 1 { return byte }
            if count == 0 || errno != EINTR { return nil }
        }
    }
}

extension TerminalMode {
    /// The program gets each key, and echoes it itself.
    fileprivate static func raw() throws -> TerminalMode {
        try TerminalMode(restoredBy: [SIGTERM, SIGHUP]) { mode in
            mode.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
            mode.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
            mode.c_oflag &= ~tcflag_t(OPOST)
        }
    }
}

import Foundation
import Rainbow

/// Text on standard output that replaces the text before it, if that is a terminal. Elsewhere, a blank line is between them.
struct LiveDisplay {
    private let isTerminal = Console.isTerminal(STDOUT_FILENO)
    /// The number of lines that are drawn; `nil` before the first text.
    private var drawnLines: Int?

    mutating func show(_ text: String) throws {
        let output = Output()
        if isTerminal {
            try output.write(redrawing(text))
        } else {
            try output.write((drawnLines == nil ? "" : "\n") + text)
        }
        drawnLines = drawnLines ?? 0
        try output.flush()
    }

    /// Returns the text with the control sequences that draw it over the text before it.
    private mutating func redrawing(_ text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        // The cursor cannot be moved to lines that have left the screen.
        let room = max(Console.height(of: STDOUT_FILENO) - 2, 1)
        let hidden = lines.count - room
        if hidden > 0 { lines = lines.prefix(room) + ["… \(hidden.counted("more line"))".dim[...]] }
        let up = drawnLines.map { $0 > 0 ? "\u{1B}[\($0)A" : "" } ?? ""
        drawnLines = lines.count
        // Long lines are cut at the margin, because wrapped ones would count twice.
        return "\(up)\r\u{1B}[J\u{1B}[?7l" + lines.map { $0 + "\n" }.joined() + "\u{1B}[?7h"
    }
}

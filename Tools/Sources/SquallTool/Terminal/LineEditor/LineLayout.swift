/// Where the characters of an edited text are on a terminal.
struct LineLayout: Equatable {
    /// The rows of the terminal, none wider than it is.
    private(set) var rows: [String] = []
    private(set) var cursorRow = 0
    private(set) var cursorColumn = 0
    private let width: Int
    private var column = 0

    /// - Parameters:
    ///   - prompt: The text before the first line.
    ///   - continuation: The text before each further line.
    init(_ editor: LineEditor, prompt: String, continuation: String, width: Int) {
        self.width = max(width, 2)
        begin(prompt)
        add(editor.before, continuation)
        // After the last column, the cursor is in the next row.
        if column >= self.width { begin("") }
        (cursorRow, cursorColumn) = (rows.count - 1, column)
        add(editor.after, continuation)
    }

    private mutating func begin(_ prompt: String) {
        rows.append("")
        column = 0
        add(prompt, "")
    }

    private mutating func add(_ text: String, _ continuation: String) {
        for character in text {
            if character == "\n" {
                begin(continuation)
                continue
            }
            let shown = Self.shown(character)
            let width = shown.displayWidth
            if column + width > self.width {
                rows.append("")
                column = 0
            }
            rows[rows.count - 1] += shown
            column += width
        }
    }

    /// Returns a character as it is drawn. Those that would move the cursor are escaped.
    private static func shown(_ character: Character) -> String {
        character == "\t" ? "    " : String(character).printable
    }
}

/// The drawing on the terminal, which the next one replaces.
struct LineDisplay {
    private var cursorRow = 0

    /// Returns the control sequences that draw a layout over the one before it.
    ///
    /// - Parameter height: The number of lines of the terminal. Of more rows, those around the cursor are drawn.
    mutating func draw(_ layout: LineLayout, height: Int) -> String {
        let count = min(layout.rows.count, max(height, 1))
        let first = min(max(layout.cursorRow - count + 1, 0), layout.rows.count - count)
        let rows = layout.rows[first..<first + count]
        var text = clear() + rows.joined(separator: "\r\n")
        cursorRow = layout.cursorRow - first
        text += Self.move(count - 1 - cursorRow, "A") + "\r" + Self.move(layout.cursorColumn, "C")
        return text
    }

    /// Returns the control sequences that remove what is drawn.
    mutating func clear() -> String {
        defer { cursorRow = 0 }
        return Self.move(cursorRow, "A") + "\r\u{1B}[J"
    }

    private static func move(_ count: Int, _ direction: String) -> String {
        count > 0 ? "\u{1B}[\(count)\(direction)" : ""
    }
}

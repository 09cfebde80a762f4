import Squall

extension SQLiteError.Location {
    /// The number of characters shown on either side of the error. A line of generated SQL can be a megabyte long.
    private static let reach = 100

    /// The line of SQL, and below it a caret at the error.
    var excerpt: [String] {
        var before = ""
        var padding = ""
        if prefix.count > Self.reach {
            before = "…"
            padding = " "
        }
        for character in prefix.suffix(Self.reach) {
            // A tab stays a tab, because only the terminal knows its width.
            let shown = character == "\t" ? "\t" : String(character).printable
            before += shown
            padding += shown == "\t" ? shown : String(repeating: " ", count: shown.displayWidth)
        }
        let rest = text.dropFirst(prefix.count)
        let after = rest.prefix(Self.reach).map { $0 == "\t" ? "\t" : String($0).printable }.joined()
        return [before + after + (rest.count > Self.reach ? "…" : ""), padding + "^"]
    }
}

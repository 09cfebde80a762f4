import Squall

extension SQLiteError.Location {
    /// How many characters are shown on either side of the place. SQL that a program has made can be a line of a megabyte.
    private static let reach = 100

    /// The line of the SQL, and below it a caret at the place.
    var excerpt: [String] {
        var before = ""
        var padding = ""
        if prefix.count > Self.reach {
            before = "…"
            padding = " "
        }
        for character in prefix.suffix(Self.reach) {
            // A tab stays one: how wide it is, the terminal alone knows.
            let shown = character == "\t" ? "\t" : String(character).printable
            before += shown
            padding += shown == "\t" ? shown : String(repeating: " ", count: shown.displayWidth)
        }
        let rest = text.dropFirst(prefix.count)
        let after = rest.prefix(Self.reach).map { $0 == "\t" ? "\t" : String($0).printable }.joined()
        return [before + after + (rest.count > Self.reach ? "…" : ""), padding + "^"]
    }
}

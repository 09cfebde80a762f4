/// The pieces of SQL text that these tests tell apart: space, comments, quoted text, and everything else.
enum SQLText {
    private enum Piece {
        case space, lineComment, blockComment, quoted, other
    }

    /// Returns SQL with each run of white space as one space, without white space at both ends and without a last
    /// semicolon. Quoted text and comments are kept as they are.
    static func normalized(_ sql: String) -> String {
        var result = ""
        var needsSpace = false
        for (piece, text) in pieces(of: sql) {
            if piece == .space {
                needsSpace = !result.isEmpty
                continue
            }
            if needsSpace, result.last != "\n" { result += " " }
            needsSpace = false
            result += text
        }
        while let last = result.last, last == "\n" || last == " " || last == ";" { result.removeLast() }
        return result
    }

    /// Returns the first word of a statement in capital letters, for instance `SELECT`; an empty string for text that
    /// consists of comments.
    static func firstWord(of sql: String) -> String {
        for (piece, text) in pieces(of: sql) where piece == .other || piece == .quoted {
            // Semicolons before a statement are empty statements.
            let text = text.drop { $0 == ";" }
            if !text.isEmpty { return String(text.prefix { $0.isLetter }).uppercased() }
        }
        return ""
    }

    /// Whether SQL has more than white space and comments.
    static func hasStatement(_ sql: String) -> Bool {
        pieces(of: sql).contains { $0.0 == .other || $0.0 == .quoted }
    }

    private static func pieces(of sql: String) -> [(Piece, Substring)] {
        var rest = Substring(sql)
        var pieces: [(Piece, Substring)] = []
        while let first = rest.first {
            let (piece, end) = piece(at: first, in: rest)
            pieces.append((piece, rest[..<end]))
            rest = rest[end...]
        }
        return pieces
    }

    /// Returns the first piece of a text, and its end.
    private static func piece(at first: Character, in text: Substring) -> (Piece, Substring.Index) {
        let next = text.dropFirst().first
        switch first {
        case _ where first.isWhitespace:
            return (.space, text.firstIndex { !$0.isWhitespace } ?? text.endIndex)
        case "-" where next == "-":
            return (.lineComment, text.firstIndex(where: \.isNewline).map { text.index(after: $0) } ?? text.endIndex)
        case "/" where next == "*":
            return (.blockComment, text.dropFirst(2).firstRange(of: "*/")?.upperBound ?? text.endIndex)
        case "'", "\"", "`":
            return (.quoted, end(of: first, in: text))
        case "[":
            return (.quoted, end(of: "]", in: text))
        default:
            let rest = text.dropFirst()
            return (.other, rest.firstIndex { $0.isWhitespace || "-/'\"`[".contains($0) } ?? text.endIndex)
        }
    }

    /// Returns the index after the next quotation mark. A doubled one begins another piece.
    private static func end(of quote: Character, in text: Substring) -> Substring.Index {
        text.dropFirst().firstIndex(of: quote).map { text.index(after: $0) } ?? text.endIndex
    }
}

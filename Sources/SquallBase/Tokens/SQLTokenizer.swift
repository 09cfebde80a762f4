// # SquallBase
//
// The text of SQL by SQLite's rules: names, tokens, and what a statement does.
//
//     let tokens = SQLTokenizer.tokens(of: "SELECT [a b] FROM cars -- all")
//     print(tokens.map(\.source))
//     let facts = StatementFacts("EXPLAIN DELETE FROM cars")
//     print(facts.verb == .delete, facts.isExplained)
//     print(Identifier("Cars") == Identifier("CARS"))
//
// `SQLTokenizer` makes `Token`s. `Statements` builds on it: `StatementEnd` finds where a statement ends,
// `StatementSplitter` splits text that arrives in pieces, and `StatementFacts` reads one statement. `Identifier` is a
// name of a table, a column or another part of a schema. `Concurrency` has `Locked`, `Handover` and the like.
//
// The facts of a statement are read so:
// 1. The tokenizer makes one token after the other. Space and comments are tokens too, which the reader skips.
// 2. `StatementReader` takes tokens until `StatementEnd` finds the semicolon. Those of a trigger's body do not count.
// 3. The first token is the verb, after EXPLAIN. After WITH, it is the verb that follows the common tables.
// 4. The first tokens of a PRAGMA, a CREATE and a savepoint become `PragmaFacts`, `CreationFacts` and
//    `SavepointAction`.
//
// Invariants: The module imports nothing but the C library, and not SQLite. It checks nothing: text that SQLite
// refuses has tokens and facts as well. The tokens cover every byte. Only ASCII letters ignore case, and names are
// compared by bytes. Library, generator, tool and cluster share this module, so that they read SQL alike. Users of the
// library do not see it: `SQL/Base.swift` alone imports it there.

/// Splits SQL into tokens by SQLite's rules, with the space and the comments between them.
///
/// SQL that SQLite does not accept is split as well. SQLite reads no further than a NUL character; here it is a sign.
public struct SQLTokenizer: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0
    /// Whether the end of the SQL decided where a token ends, so that more SQL could change it.
    private(set) var hasReachedEnd = false
    /// Whether `:ids...` is a list, as in SQL files.
    private let readsLists: Bool

    public init(_ sql: some StringProtocol, readsLists: Bool = false) {
        self.init(Array(sql.utf8), readsLists: readsLists)
    }

    /// - Parameter position: The offset at which the first token begins.
    package init(_ bytes: [UInt8], from position: Int = 0, readsLists: Bool = false) {
        self.bytes = bytes
        self.readsLists = readsLists
        self.position = position
    }

    /// Returns the tokens of SQL, without space and comments.
    public static func tokens(of sql: some StringProtocol, readsLists: Bool = false) -> [Token] {
        SQLTokenizer(sql, readsLists: readsLists).filter { !$0.isBlank }
    }

    public mutating func next() -> Token? {
        guard position < bytes.count else { return nil }
        let start = position
        let (kind, isTerminated) = scan()
        return Token(kind, start..<position, isTerminated: isTerminated, in: bytes)
    }

    /// Returns a byte after the position; 0 after the end.
    private mutating func byte(_ distance: Int = 0) -> UInt8 {
        if position + distance < bytes.count { return bytes[position + distance] }
        hasReachedEnd = true
        return 0
    }

    private mutating func skip(_ condition: (UInt8) -> Bool) {
        while position < bytes.count, condition(bytes[position]) { position += 1 }
        if position == bytes.count { hasReachedEnd = true }
    }

    private mutating func scan() -> (Token.Kind, isTerminated: Bool) {
        let first = byte()
        switch first {
        case _ where first.beginsSpace:
            skip(\.isSpace)
            return (.space, true)
        case 0xef where byte(1) == 0xbb && byte(2) == 0xbf:
            position += 3
            return (.space, true)
        case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"):
            skip { $0 != UInt8(ascii: "\n") }
            return (.comment, true)
        // At the end of the SQL, the two are signs.
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*") && (byte(2) != 0 || position + 2 < bytes.count):
            position += 2
            return (.comment, skipToEnd(of: .comment, first))
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
            position += 1
            let kind = first == UInt8(ascii: "'") ? Token.Kind.text : .name
            return (kind, skipToEnd(of: kind, first))
        case UInt8(ascii: "x") where byte(1) == UInt8(ascii: "'"), UInt8(ascii: "X") where byte(1) == UInt8(ascii: "'"):
            position += 2
            return (.blob, skipToEnd(of: .blob, first))
        case _ where first.isDigit || first == UInt8(ascii: ".") && byte(1).isDigit: return (skipNumber(), true)
        case UInt8(ascii: "?"):
            position += 1
            skip(\.isDigit)
            return (.parameter, true)
        case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "#"):
            position += 1
            guard skipParameterName() else { return (.sign, true) }
            guard readsLists, bytes[position...].starts(with: "...".utf8) else { return (.parameter, true) }
            position += 3
            return (.list, true)
        case _ where first.isOfWord:
            skip(\.isOfWord)
            return (.word, true)
        default:
            position += signLength(first)
            return (.sign, true)
        }
    }

    /// - Returns: Whether the byte was found.
    private mutating func skip(past end: UInt8) -> Bool {
        skip { $0 != end }
        guard position < bytes.count else { return false }
        position += 1
        return true
    }

    /// Skips the rest of a literal in quotes or of a comment.
    ///
    /// - Parameter first: The first byte of the token.
    /// - Returns: Whether it has an end.
    private mutating func skipToEnd(of kind: Token.Kind, _ first: UInt8) -> Bool {
        switch (kind, first) {
        case (.comment, _):
            while skip(past: UInt8(ascii: "*")) {
                guard byte() == UInt8(ascii: "/") else { continue }
                position += 1
                return true
            }
            return false
        case (.name, UInt8(ascii: "[")): return skip(past: UInt8(ascii: "]"))
        case (.blob, _): return skip(past: UInt8(ascii: "'"))
        default:
            while skip(past: first) {
                guard byte() == first else { return true }
                // A doubled quote is part of the token.
                position += 1
            }
            return false
        }
    }

    /// Continues a token that had no end when the SQL was shorter.
    ///
    /// - Parameters:
    ///   - start: The position of the token.
    ///   - end: The position up to which the token has no end.
    mutating func resume(_ kind: Token.Kind, at start: Int, from end: Int) -> Token {
        position = kind == .comment ? Swift.max(start + 2, end - 1) : end
        let isTerminated = skipToEnd(of: kind, bytes[start])
        return Token(kind, start..<position, isTerminated: isTerminated, in: bytes)
    }

    /// Skips `12`, `0x1F`, `.5` or `1.5e-3`. Letters that follow are part of the token; SQLite refuses it.
    private mutating func skipNumber() -> Token.Kind {
        var kind = Token.Kind.integer
        if byte() == UInt8(ascii: "0"), byte(1) | 0x20 == UInt8(ascii: "x"), byte(2).isHexadecimalDigit {
            position += 2
        } else {
            skipDigits()
            if byte() == UInt8(ascii: ".") {
                kind = .real
                position += 1
                skipDigits()
            }
            if byte() | 0x20 == UInt8(ascii: "e") {
                let length = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-") ? 2 : 1
                if byte(length).isDigit {
                    kind = .real
                    position += length
                }
            }
        }
        skip(\.isOfWord)
        return kind
    }

    /// Skips digits. SQLite 3.46 allows an underscore between two.
    private mutating func skipDigits() {
        skip { $0.isDigit || $0 == UInt8(ascii: "_") }
    }

    /// Skips the name of a parameter, which may contain `::` and end with text in parentheses, as in Tcl: `$a::b(c)`.
    ///
    /// - Returns: Whether there is a name.
    private mutating func skipParameterName() -> Bool {
        let start = position
        var hasName = false
        while true {
            if byte().isOfWord {
                hasName = true
                position += 1
            } else if byte() == UInt8(ascii: ":"), byte(1) == UInt8(ascii: ":") {
                position += 2
            } else {
                break
            }
        }
        guard hasName else {
            position = start
            return false
        }
        guard byte() == UInt8(ascii: "(") else { return true }
        let name = position
        skip { $0 != UInt8(ascii: ")") && !$0.isSpace }
        // SQLite refuses a parenthesis that does not end.
        position = byte() == UInt8(ascii: ")") ? position + 1 : name
        return true
    }

    private mutating func signLength(_ first: UInt8) -> Int {
        switch (first, byte(1)) {
        case (UInt8(ascii: "-"), UInt8(ascii: ">")): byte(2) == UInt8(ascii: ">") ? 3 : 2
        case (UInt8(ascii: "|"), UInt8(ascii: "|")), (UInt8(ascii: "<"), UInt8(ascii: "<")),
            (UInt8(ascii: ">"), UInt8(ascii: ">")), (UInt8(ascii: "<"), UInt8(ascii: "=")),
            (UInt8(ascii: ">"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: ">")),
            (UInt8(ascii: "="), UInt8(ascii: "=")), (UInt8(ascii: "!"), UInt8(ascii: "=")):
            2
        default: 1
        }
    }
}

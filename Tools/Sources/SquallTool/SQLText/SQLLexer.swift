/// Splits SQL into tokens by SQLite's rules.
struct SQLLexer: Sequence, IteratorProtocol {
    /// A token of SQL.
    struct Token: Equatable {
        enum Kind {
            case space, comment
            /// A keyword, a name without quotes, or a parameter.
            case word
            /// A name in double quotes, backticks or brackets.
            case name
            /// Text in single quotes, or bytes: `x'00ff'`.
            case text
            case number, sign
        }

        let kind: Kind
        /// The position in the SQL, in UTF-8 bytes.
        let range: Range<Int>
        /// Whether the token has its end: its closing quote, or the end of its comment.
        var isTerminated = true

        var isBlank: Bool { kind == .space || kind == .comment }
    }

    let bytes: [UInt8]
    private var position = 0

    init(_ sql: some StringProtocol) {
        bytes = Array(sql.utf8)
    }

    func text(of token: Token) -> String {
        String(decoding: bytes[token.range], as: UTF8.self)
    }

    /// Returns whether a token is a keyword or a sign, in any case.
    func isToken(_ token: Token, _ word: String) -> Bool {
        (token.kind == .word || token.kind == .sign) && text(of: token).uppercased() == word
    }

    mutating func next() -> Token? {
        guard position < bytes.count else { return nil }
        let start = position
        let (kind, isTerminated) = scan()
        return Token(kind: kind, range: start..<position, isTerminated: isTerminated)
    }

    private func byte(_ distance: Int = 0) -> UInt8 {
        position + distance < bytes.count ? bytes[position + distance] : 0
    }

    private mutating func scan() -> (Token.Kind, isTerminated: Bool) {
        let first = byte()
        switch first {
        case UInt8(ascii: " "), 9, 10, 12, 13:
            skip { [9, 10, 12, 13, 32].contains($0) }
            return (.space, true)
        case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"):
            skip { $0 != 10 }
            return (.comment, true)
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): return (.comment, skipComment())
        case UInt8(ascii: "'"): return (.text, skipQuoted(by: first))
        case UInt8(ascii: "\""), UInt8(ascii: "`"): return (.name, skipQuoted(by: first))
        case UInt8(ascii: "["):
            skip { $0 != UInt8(ascii: "]") }
            let isTerminated = position < bytes.count
            if isTerminated { position += 1 }
            return (.name, isTerminated)
        case UInt8(ascii: "x") where byte(1) == UInt8(ascii: "'"), UInt8(ascii: "X") where byte(1) == UInt8(ascii: "'"):
            position += 1
            return (.text, skipQuoted(by: byte()))
        default: return (scanWord(first), true)
        }
    }

    private mutating func scanWord(_ first: UInt8) -> Token.Kind {
        if first.isDigit || first == UInt8(ascii: ".") && byte(1).isDigit {
            skipNumber()
            return .number
        }
        // Parameters: ?1, :name, @name, $name.
        if first.isOfWord || "?:@#".utf8.contains(first) {
            position += 1
            skip(\.isOfWord)
            return .word
        }
        let operators = ["->>", "->", "||", "<<", ">>", "<=", ">=", "<>", "==", "!="]
        let long = operators.first { bytes[position...].starts(with: $0.utf8) }
        position += long?.utf8.count ?? 1
        return .sign
    }

    private mutating func skip(_ condition: (UInt8) -> Bool) {
        while position < bytes.count, condition(bytes[position]) { position += 1 }
    }

    private mutating func skipNumber() {
        var last: UInt8 = 0
        skip { byte in
            let isExponentSign = "+-".utf8.contains(byte) && (last | 0x20) == UInt8(ascii: "e")
            defer { last = byte }
            return byte.isOfWord || byte == UInt8(ascii: ".") || isExponentSign
        }
    }

    private mutating func skipComment() -> Bool {
        position += 2
        while position < bytes.count {
            if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                position += 2
                return true
            }
            position += 1
        }
        return false
    }

    /// Skips to the closing quote. A doubled quote is part of the text.
    private mutating func skipQuoted(by quote: UInt8) -> Bool {
        position += 1
        while position < bytes.count {
            position += 1
            guard bytes[position - 1] == quote else { continue }
            if byte() != quote { return true }
            position += 1
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (48...57).contains(self) }

    fileprivate var isOfWord: Bool {
        isDigit || (65...90).contains(self) || (97...122).contains(self) || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "$") || self >= 0x80
    }
}

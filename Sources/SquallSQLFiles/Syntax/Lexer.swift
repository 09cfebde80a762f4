import Squall

/// Splits SQL into tokens by SQLite's rules, without spaces and comments.
struct Lexer {
    /// The comments before the last token, and after the last one at the end. A `--` comment ends before its line feed.
    private(set) var comments: [Range<Int>] = []
    private let bytes: [UInt8]
    private var position = 0

    init(_ sql: String) {
        bytes = Array(sql.utf8)
    }

    /// Returns the tokens of SQL.
    static func tokens(of sql: String) -> [Token] {
        var (lexer, tokens) = (Lexer(sql), [Token]())
        while let token = lexer.next() { tokens.append(token) }
        return tokens
    }

    mutating func next() -> Token? {
        skipBlanks()
        guard position < bytes.count else { return nil }
        let start = position
        let first = bytes[start]
        switch first {
        case UInt8(ascii: "'"):
            let text = quoted(by: first)
            return token(.text, start, unquoted: text)
        case UInt8(ascii: "\""), UInt8(ascii: "`"):
            let name = quoted(by: first)
            return token(.quotedName, start, unquoted: name)
        case UInt8(ascii: "["):
            let name = bracketed()
            return token(.quotedName, start, unquoted: name)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            if byte(1) == UInt8(ascii: "'") {
                position += 1
                let digits = quoted(by: UInt8(ascii: "'"))
                return token(.blob, start, unquoted: digits)
            }
            return word(start)
        case UInt8(ascii: "?"):
            position += 1
            skip(\.isDigit)
            return token(.parameter, start)
        case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "#"): return parameter(start)
        case _ where first.isDigit || first == UInt8(ascii: ".") && byte(1).isDigit: return number(start)
        case _ where first.isOfWord: return word(start)
        default: return sign(start)
        }
    }

    private func byte(_ distance: Int) -> UInt8 {
        position + distance < bytes.count ? bytes[position + distance] : 0
    }

    private mutating func skip(_ condition: (UInt8) -> Bool) {
        while position < bytes.count, condition(bytes[position]) { position += 1 }
    }

    private mutating func skipBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case 9, 10, 12, 13, 32: position += 1
            case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"):
                let start = position
                skip { $0 != 10 }
                comments.append(start..<position)
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
                let start = position
                position += 2
                while position < bytes.count, byte(0) != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") {
                    position += 1
                }
                position = min(position + 2, bytes.count)
                comments.append(start..<position)
            default: return
            }
        }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func token(_ kind: Token.Kind, _ start: Int, unquoted: String? = nil) -> Token {
        let text = unquoted ?? text(start..<position)
        return Token(kind: kind, text: text, keyword: text, range: start..<position)
    }
}

// MARK: - Tokens

extension Lexer {
    private mutating func word(_ start: Int) -> Token {
        skip(\.isOfWord)
        let text = text(start..<position)
        return Token(kind: .word, text: text, keyword: text.asciiUppercased, range: start..<position)
    }

    /// Reads text in quotes. A doubled quote is part of the text.
    private mutating func quoted(by quote: UInt8) -> String {
        position += 1
        var result: [UInt8] = []
        while position < bytes.count {
            let next = bytes[position]
            position += 1
            if next == quote {
                guard position < bytes.count, bytes[position] == quote else { break }
                position += 1
            }
            result.append(next)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func bracketed() -> String {
        let start = position + 1
        skip { $0 != UInt8(ascii: "]") }
        let text = text(min(start, position)..<position)
        position = min(position + 1, bytes.count)
        return text
    }

    /// Reads a named parameter, and the three dots after the name of a list.
    private mutating func parameter(_ start: Int) -> Token {
        position += 1
        skip(\.isOfWord)
        guard position > start + 1 else { return token(.sign, start) }
        guard byte(0) == UInt8(ascii: "."), byte(1) == UInt8(ascii: "."), byte(2) == UInt8(ascii: ".") else {
            return token(.parameter, start)
        }
        let name = text(start..<position)
        position += 3
        return token(.list, start, unquoted: name)
    }

    private mutating func number(_ start: Int) -> Token {
        if byte(0) == UInt8(ascii: "0"), byte(1) | 0x20 == UInt8(ascii: "x") {
            position += 2
            skip(\.isOfWord)
            return token(.integer, start)
        }
        var isReal = false
        skip { $0.isDigit || $0 == UInt8(ascii: "_") }
        if byte(0) == UInt8(ascii: ".") {
            isReal = true
            position += 1
            skip { $0.isDigit || $0 == UInt8(ascii: "_") }
        }
        if byte(0) | 0x20 == UInt8(ascii: "e") {
            let hasSign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-")
            if byte(hasSign ? 2 : 1).isDigit {
                isReal = true
                position += hasSign ? 2 : 1
                skip { $0.isDigit || $0 == UInt8(ascii: "_") }
            }
        }
        return token(isReal ? .real : .integer, start)
    }

    private mutating func sign(_ start: Int) -> Token {
        switch (bytes[position], byte(1), byte(2)) {
        case (UInt8(ascii: "-"), UInt8(ascii: ">"), UInt8(ascii: ">")): position += 3
        case (UInt8(ascii: "-"), UInt8(ascii: ">"), _), (UInt8(ascii: "|"), UInt8(ascii: "|"), _),
            (UInt8(ascii: "<"), UInt8(ascii: "<"), _), (UInt8(ascii: ">"), UInt8(ascii: ">"), _),
            (UInt8(ascii: "<"), UInt8(ascii: "="), _), (UInt8(ascii: ">"), UInt8(ascii: "="), _),
            (UInt8(ascii: "<"), UInt8(ascii: ">"), _), (UInt8(ascii: "="), UInt8(ascii: "="), _),
            (UInt8(ascii: "!"), UInt8(ascii: "="), _):
            position += 2
        default: position += 1
        }
        return token(.sign, start)
    }
}

extension UInt8 {
    var isDigit: Bool { (48...57).contains(self) }
}

extension String {
    /// The text with ASCII letters in upper case.
    var asciiUppercased: String {
        String(decoding: utf8.map { (97...122).contains($0) ? $0 & 0xdf : $0 }, as: UTF8.self)
    }
}

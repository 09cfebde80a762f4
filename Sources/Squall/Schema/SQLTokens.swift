/// A word, a name, a literal or a sign of SQL.
struct SQLToken: Equatable {
    enum Kind {
        /// A keyword or a name without quotes.
        case word
        /// A name in double quotes, brackets or backticks.
        case name
        /// Text in single quotes.
        case text
        /// A number, a blob or a sign.
        case other
    }

    let kind: Kind
    /// The token as it stands there; a name without its quotes.
    let text: String
    /// Where it is, in bytes of UTF-8.
    let range: Range<Int>

    /// Whether it is this keyword, or this sign.
    func `is`(_ word: String) -> Bool {
        (kind == .word && text.uppercased() == word) || (kind == .other && text == word)
    }
}

/// Splits SQL, which SQLite has taken before, into its tokens; comments are left out.
struct SQLTokenizer {
    private let bytes: [UInt8]
    private var position = 0

    init(_ sql: String) {
        bytes = Array(sql.utf8)
    }

    static func tokens(of sql: String) -> [SQLToken] {
        var tokenizer = SQLTokenizer(sql)
        var tokens: [SQLToken] = []
        while let token = tokenizer.next() { tokens.append(token) }
        return tokens
    }

    private mutating func next() -> SQLToken? {
        skipSpaceAndComments()
        guard position < bytes.count else { return nil }
        let start = position
        switch bytes[position] {
        case UInt8(ascii: "'"): return quoted(from: start, end: UInt8(ascii: "'"), kind: .text)
        case UInt8(ascii: "\""): return quoted(from: start, end: UInt8(ascii: "\""), kind: .name)
        case UInt8(ascii: "`"): return quoted(from: start, end: UInt8(ascii: "`"), kind: .name)
        case UInt8(ascii: "["): return quoted(from: start, end: UInt8(ascii: "]"), kind: .name)
        case let byte where Self.isOfWord(byte):
            let isNumber = (48...57).contains(byte)
            while position < bytes.count, Self.isOfWord(bytes[position]) || isNumber && isOfNumber { position += 1 }
            return token(isNumber ? .other : .word, from: start)
        default:
            position += 1
            return token(.other, from: start)
        }
    }

    /// Whether a `.`, or the sign of an exponent, goes on with a number.
    private var isOfNumber: Bool {
        switch bytes[position] {
        case UInt8(ascii: "."): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"): bytes[position - 1] | 32 == UInt8(ascii: "e")
        default: false
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "$"), 128...: true
        default: false
        }
    }

    private mutating func skipSpaceAndComments() {
        while position < bytes.count {
            let pair = bytes[position...].prefix(2)
            if pair.elementsEqual("--".utf8) {
                position = bytes[position...].firstIndex(of: 10) ?? bytes.count
            } else if pair.elementsEqual("/*".utf8) {
                position += 2
                while position < bytes.count, !bytes[position...].prefix(2).elementsEqual("*/".utf8) { position += 1 }
                position = min(position + 2, bytes.count)
            } else if [9, 10, 12, 13, 32].contains(bytes[position]) {
                position += 1
            } else {
                return
            }
        }
    }

    private func token(_ kind: SQLToken.Kind, from start: Int) -> SQLToken {
        SQLToken(kind: kind, text: String(decoding: bytes[start..<position], as: UTF8.self), range: start..<position)
    }

    private mutating func quoted(from start: Int, end: UInt8, kind: SQLToken.Kind) -> SQLToken {
        var content: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == end {
                // Doubled, it stands for itself; a bracket cannot be.
                guard end != UInt8(ascii: "]"), position < bytes.count, bytes[position] == end else { break }
                position += 1
            }
            content.append(byte)
        }
        return SQLToken(kind: kind, text: String(decoding: content, as: UTF8.self), range: start..<position)
    }
}

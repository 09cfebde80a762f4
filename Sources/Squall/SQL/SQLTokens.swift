/// A token of SQL: a word, a name, a literal or a sign.
struct SQLToken: Equatable {
    enum Kind {
        /// A keyword or an unquoted name.
        case word
        /// A name in double quotes, brackets or backticks.
        case name
        /// Text in single quotes.
        case text
        /// A number or a sign.
        case other
        /// A text or a quoted name without its closing quote.
        case unterminated
    }

    let kind: Kind
    /// The text of the token; for a name, without the quotes.
    let text: String
    /// The position of the token in the SQL, in UTF-8 bytes.
    let range: Range<Int>

    /// Returns whether the token is the given keyword or sign.
    func `is`(_ word: String) -> Bool {
        (kind == .word && text.isSameName(as: word)) || (kind == .other && text == word)
    }

    /// Returns whether the token is the given name, quoted or not.
    func isName(_ name: String) -> Bool {
        (kind == .word || kind == .name) && text.isSameName(as: name)
    }

    /// Whether the token is a parameter such as `$x`. Only the first byte is tested, because `$` and a combining mark form
    /// one `Character`.
    var isParameter: Bool { kind == .word && text.utf8.first == UInt8(ascii: "$") }

    var isNumber: Bool {
        kind == .other && text.utf8.contains { (48...57).contains($0) }
    }

    /// Whether the token is a keyword that must be quoted as a name. Keywords of later SQLite versions are not included,
    /// because older files may use them as names.
    var isReserved: Bool { kind == .word && Self.reserved.contains(Identifier(text)) }

    private static let reserved: Set<Identifier> = Set(
        """
        ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE CROSS DEFAULT DEFERRABLE \
        DELETE DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM FULL GROUP HAVING IN INDEX INDEXED INNER INSERT \
        INTERSECT INTO IS ISNULL JOIN LEFT LIMIT NATURAL NOT NOTHING NOTNULL NULL ON OR ORDER OUTER PRIMARY REFERENCES \
        RETURNING RIGHT SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE
        """
        .split(separator: " ").map { Identifier($0) }
    )
}

/// Splits SQL into tokens by SQLite's rules, and omits comments.
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
        case UInt8(ascii: ".") where isDigit(at: position + 1): return number(from: start)
        case 48...57: return number(from: start)
        case let byte where Self.isOfWord(byte):
            while position < bytes.count, Self.isOfWord(bytes[position]) { position += 1 }
            return token(.word, from: start)
        default:
            position += 1
            return token(.other, from: start)
        }
    }

    private func isDigit(at index: Int) -> Bool { index < bytes.count && (48...57).contains(bytes[index]) }

    /// Scans `12`, `0x1F`, `.5` or `1.5e-3`. Letters that follow are part of the token; SQLite refuses it.
    private mutating func number(from start: Int) -> SQLToken {
        let isHexadecimal = bytes[position...].prefix(2).elementsEqual("0x".utf8) { $0 | 32 == $1 | 32 }
        while position < bytes.count {
            let byte = bytes[position]
            let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            let isOfExponent = isSign && bytes[position - 1] | 32 == UInt8(ascii: "e") && isDigit(at: position + 1)
            let isOfFraction = byte == UInt8(ascii: ".") || isOfExponent
            guard Self.isOfWord(byte) || isOfFraction && !isHexadecimal else { break }
            position += 1
        }
        return token(.other, from: start)
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
            } else if bytes[position...].starts(with: "\u{feff}".utf8) {
                // SQLite treats a byte order mark as whitespace where a token could begin.
                position += 3
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
        var isTerminated = false
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == end {
                // A doubled quote stands for itself; a bracket cannot be doubled.
                guard end != UInt8(ascii: "]"), position < bytes.count, bytes[position] == end else {
                    isTerminated = true
                    break
                }
                position += 1
            }
            content.append(byte)
        }
        let kind = isTerminated ? kind : .unterminated
        return SQLToken(kind: kind, text: String(decoding: content, as: UTF8.self), range: start..<position)
    }
}

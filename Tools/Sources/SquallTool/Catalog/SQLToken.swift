/// A token of SQL: a word, a name in quotes, a text or a sign. Comments and spaces are left out.
struct SQLToken: Equatable {
    enum Kind {
        /// A keyword or a name without quotes.
        case word
        /// A name in double quotes, brackets or backticks.
        case name
        /// A text in single quotes.
        case text
        /// A number or a sign.
        case other
    }

    let kind: Kind
    /// The text; of a name, without its quotes.
    let text: String

    /// Returns whether the token is the keyword or the sign.
    func `is`(_ word: String) -> Bool {
        kind == .word && text.isSameName(as: word) || kind == .other && text == word
    }

    /// Whether the token can be the name of a table or a column.
    var isName: Bool { kind == .name || kind == .word && !Self.keywords.contains(SQLName(text)) }

    /// The keywords that must be in quotes where they are names.
    static let keywords: Set<SQLName> = Set(
        """
        ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE CROSS DEFAULT DEFERRABLE \
        DELETE DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM FULL GROUP HAVING IN INDEX INDEXED INNER INSERT \
        INTERSECT INTO IS ISNULL JOIN LEFT LIMIT NATURAL NOT NOTHING NOTNULL NULL ON OR ORDER OUTER PRIMARY REFERENCES \
        RETURNING RIGHT SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE
        """
        .split(separator: " ").map { SQLName(String($0)) }
    )
}

extension SQLToken {
    /// Returns the tokens of SQL.
    static func tokens(of sql: String) -> [SQLToken] {
        var reader = Reader(bytes: Array(sql.utf8))
        var tokens: [SQLToken] = []
        while let token = reader.next() { tokens.append(token) }
        return tokens
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        mutating func next() -> SQLToken? {
            skipSpaceAndComments()
            guard position < bytes.count else { return nil }
            switch bytes[position] {
            case UInt8(ascii: "'"): return quoted(by: UInt8(ascii: "'"), .text)
            case UInt8(ascii: "\""): return quoted(by: UInt8(ascii: "\""), .name)
            case UInt8(ascii: "`"): return quoted(by: UInt8(ascii: "`"), .name)
            case UInt8(ascii: "["): return quoted(by: UInt8(ascii: "]"), .name)
            case let byte:
                let start = position
                let isWord = Self.isOfWord(byte)
                position += 1
                while isWord, position < bytes.count, Self.isOfWord(bytes[position]) { position += 1 }
                let isNumber = (48...57).contains(byte)
                let text = String(decoding: bytes[start..<position], as: UTF8.self)
                return SQLToken(kind: isWord && !isNumber ? .word : .other, text: text)
            }
        }

        private static func isOfWord(_ byte: UInt8) -> Bool {
            switch byte {
            case 48...57, 65...90, 97...122, 95, 36, 0x80...: true
            default: false
            }
        }

        private mutating func skipSpaceAndComments() {
            while position < bytes.count {
                let rest = bytes[position...]
                if [9, 10, 12, 13, 32].contains(bytes[position]) {
                    position += 1
                } else if rest.starts(with: "--".utf8) {
                    position = rest.firstIndex(of: 10) ?? bytes.count
                } else if rest.starts(with: "/*".utf8) {
                    position += 2
                    while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
                    position = min(position + 2, bytes.count)
                } else {
                    return
                }
            }
        }

        /// Reads a text up to the quote that ends it. A quote that is doubled is part of the text.
        private mutating func quoted(by end: UInt8, _ kind: Kind) -> SQLToken {
            var content: [UInt8] = []
            position += 1
            while position < bytes.count {
                if bytes[position] == end {
                    position += 1
                    guard end != UInt8(ascii: "]"), position < bytes.count, bytes[position] == end else { break }
                }
                content.append(bytes[position])
                position += 1
            }
            return SQLToken(kind: kind, text: String(decoding: content, as: UTF8.self))
        }
    }
}

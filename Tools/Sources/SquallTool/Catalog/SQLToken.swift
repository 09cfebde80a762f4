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
    /// The text; of a name or a text, without its quotes.
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
        let lexer = SQLLexer(sql)
        return lexer.filter { !$0.isBlank }.map { token in
            let text = lexer.text(of: token)
            switch token.kind {
            case .word: return SQLToken(kind: .word, text: text)
            case .name: return SQLToken(kind: .name, text: text.unquoted)
            case .text: return SQLToken(kind: .text, text: text.unquoted)
            default: return SQLToken(kind: .other, text: text)
            }
        }
    }
}

/// A token of SQL.
struct Token: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A keyword, or a name without quotes.
        case word
        /// A name in double quotes, backticks or brackets.
        case quotedName
        case text, blob, integer, real
        /// A parameter with its prefix: `:limit`.
        case parameter
        /// A parameter that is a list: `:ids...`.
        case list
        case sign
    }

    let kind: Kind
    /// The text: of names and of literals in quotes, without the quotes.
    let text: String
    /// The word in upper case; otherwise the text. It is compared with keywords and signs.
    let keyword: String
    /// The place in the SQL, in bytes of UTF-8.
    let range: Range<Int>

    /// Whether the token can be a name.
    var isName: Bool { kind == .quotedName || kind == .word && !Token.reserved.contains(keyword) }

    /// Whether the token is a keyword or a sign.
    func `is`(_ keyword: String) -> Bool {
        (kind == .word || kind == .sign) && self.keyword == keyword
    }

    /// The keywords that are not names without quotes.
    private static let reserved: Set<String> = [
        "ADD", "ALL", "ALTER", "AND", "AS", "AUTOINCREMENT", "BETWEEN", "CASE", "CHECK", "COLLATE", "COMMIT",
        "CONSTRAINT", "CREATE", "CROSS", "DEFAULT", "DEFERRABLE", "DELETE", "DISTINCT", "DROP", "ELSE", "ESCAPE",
        "EXCEPT", "EXISTS", "FOREIGN", "FROM", "FULL", "GROUP", "HAVING", "IN", "INDEX", "INNER", "INSERT",
        "INTERSECT", "INTO", "IS", "ISNULL", "JOIN", "LEFT", "LIMIT", "NATURAL", "NOT", "NOTHING", "NOTNULL", "NULL",
        "ON", "OR", "ORDER", "OUTER", "PRIMARY", "REFERENCES", "RETURNING", "RIGHT", "SELECT", "SET", "TABLE", "THEN",
        "TO", "TRANSACTION", "UNION", "UNIQUE", "UPDATE", "USING", "VALUES", "WHEN", "WHERE",
    ]
}

/// A token of SQL by SQLite's rules.
public struct Token: Sendable {
    /// The class of a token.
    public enum Kind: Sendable {
        /// White space. A byte order mark is white space where a token may begin.
        case space
        /// A comment, `-- …` or `/* … */`, with its delimiters.
        case comment
        /// A keyword, or a name without quotes.
        case word
        /// A name in double quotes, backticks or brackets.
        case name
        /// Text in single quotes.
        case text
        /// Bytes in hexadecimal digits: `x'00ff'`.
        case blob
        /// An integer without sign, in decimal or hexadecimal digits.
        case integer
        /// A number without sign, with a decimal point or an exponent.
        case real
        /// A parameter with its prefix: `?`, `?1`, `:name`, `@name`, `$name`.
        case parameter
        /// A parameter of an SQL file that is a list: `:ids...`. SQLite has no lists: only a tokenizer made with `readsLists` returns
        /// this kind.
        case list
        /// An operator or another sign, and a byte that SQLite does not accept.
        case sign
    }

    /// The class of the token.
    public let kind: Kind
    /// The position in the SQL, in UTF-8 bytes.
    public let range: Range<Int>
    /// Whether the token has its end: its closing quote, or the end of its comment.
    public let isTerminated: Bool
    /// The whole SQL.
    private let sql: [UInt8]

    init(_ kind: Kind, _ range: Range<Int>, isTerminated: Bool = true, in sql: [UInt8]) {
        self.kind = kind
        self.range = range
        self.isTerminated = isTerminated
        self.sql = sql
    }

    private var bytes: ArraySlice<UInt8> { sql[range] }

    /// The token as it is written.
    public var source: String { String(decoding: bytes, as: UTF8.self) }

    /// The content of a name or a literal, without its quotes; the name of a list, without the dots; otherwise ``source``.
    public var text: String {
        switch kind {
        case .name, .text: String(decoding: content, as: UTF8.self)
        case .blob: String(decoding: bytes.dropFirst(2).dropLast(isTerminated ? 1 : 0), as: UTF8.self)
        case .list: String(decoding: bytes.dropLast(3), as: UTF8.self)
        default: source
        }
    }

    /// The bytes between the quotes. A doubled quote stands for itself; a bracket cannot be doubled.
    private var content: [UInt8] {
        let inside = bytes.dropFirst().dropLast(isTerminated ? 1 : 0)
        guard let quote = bytes.first, quote != UInt8(ascii: "["), inside.contains(quote) else { return Array(inside) }
        var content: [UInt8] = []
        var isSecond = false
        for byte in inside {
            isSecond = byte == quote && !isSecond
            if !isSecond { content.append(byte) }
        }
        return content
    }

    /// Whether the token is space or a comment.
    public var isBlank: Bool { kind == .space || kind == .comment }

    /// Returns whether the token is the given keyword or sign.
    public func `is`(_ word: String) -> Bool {
        guard kind == .word || kind == .sign, range.count == word.utf8.count else { return false }
        return bytes.elementsEqual(word.utf8) { $0.asciiFolded == $1.asciiFolded }
    }

    /// Returns whether the token is the given name, with or without quotes.
    public func isName(_ name: String) -> Bool {
        (kind == .word || kind == .name) && Identifier(text) == Identifier(name)
    }

    /// Whether the token can name a table or a column, or be an alias after `AS`.
    public var canBeName: Bool { canBeAlias || kind == .word && Self.reservedNames.contains(Identifier(source)) }

    /// Whether the token can be an alias without `AS`: it is in quotes, or not reserved.
    public var canBeAlias: Bool { kind == .name || kind == .word && !isReserved }

    /// Whether the token is an integer or a real number.
    public var isNumber: Bool { kind == .integer || kind == .real }

    /// Whether the token is a word that is a literal: `NULL`, `TRUE`, `FALSE`, `CURRENT_DATE`, `CURRENT_TIME`, `CURRENT_TIMESTAMP`.
    package var isLiteralWord: Bool { kind == .word && Self.literalWords.contains(Identifier(source)) }

    private static let literalWords: Set<Identifier> = [
        "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "FALSE", "NULL", "TRUE",
    ]

    /// Whether the token is one of the ``reserved`` keywords, without quotes.
    public var isReserved: Bool { kind == .word && Self.reserved.contains(Identifier(source)) }

    /// The keywords that must be quoted as names, at least as types and as aliases without `AS`. Keywords of later SQLite
    /// versions are not included, because older files may use them as names.
    public static let reserved: Set<Identifier> = Set(
        """
        ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE CROSS DEFAULT DEFERRABLE \
        DELETE DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM FULL GROUP HAVING IN INDEX INDEXED INNER INSERT \
        INTERSECT INTO IS ISNULL JOIN LEFT LIMIT NATURAL NOT NOTHING NOTNULL NULL ON OR ORDER OUTER PRIMARY REFERENCES \
        RETURNING RIGHT SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE
        """
        .split(separator: " ").map { Identifier($0) }
    )

    /// The reserved keywords that SQLite takes as names of tables and columns as well.
    private static let reservedNames: Set<Identifier> = [
        "CROSS", "FULL", "INDEXED", "INNER", "LEFT", "NATURAL", "OUTER", "RIGHT",
    ]
}

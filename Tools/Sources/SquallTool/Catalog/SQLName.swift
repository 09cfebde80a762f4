/// The name of a table, a column or an index. SQLite ignores the case of ASCII letters, and compares all other bytes.
struct SQLName: Hashable {
    private let bytes: [UInt8]

    init(_ spelling: String) {
        bytes = spelling.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    }
}

extension String {
    /// Returns whether SQLite treats the two names as the same.
    func isSameName(as other: String) -> Bool { SQLName(self) == SQLName(other) }

    /// The name as it is written in SQL for people: in double quotes only where SQLite needs them or a reader would stumble.
    var sqlName: String {
        let isPlain = wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil && !SQLToken.keywords.contains(SQLName(self))
        return isPlain ? self : quotedName
    }
}

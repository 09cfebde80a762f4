import SquallBase

typealias Identifier = SquallBase.Identifier

extension Identifier {
    /// Whether it is a table that Squall keeps for itself: the versions of a schema, the state of a sync log, the keys of writes.
    var isOfLibrary: Bool {
        self == "squall_versions" || self == "squall_writes" || spelling.asciiUppercased.hasPrefix("SQUALL_SYNC_")
    }
}

/// A name whose case matters, such as that of a parameter or a column of a result. It is compared by its bytes: a `String` is
/// equal to another that has the same characters in another Unicode form, and SQLite keeps both apart.
struct ExactName: Hashable {
    private let bytes: [UInt8]

    init(_ spelling: some StringProtocol) {
        bytes = Array(spelling.utf8)
    }
}

extension String {
    /// Returns whether SQLite treats the two names as the same.
    func isSameName(as other: String) -> Bool { Identifier(self) == Identifier(other) }

    /// The name as it is written in SQL for people: in double quotes only where SQLite needs them or a reader would stumble.
    var sqlName: String {
        let isPlain = wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil && !Token.reserved.contains(Identifier(self))
        return isPlain ? self : quotedName
    }

    /// The text with ASCII letters in upper case. SQLite folds no others.
    var asciiUppercased: String {
        String(decoding: utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
    }

    /// The text on one line, without the space that indents SQL.
    var onOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

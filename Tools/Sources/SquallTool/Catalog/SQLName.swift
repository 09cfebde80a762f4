/// The name of a table, a column or an index. SQLite ignores the case of ASCII letters, and compares all other bytes.
struct SQLName: Hashable {
    private let bytes: [UInt8]

    init(_ spelling: String) {
        bytes = spelling.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    }

    /// Whether it is a table that Squall keeps for itself: the versions of a schema, the state of a sync log, the keys of writes.
    var isOfLibrary: Bool {
        bytes.elementsEqual("squall_versions".utf8) || bytes.elementsEqual("squall_writes".utf8)
            || bytes.starts(with: "squall_sync_".utf8)
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
    func isSameName(as other: String) -> Bool { SQLName(self) == SQLName(other) }

    /// The name as it is written in SQL for people: in double quotes only where SQLite needs them or a reader would stumble.
    var sqlName: String {
        let isPlain = wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil && !SQLToken.keywords.contains(SQLName(self))
        return isPlain ? self : quotedName
    }
}

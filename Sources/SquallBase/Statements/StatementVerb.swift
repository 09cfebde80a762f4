/// The keyword that a statement begins with.
public enum StatementVerb: String, CaseIterable, Sendable {
    case select = "SELECT"
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"
    case with = "WITH"
    case replace = "REPLACE"
    case values = "VALUES"
    case begin = "BEGIN"
    case commit = "COMMIT"
    case end = "END"
    case rollback = "ROLLBACK"
    case savepoint = "SAVEPOINT"
    case release = "RELEASE"
    case pragma = "PRAGMA"
    case create = "CREATE"
    case drop = "DROP"
    case alter = "ALTER"
    case explain = "EXPLAIN"
    case analyze = "ANALYZE"
    case attach = "ATTACH"
    case detach = "DETACH"
    case reindex = "REINDEX"
    case vacuum = "VACUUM"

    public init?(_ token: Token) {
        guard token.kind == .word else { return nil }
        self.init(rawValue: token.source.asciiUppercased)
    }

    /// Whether the statement reads and returns rows.
    public var isReading: Bool { self == .select || self == .values || self == .explain }

    /// Whether the statement writes rows.
    public var isWriting: Bool { self == .insert || self == .replace || self == .update || self == .delete }

    // MARK: - Without a String

    /// A word of at most nine letters in one number, which the caller computes letter by letter: comparing it takes a few
    /// instructions, and happens for each statement that is prepared.
    package struct Packed: Equatable {
        private var number: UInt64 = 0

        @inline(__always)
        package init() {}

        @inline(__always)
        package mutating func append(_ byte: UInt8) {
            // Rotated, so that the ninth letter joins the first instead of replacing it.
            number = (number << 8 | number >> 56) ^ UInt64(byte | 0x20)
        }
    }

    /// Finds the verb of a word that SQLite has accepted, or that it will refuse if it is longer than every verb.
    package init?(_ word: Packed) {
        guard let index = Self.packed.firstIndex(of: word) else { return nil }
        self = Self.allCases[index]
    }

    private static let packed = allCases.map { verb in
        verb.rawValue.utf8.reduce(into: Packed()) { $0.append($1) }
    }
}

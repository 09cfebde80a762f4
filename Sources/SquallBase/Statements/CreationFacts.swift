/// The parts of a CREATE statement that its text shows.
public struct CreationFacts: Hashable, Sendable {
    public enum Kind: String, Sendable {
        case table = "TABLE"
        case view = "VIEW"
        case index = "INDEX"
        case trigger = "TRIGGER"
    }

    /// The kind of what is created; `nil` for SQL that SQLite refuses.
    public let kind: Kind?
    public let isVirtual: Bool
    /// The name of the database; `nil` if the SQL has none.
    public let database: Identifier?
    public let name: Identifier?
    private let hasTemporaryWord: Bool

    /// Whether what is created belongs to the temporary database.
    public var isTemporary: Bool { hasTemporaryWord || database == "temp" }

    /// - Parameter tokens: The tokens after the keyword `CREATE`.
    init(_ tokens: ArraySlice<Token>) {
        var rest = tokens
        func take(_ word: String) -> Bool {
            guard rest.first?.is(word) == true else { return false }
            rest.removeFirst()
            return true
        }
        hasTemporaryWord = take("TEMP") || take("TEMPORARY")
        _ = take("UNIQUE")
        isVirtual = take("VIRTUAL")
        kind = rest.first.flatMap { Kind(rawValue: $0.source.asciiUppercased) }
        rest = rest.dropFirst()
        if take("IF") { _ = take("NOT") && take("EXISTS") }
        let first = rest.popFirst().map { Identifier($0.text) }
        let isQualified = take(".")
        database = isQualified ? first : nil
        name = isQualified ? rest.first.map { Identifier($0.text) } : first
    }
}

/// What the text of a CREATE statement shows after its verb.
struct CreationFacts {
    private enum Phase {
        case words
        /// The last token may be the name of a schema.
        case name(String)
        case over
    }

    private(set) var isTemporary = false
    private var phase = Phase.words
    /// Whether the kind of what is created was read.
    private var hasKind = false

    /// The words before the name.
    private static let words: Set = ["EXISTS", "IF", "INDEX", "NOT", "TABLE", "TRIGGER", "UNIQUE", "VIEW", "VIRTUAL"]

    mutating func add(_ token: SQLTokens.Token) {
        switch (phase, token) {
        case (.words, .word("TEMP")), (.words, .word("TEMPORARY")):
            // `CREATE TABLE temp.t` names the schema after the words.
            phase = .name("TEMP")
            isTemporary = !hasKind
        case (.words, .word(let word)) where Self.words.contains(word):
            hasKind = true
        case (.words, .word(let word)): phase = .name(word)
        case (.words, .quoted(let name)): phase = .name(name)
        case (.name("TEMP"), .other(UInt8(ascii: "."))): isTemporary = true
        default: phase = .over
        }
    }
}

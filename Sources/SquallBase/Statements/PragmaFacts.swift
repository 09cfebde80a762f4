/// The parts of a PRAGMA that its text shows.
public struct PragmaFacts: Hashable, Sendable {
    public enum Value: Sendable {
        /// `PRAGMA cache_size`
        case none
        /// `PRAGMA cache_size = 100`
        case assigned
        /// `PRAGMA cache_size(100)`, `PRAGMA table_info(cars)`
        case argument
    }

    /// The name without that of the database.
    public let name: Identifier
    /// Whether the name is in quotes.
    public let isQuoted: Bool
    /// The name of the database as the SQL writes it; `nil` if there is none.
    public let database: String?
    public let value: Value
    /// The first word, number or text of the value, without quotes; `nil` if there is none.
    package let firstOfValue: Identifier?

    /// Whether the SQL gives the PRAGMA a value or an argument.
    public var isSet: Bool { value != .none }

    /// Whether the argument of the PRAGMA is the name of what it reads.
    public var takesName: Bool { Self.readingWithArgument.contains(name) }

    private static let readingWithArgument: Set<Identifier> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    /// - Parameter tokens: The tokens after the keyword `PRAGMA`.
    init(_ tokens: ArraySlice<Token>) {
        var rest = tokens
        if rest.dropFirst().first?.is(".") == true {
            database = rest.first?.source
            rest = rest.dropFirst(2)
        } else {
            database = nil
        }
        let name = rest.popFirst()
        self.name = Identifier(name?.text ?? "")
        isQuoted = name.map { $0.kind != .word } ?? false
        value = rest.first?.is("=") == true ? .assigned : rest.first?.is("(") == true ? .argument : .none
        firstOfValue = value == .none ? nil : rest.dropFirst().first.map { Identifier($0.text) }
    }
}

/// Finds the semicolon that ends a statement, as `sqlite3_complete` does: that of a trigger follows `; END`.
public struct StatementEnd: Sendable {
    /// The states of SQLite's own function.
    private enum Progress {
        case start, normal, explain, create, trigger, semicolon, end
    }

    private var progress = Progress.start

    public init() {}

    /// Whether no token of a statement was added since the last end.
    public var isAtStart: Bool { progress == .start }

    /// Adds a token, and returns whether it ends a statement. Space and comments have no effect.
    public mutating func add(_ token: Token) -> Bool {
        if token.isBlank { return false }
        progress =
            switch (progress, token) {
            case (.trigger, ";"), (.semicolon, ";"): .semicolon
            case (_, ";"): .start
            case (.semicolon, "END"): .end
            case (.trigger, _), (.semicolon, _), (.end, _): .trigger
            case (.start, "EXPLAIN"): .explain
            case (.start, "CREATE"), (.explain, "CREATE"): .create
            case (.explain, "QUERY"), (.explain, "PLAN"): .explain
            case (.create, "TEMP"), (.create, "TEMPORARY"): .create
            case (.create, "TRIGGER"): .trigger
            default: .normal
            }
        return progress == .start
    }
}

private func ~= (word: String, token: Token) -> Bool { token.is(word) }

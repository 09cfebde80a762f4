import Squall

/// A statement that cannot be in a query.
struct RefusedStatement {
    let message: String
    /// The place in the statement of what is refused.
    let offset: Int

    /// Returns the reason why a statement cannot be in a query; `nil` if it can.
    init?(_ statement: SourceText.Excerpt) {
        let facts = StatementFacts(statement.text)
        guard let verb = facts.verb, let message = Self.reason(verb, facts.pragma) else { return nil }
        self.message = message
        // After EXPLAIN, the verb is not the first token.
        let token = SQLTokenizer(statement.text).first { StatementVerb($0) == verb }
        offset = token?.range.lowerBound ?? 0
    }

    private static func reason(_ verb: StatementVerb, _ pragma: PragmaFacts?) -> String? {
        switch verb {
        case .begin, .commit, .end, .rollback, .savepoint, .release:
            "\(verb.rawValue) cannot be in a query: the statements of a query run in one transaction, and several queries do "
                + "inside 'transaction' in Swift"
        case .attach, .detach:
            "\(verb.rawValue) cannot be in a query: attach databases with 'attachDatabase' in Swift"
        case .vacuum:
            "VACUUM cannot be in a query: it runs outside of transactions, with 'vacuum' of a Database in Swift"
        case .pragma:
            pragma?.value == .assigned || pragma?.value == .argument && pragma?.takesName != true
                ? "a PRAGMA with a value cannot be in a query: it changes a connection, which its configuration does"
                : nil
        default: nil
        }
    }
}

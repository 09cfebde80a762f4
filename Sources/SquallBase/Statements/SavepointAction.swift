/// An action of a `SAVEPOINT`, `RELEASE` or `ROLLBACK TO` statement.
public enum SavepointAction: Hashable, Sendable {
    case begin(Identifier)
    case release(Identifier)
    case rollBack(Identifier)

    /// Reads the action of a statement. Returns `nil` for another statement, such as `ROLLBACK` without a savepoint.
    init?(_ tokens: ArraySlice<Token>) {
        guard let verb = tokens.first.flatMap(StatementVerb.init) else { return nil }
        var rest = tokens.dropFirst()
        if verb == .rollback {
            if rest.first?.is("TRANSACTION") == true { rest = rest.dropFirst() }
            guard rest.popFirst()?.is("TO") == true else { return nil }
        }
        // A savepoint may have the name `savepoint`.
        if verb != .savepoint, rest.count > 1, rest.first?.is("SAVEPOINT") == true { rest = rest.dropFirst() }
        guard let token = rest.first, token.kind == .text || token.kind == .word || token.kind == .name else {
            return nil
        }
        let name = Identifier(token.text)
        switch verb {
        case .savepoint: self = .begin(name)
        case .release: self = .release(name)
        case .rollback: self = .rollBack(name)
        default: return nil
        }
    }
}

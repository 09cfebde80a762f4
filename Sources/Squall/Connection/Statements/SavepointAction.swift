import SquallSQLite

/// An action of a `SAVEPOINT`, `RELEASE` or `ROLLBACK TO` statement.
enum SavepointAction: Equatable {
    case begin(Identifier)
    case release(Identifier)
    case rollBack(Identifier)

    /// Whether SQL may be such a statement, by its first word.
    static func mayBe(_ sql: UnsafePointer<CChar>?) -> Bool {
        Pragma.word("savepoint", begins: sql) || Pragma.word("release", begins: sql)
            || Pragma.word("rollback", begins: sql)
    }

    /// Reads the action of a statement. Returns `nil` for another statement, such as `ROLLBACK` without a savepoint.
    init?(_ sql: UnsafePointer<CChar>?) {
        guard var position = sql else { return nil }
        var words: [Identifier] = []
        while words.count < 5, let word = Pragma.nextName(&position) { words.append(word) }
        guard let verb = words.first else { return nil }
        switch verb {
        case "savepoint" where words.count > 1: self = .begin(words[1])
        case "release" where words.count > 1:
            self = .release(words.count > 2 && words[1] == "savepoint" ? words[2] : words[1])
        case "rollback":
            var rest = words.dropFirst()
            if rest.first == "transaction" { rest = rest.dropFirst() }
            guard rest.popFirst() == "to" else { return nil }
            if rest.count > 1, rest.first == "savepoint" { rest = rest.dropFirst() }
            guard let name = rest.first else { return nil }
            self = .rollBack(name)
        default: return nil
        }
    }
}

extension Statement {
    /// Whether the statement may commit an open transaction: `COMMIT`, `END`, or `RELEASE` of the outermost savepoint.
    var mayCommit: Bool {
        let sql = sqlite3_sql(handle)
        return Pragma.word("commit", begins: sql) || Pragma.word("end", begins: sql)
            || Pragma.word("release", begins: sql)
    }
}

extension SQL {
    /// Returns `CREATE INDEX i ON t(a)` as `CREATE INDEX main.i ON t(a)`. Triggers and views are qualified likewise.
    ///
    /// Without a schema, SQLite adds an index or a trigger to a TEMP table of the same name. The SQL in `sqlite_master` does
    /// not contain the schema, and SQLite omits it again.
    ///
    /// - Throws: ``SchemaError/invalid(_:)`` for SQL other than `CREATE INDEX`, `CREATE TRIGGER` or `CREATE VIEW`, and for
    ///   another name than the expected one.
    func created(in schema: String, named expected: String) throws -> SQL {
        if let failure { throw failure }
        let literals = withLiterals
        if let failure = literals.failure { throw failure }
        let text = literals.text
        guard let (kind, name) = text.headOfDependent, name.text.isSameName(as: expected) else {
            throw SchemaError.invalid(["the SQL of \"\(expected)\" is not understood: \(text)"])
        }
        let rest = String(decoding: text.utf8.dropFirst(name.range.lowerBound), as: UTF8.self)
        return "CREATE \(raw: kind) \(raw: schema).\(raw: rest)"
    }
}

extension String {
    /// The beginning of `CREATE UNIQUE INDEX IF NOT EXISTS main.i ON …`: `UNIQUE INDEX` and `i`.
    fileprivate var headOfDependent: (kind: String, name: Token)? {
        var tokens = SQLTokenizer.tokens(of: self)[...]
        func take(_ words: String...) -> Bool {
            guard tokens.count > words.count, zip(tokens, words).allSatisfy({ $0.is($1) }) else { return false }
            tokens.removeFirst(words.count)
            return true
        }
        guard take("CREATE") else { return nil }
        let kind: String
        if take("UNIQUE", "INDEX") {
            kind = "UNIQUE INDEX"
        } else if take("INDEX") {
            kind = "INDEX"
        } else {
            _ = take("TEMP") || take("TEMPORARY")
            if take("TRIGGER") { kind = "TRIGGER" } else if take("VIEW") { kind = "VIEW" } else { return nil }
        }
        _ = take("IF", "NOT", "EXISTS")
        if tokens.count > 2, tokens.dropFirst().first?.is(".") == true { tokens.removeFirst(2) }
        return tokens.first.map { (kind, $0) }
    }
}

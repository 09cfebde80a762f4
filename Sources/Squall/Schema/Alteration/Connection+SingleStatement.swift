extension Connection {
    /// Runs generated SQL, or SQL that was read from the file: one statement and nothing behind it but space and comments.
    ///
    /// The content of a file must never decide how many statements run. The rest of the text is therefore not even
    /// prepared: some pragmas take effect then.
    ///
    /// - Throws: ``SchemaError/invalid(_:)`` for a second statement, before the first one has run; ``SQLiteError``.
    func runSingle(_ sql: SQL) throws {
        if let failure = sql.failure { throw failure }
        try sql.checkPlaces()
        let text = sql.text
        var script = Script(text)
        guard let handle = try prepareNext(&script, on: requireHandle(sql: text)) else {
            throw SchemaError.invalid(["the SQL has no statement: \(text)"])
        }
        let statement = Statement(connection: self, sql: text, handle: handle, isOwned: true)
        let rest = String(decoding: text.utf8.dropFirst(script.position), as: UTF8.self)
        guard SQLTokenizer.tokens(of: rest).allSatisfy({ $0.is(";") }) else {
            throw SchemaError.invalid(["the SQL is more than one statement: \(text)"])
        }
        try statement.bind(sql.parameters)
        try statement.run()
    }
}

extension Connection {
    /// Runs generated SQL or SQL read from the file. Only whitespace and comments may follow the one statement.
    ///
    /// The content of a file must never decide how many statements run. The rest of the text is not even prepared, because
    /// some pragmas take effect when they are prepared.
    ///
    /// - Throws: ``SchemaError/invalid(_:)`` for a second statement, before the first one runs; ``SQLiteError``.
    package func runSingle(_ sql: SQL) throws {
        if let failure = sql.failure { throw failure }
        try sql.checkValueOffsets()
        try addModules(of: sql)
        let text = sql.text
        var script = Script(text)
        guard let prepared = try prepareNext(&script, on: requireHandle(sql: text)) else {
            throw SchemaError.invalid(["the SQL has no statement: \(text)"])
        }
        let statement = Statement(connection: self, sql: text, prepared: prepared, isOwned: true)
        let rest = String(decoding: text.utf8.dropFirst(script.position), as: UTF8.self)
        guard SQLTokenizer.tokens(of: rest).allSatisfy({ $0.is(";") }) else {
            throw SchemaError.invalid(["the SQL has more than one statement: \(text)"])
        }
        try statement.bind(contentsOf: sql.allParameters)
        try statement.run()
    }
}

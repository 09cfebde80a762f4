extension Connection {
    /// Whether SQLite enforces foreign keys: `PRAGMA foreign_keys`.
    var hasForeignKeys: Bool {
        get throws { try query("PRAGMA foreign_keys") }
    }

    /// Runs a closure with foreign keys off, and always restores the previous setting.
    ///
    /// - Throws: The error of the closure; ``SchemaError/insideTransaction``, because the pragma has no effect in a
    ///   transaction.
    func withoutForeignKeys<Result>(_ isNeeded: Bool = true, _ body: () throws -> Result) throws -> Result {
        guard !isInTransaction else { throw SchemaError.insideTransaction }
        guard try isNeeded && hasForeignKeys else { return try body() }
        // 12. Turn foreign keys on again, also after an error. `cleanUp` bypasses all checks, so that an expired
        // deadline cannot leave them off. The PRAGMA takes effect when it is prepared, so even a call that throws may
        // have turned them off.
        defer { cleanUp("PRAGMA foreign_keys = ON") }
        // 1. Turn foreign keys off before the transaction.
        try run("PRAGMA foreign_keys = OFF")
        return try body()
    }
}

extension Connection {
    /// Runs a closure in a savepoint, and always rolls the savepoint back.
    ///
    /// - Parameter name: The name of the savepoint, an identifier that needs no quotes.
    func undoing<Result>(_ name: StaticString, _ body: () throws -> Result) throws -> Result {
        try run("SAVEPOINT \(raw: "\(name)")")
        defer { cleanUp("ROLLBACK TO \(name); RELEASE \(name)") }
        return try body()
    }
}

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

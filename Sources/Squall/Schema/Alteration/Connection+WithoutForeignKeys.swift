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

extension SQL {
    /// Returns the text and the values of its parameters, for running it elsewhere than on a ``Connection``.
    ///
    /// - Throws: ``SQLiteError`` for SQL that a connection refuses before SQLite sees it, and for an array, which is a table of
    ///   this process; the error of a value that cannot be stored.
    public func portable() throws -> (text: String, parameters: [BindingValue]) {
        if let failure { throw failure }
        guard tableParameters.isEmpty else { throw SQLiteError.misuse(.arrayElsewhere, sql: text) }
        if hasValues { try checkValueOffsets() }
        return (text, parameters)
    }

    /// Returns the text of a script with its values in place, as literals, for running it elsewhere than on a ``Connection``.
    ///
    /// - Throws: As ``portable()``.
    public func portableScript() throws -> String { try withLiterals.portable().text }
}

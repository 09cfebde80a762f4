extension SQL {
    /// Returns the text and the values of its parameters, for running it elsewhere than on a ``Connection``.
    ///
    /// - Parameter parameterLimit: The largest number of parameters there. Lists for `IN` that exceed it are not padded, or
    ///   become one value as JSON, as on a connection.
    /// - Throws: ``SQLiteError`` for SQL that a connection refuses before SQLite sees it, and for an array, which is a table of
    ///   this process; the error of a value that cannot be stored.
    public func portable(
        parameterLimit: Int = .max
    ) throws -> (text: String, parameters: [BindingValue]) {
        if let failure { throw failure }
        guard tableParameters.isEmpty else { throw SQLiteError.misuse(.arrayElsewhere, sql: text) }
        if hasValues { try checkValueOffsets() }
        for case (let index, .real(let value)) in parameters.enumerated() where value.isNaN {
            throw SQLiteError(
                .unstorable(type: "Double", reason: .notANumberForParameter(index + 1)), code: .mismatch, sql: text)
        }
        let fitted = fitted(to: parameterLimit)
        return (fitted.text, fitted.parameters)
    }

    /// Returns the text of a script with its values in place, as literals, for running it elsewhere than on a ``Connection``.
    ///
    /// - Throws: As ``portable(parameterLimit:)``.
    public func portableScript() throws -> String { try withLiterals.portable().text }
}

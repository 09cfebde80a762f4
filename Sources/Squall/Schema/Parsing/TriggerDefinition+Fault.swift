extension TriggerDefinition {
    /// The reason why the SQL is not a single `CREATE TRIGGER`; `nil` if it is.
    var fault: String? {
        let tokens = SQLTokenizer.tokens(of: sql.withLiterals.text)
        let words = tokens.filter { !$0.is("TEMP") && !$0.is("TEMPORARY") }
        let end = zip(tokens, tokens.dropFirst()).enumerated().first { $1.0.is(";") && $1.1.is("END") }?.offset
        guard words.first?.is("CREATE") == true, words.dropFirst().first?.is("TRIGGER") == true, let end,
            tokens[(end + 2)...].allSatisfy({ $0.is(";") })
        else { return "the SQL of the trigger \"\(name)\" is not one CREATE TRIGGER: \(sql.text)" }
        return nil
    }
}

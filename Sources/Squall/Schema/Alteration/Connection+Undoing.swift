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

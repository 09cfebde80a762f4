import Squall

/// Checks `-- plan: no scan`: a statement must not read all rows of a table.
struct PlanBudget {
    let connection: Connection
    let catalog: Catalog

    /// Returns the lines of the plan that scan a table.
    func scans(of statement: CompiledStatement) throws -> [String] {
        let derived = Set(statement.syntax.map(\.derivedTables) ?? [])
        return try Self.plan(of: statement, connection).filter { isScan($0, derived) }
    }

    /// Returns the lines of the plan of a statement.
    static func plan(of statement: CompiledStatement, _ connection: Connection) throws -> [String] {
        let explanation = try connection.prepare(SQL(raw: "EXPLAIN QUERY PLAN " + statement.text.text))
        let values = [BindingValue](repeating: .null, count: explanation.parameterCount)
        return try explanation.bind(contentsOf: values).query { (row: Row) in try row.get(3) }
    }

    private func isScan(_ line: String, _ derived: Set<Name>) -> Bool {
        // An index that SQLite makes for one statement reads the whole table.
        if line.contains(" USING AUTOMATIC ") { return true }
        let words = line.split(separator: " ")
        guard words.first == "SCAN", words.count > 1, line != "SCAN CONSTANT ROW" else { return false }
        let name = Name(words[1])
        if words[1].hasPrefix("(") || derived.contains(name) { return false }
        if case .view? = catalog.tables[name]?.kind { return false }
        // A virtual table without a condition; a table function has its own way.
        guard let place = words.firstIndex(of: "VIRTUAL") else { return true }
        return catalog.tables[name] != nil && words[safe: place + 3] == "0:"
    }
}

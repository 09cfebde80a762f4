import Squall

/// Finds the steps of plans that read a whole table.
struct ScanFinder {
    let catalog: Catalog

    /// Returns the steps of the plan of a statement that read a whole table.
    ///
    /// - Parameter syntax: The statement, if it could be read.
    func scans(in plan: QueryPlan, of syntax: SQLStatement?) -> [QueryPlan.Node] {
        let derived = Set(syntax.map(\.derivedTables) ?? [])
        return plan.all.filter { isScan($0.detail, derived) }
    }

    private func isScan(_ detail: String, _ derived: Set<Name>) -> Bool {
        // An index that SQLite makes for one statement reads the whole table.
        if detail.contains(" USING AUTOMATIC ") { return true }
        guard detail.hasPrefix("SCAN "), detail.firstMatch(of: /^SCAN (\d+ )?CONSTANT ROWS?$/) == nil else {
            return false
        }
        // A name may have spaces.
        let rest = detail.dropFirst("SCAN ".count)
        let ends = [" USING ", " VIRTUAL TABLE ", " LEFT-JOIN", " RIGHT-JOIN"].compactMap {
            rest.firstRange(of: $0)?.lowerBound
        }
        let name = Name(rest[..<(ends.min() ?? rest.endIndex)])
        if rest.hasPrefix("(") || derived.contains(name) { return false }
        if case .view? = catalog.tables[name]?.kind { return false }
        // A virtual table without a condition; a table function has its own way.
        guard let index = rest.firstMatch(of: /\ VIRTUAL TABLE INDEX (\S*)/)?.1 else { return true }
        return catalog.tables[name] != nil && index == "0:"
    }
}

import Squall

/// Finds the steps of the plan of a statement that read a whole table.
struct ScanFinder {
    private let catalog: Catalog
    /// The tables, by the aliases of the statement and of the views that it uses.
    private var aliases: [Identifier: CatalogTable] = [:]
    /// The names of common tables and the aliases of subqueries.
    private let derived: Set<Identifier>

    /// - Parameter tokens: The tokens of the statement.
    init(_ tokens: [Token], catalog: Catalog) {
        self.catalog = catalog
        derived = Set((try? Parser.statement(tokens))?.derivedTables ?? [])
        // A plan shows the tables of a view, and not always the view. Views can use views.
        var (all, views) = (tokens, Set<Identifier>())
        var index = 0
        while index < all.count {
            defer { index += 1 }
            guard all[index].canBeName, let table = catalog.tables[Identifier(all[index].text)] else { continue }
            if case .view(let sql) = table.kind, views.insert(table.name).inserted {
                all += SQLTokenizer.tokens(of: sql)
            }
            let hasAS = all[safe: index + 1]?.is("AS") == true
            guard let alias = all[safe: index + (hasAS ? 2 : 1)] else { continue }
            if hasAS ? alias.canBeName : alias.canBeAlias { add(Identifier(alias.text), for: table) }
        }
    }

    /// Adds an alias. Where queries inside one another use one alias, that of a table decides.
    private mutating func add(_ alias: Identifier, for table: CatalogTable) {
        if case .view? = aliases[alias]?.kind { aliases[alias] = nil }
        if aliases[alias] == nil { aliases[alias] = table }
    }

    /// Returns the steps of a plan that read a whole table.
    func scans(in plan: QueryPlan) -> [QueryPlan.Node] { plan.all.filter { isScan($0.detail) } }

    private func isScan(_ detail: String) -> Bool {
        // An index that SQLite makes for one statement reads the whole table.
        if detail.contains(" USING AUTOMATIC ") { return true }
        guard detail.hasPrefix("SCAN ") else { return false }
        // A name may have spaces.
        let rest = detail.dropFirst("SCAN ".count)
        let ends = [" USING ", " VIRTUAL TABLE ", " LEFT-JOIN", " RIGHT-JOIN"].compactMap {
            rest.firstRange(of: $0)?.lowerBound
        }
        let name = Identifier(rest[..<(ends.min() ?? rest.endIndex)])
        // Subqueries without a name, constant rows and table functions are not tables.
        guard !derived.contains(name), let table = aliases[name] ?? catalog.tables[name] else { return false }
        switch table.kind {
        case .table: return true
        case .view: return false
        case .virtual(let module):
            // The number and the text with which the module describes a plan without a condition.
            let plan = rest.firstMatch(of: /\ VIRTUAL TABLE INDEX (\S*)/)?.1
            return plan == (module.hasPrefix("rtree") ? "2:" : "0:")
        }
    }
}

import Squall

/// Searches for indexes that improve the plan of a statement, in a copy of the schema in memory.
struct IndexSuggestion {
    /// The most columns that are tried for a table: the number of their combinations grows fast.
    private static let columnLimit = 8
    private static let indexLimit = 3

    let sql: SQL
    let names: QueryNames
    let connection: Connection

    /// The indexes that improve the plan, the most useful first, and the plan with all of them.
    struct Result {
        var indexes: [IndexDefinition] = []
        let before: QueryPlan
        var after: QueryPlan
    }

    /// - Parameter original: The database, for its statistics.
    init(_ sql: SQL, _ names: QueryNames, entries: [SchemaEntry], statisticsOf original: Connection) throws {
        self.sql = sql
        self.names = names
        connection = try SchemaCopy(of: entries).connection
        try copyStatistics(from: original)
    }

    private func copyStatistics(from original: Connection) throws {
        guard try original.hasStatistics() else { return }
        // Creates the table, and finds no rows to count.
        try connection.run("ANALYZE")
        let rows: [(String, String?, String?)] = try original.query("SELECT tbl, idx, stat FROM main.sqlite_stat1") {
            try ($0.get(0), $0.get(1), $0.get(2))
        }
        for (table, index, stat) in rows {
            try connection.run("INSERT INTO sqlite_stat1(tbl, idx, stat) VALUES(\(table), \(index), \(stat))")
        }
        // Reads the statistics.
        try connection.run("ANALYZE sqlite_schema")
    }

    /// Tries all indexes of up to three columns, and keeps the best one as long as it improves the plan.
    func search() throws -> Result {
        let before = try connection.explainQueryPlan(sql)
        var result = Result(before: before, after: before)
        let tried = try names.tables.flatMap { try candidates(for: $0) }
        while result.indexes.count < Self.indexLimit {
            let current = Cost(result.after, names.names)
            var best: (cost: Cost, index: IndexDefinition, plan: QueryPlan)?
            for index in tried {
                guard let plan = try plan(with: index) else { continue }
                let cost = Cost(plan, names.names)
                // Another search of the same kind does not prove a better plan: a scan or a sort must be gone.
                guard cost.steps < current.steps, best.map({ cost.isBetter(index, than: $0.cost, $0.index) }) ?? true
                else { continue }
                best = (cost, index, plan)
            }
            guard let best else { break }
            try connection.run(best.index.sql)
            result.indexes.append(best.index)
            result.after = best.plan
        }
        try removeUnused(&result)
        return result
    }

    private func plan(with index: IndexDefinition) throws -> QueryPlan? {
        do {
            try connection.run(index.sql)
        } catch let error as SQLiteError where error.resultCode == .error {
            return nil
        }
        defer { try? connection.run("DROP INDEX \(name: index.name)") }
        let plan = try connection.explainQueryPlan(sql)
        return plan.uses(index) ? plan : nil
    }

    /// Removes the indexes that later ones have replaced.
    private func removeUnused(_ result: inout Result) throws {
        for index in result.indexes where !result.after.uses(index) {
            try connection.run("DROP INDEX \(name: index.name)")
        }
        result.indexes.removeAll { !result.after.uses($0) }
        result.after = try connection.explainQueryPlan(sql)
    }

    private func candidates(for table: String) throws -> [IndexDefinition] {
        let columns = try names.columns(of: table, in: connection).prefix(Self.columnLimit)
        var lists = columns.map { [$0] }
        var longer = lists
        for _ in 2...3 {
            longer = longer.flatMap { list in
                columns.filter { column in !list.contains { $0.name.isSameName(as: column.name) } }.map { list + [$0] }
            }
            lists += longer
        }
        return try lists.map { list in
            IndexDefinition(
                name: try freeName([table] + list.map(\.name)), table: table,
                columns: list.map {
                    IndexedColumn($0.name, collation: $0.collation, order: $0.isDescending ? .descending : nil)
                })
        }
    }

    private func freeName(_ parts: [String]) throws -> String {
        let base = parts.joined(separator: "_")
        let names = Set(try connection.storedEntries().map { Identifier($0.name) })
        var (name, number) = (base, 2)
        while names.contains(Identifier(name)) {
            name = "\(base)_\(number)"
            number += 1
        }
        return name
    }
}

extension QueryPlan {
    /// Returns whether a step uses the index.
    fileprivate func uses(_ index: IndexDefinition) -> Bool {
        all.contains { "\($0.detail) ".contains(" INDEX \(index.name) ") }
    }
}

/// The costly steps of a plan.
private struct Cost {
    /// Scans of a table or an index, then sorts, then the scans of a table alone: the first difference decides.
    struct Steps: Comparable {
        var scans = 0
        var sorts = 0
        var tableScans = 0

        static func < (left: Self, right: Self) -> Bool {
            (left.scans, left.sorts, left.tableScans) < (right.scans, right.sorts, right.tableScans)
        }
    }

    private(set) var steps = Steps()
    /// The number of comparisons that an index makes: `(tag=? AND price>?)`.
    private var comparisons = 0

    init(_ plan: QueryPlan, _ names: Set<Identifier>) {
        for node in plan.all {
            switch node.mark(names) {
            case .fullScan, .automaticIndex:
                steps.scans += 1
                steps.tableScans += 1
            case .sort, .temporaryTree: steps.sorts += 1
            case .indexScan: steps.scans += 1
            case nil: break
            }
            comparisons += node.detail.utf8.filter { $0 == UInt8(ascii: "?") }.count
        }
    }

    /// Returns whether the plan is better than that of another index: by its steps, then by the comparisons that an index
    /// makes, then because the index has fewer columns.
    func isBetter(_ index: IndexDefinition, than other: Cost, _ otherIndex: IndexDefinition) -> Bool {
        if steps != other.steps { return steps < other.steps }
        if comparisons != other.comparisons { return comparisons > other.comparisons }
        return index.columns.count < otherIndex.columns.count
    }
}

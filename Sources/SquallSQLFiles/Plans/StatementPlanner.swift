import Squall

/// Plans statements of SQL files on a database that has the schema.
struct StatementPlanner {
    /// A plan with its scans and all its steps.
    struct Planned {
        let plan: QueryPlan
        /// The steps that read a whole table.
        let scans: [QueryPlan.Node]
        /// The descriptions of all steps, with those of triggers and of foreign key actions.
        let steps: [String]
    }

    let connection: Connection
    let catalog: Catalog

    /// Returns the plan of a statement; `nil` for `EXPLAIN`, which has none.
    func plan(of statement: SourceText.Excerpt) throws -> Planned? {
        let tokens = SQLTokenizer.tokens(of: statement.text, readsLists: true)
        guard tokens.first?.is("EXPLAIN") != true else { return nil }
        let sql = SQL(raw: RunnableText(statement.text, tokens: tokens).text)
        let plan = try connection.explainQueryPlan(sql)
        let scans = ScanFinder(tokens, catalog: catalog).scans(in: plan)
        let steps: [String?] = try connection.withTriggerPlans {
            try connection.prepare("EXPLAIN QUERY PLAN \(sql)").query { (row: Row) in try row.get(3) }
        }
        return Planned(plan: plan, scans: scans, steps: steps.compactMap(\.self))
    }
}

import Squall

/// The plans of the queries of SQL files, and the indexes that none of them uses.
///
/// SQLite plans each statement on tables without rows. A database with the statistics of `ANALYZE` may have other plans.
public struct QueryPlans: Sendable {
    /// The files, with their queries checked.
    public let files: CheckedFiles
    /// The plans of the statements, in the order of the files. `EXPLAIN` has no plan.
    public let statements: [StatementPlan]
    /// The indexes that no query uses, by their tables. Indexes that SQLite made for constraints are not among them.
    public let unusedIndexes: [UnusedIndex]

    /// Checks the SQL files of a folder, and plans their queries.
    ///
    /// - Parameters:
    ///   - folder: The folder, as for ``CheckedFiles/init(folder:deadline:)``.
    ///   - deadline: The maximum duration of the schema files.
    /// - Throws: ``DiagnosticsError``; ``SQLiteError`` for an extension that cannot be loaded.
    public init(folder: String, deadline: Duration = .seconds(10)) throws {
        let check = try FileCheck(SQLFolder(path: folder), deadline: deadline)
        let planner = StatementPlanner(connection: check.connection, catalog: check.files.catalog)
        var indexes = try SchemaIndexes(of: check.connection)
        var plans: [StatementPlan] = []
        for query in check.files.queries {
            let declaration = query.declaration
            for statement in declaration.statements {
                guard let planned = try planner.plan(of: statement) else { continue }
                indexes.markUsed(by: planned.steps)
                plans.append(
                    StatementPlan(
                        query: declaration.name, location: declaration.source.location(at: statement.offset),
                        plan: planned.plan, scans: Set(planned.scans.map(\.id))))
            }
        }
        (files, statements, unusedIndexes) = (check.files, plans, indexes.unused)
    }
}

/// The plan of a statement of a query.
public struct StatementPlan: Hashable, Sendable {
    /// The name of the query.
    public let query: String
    /// The place of the statement.
    public let location: SourceLocation
    public let plan: QueryPlan
    /// The ids of the steps that read a whole table, which `-- plan: no scan` reports.
    public let scans: Set<Int>
}

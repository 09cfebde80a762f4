import ArgumentParser
import Rainbow
import Squall
import SquallSQLFiles

struct SQLPlans: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plans",
        abstract: "Prints how SQLite would run the queries of SQL files, and the indexes that none of them uses.",
        discussion: """
            A step that an index could avoid has a mark. Plans are made on tables without rows, so a database with \
            the statistics of ANALYZE may have others. An index that a trigger or a foreign key of a query uses is \
            not unused. Unique indexes are constraints, and are listed apart.
            """
    )

    @OptionGroup
    var source: SQLFilesFolder

    @Flag(help: "Print only the indexes that no query uses.")
    var unused = false

    @Option(help: "How the plans are printed: 'table' is trees, other formats have a row for each step.")
    var format: OutputFormat = .table

    func run() throws {
        let plans = try source.plans()
        let output = Output()
        try output.flushing {
            switch (format, unused) {
            case (.table, false):
                try output.write(plans.trees + plans.indexLines)
            case (.table, true): try output.write(plans.indexLines)
            case (_, false): try output.write(plans.rows, columns: QueryPlans.columns, as: format)
            case (_, true): try output.write(plans.indexRows, columns: QueryPlans.indexColumns, as: format)
            }
        }
    }
}

extension QueryPlans {
    fileprivate static let columns = ["query", "file", "line", "id", "parent", "detail", "mark"]
    fileprivate static let indexColumns = ["index", "table", "unique"]

    /// The trees of all statements, each below the name and the place of its query.
    fileprivate var trees: String {
        statements.map { statement in
            let tree =
                statement.plan.nodes.isEmpty ? "nothing to plan\n" : statement.plan.tree(mark: statement.mark(of:))
            return "\(statement.query.printable.bold)  \("\(statement.location)".printable.dim)\n\(tree)\n"
        }.joined()
    }

    /// The indexes that no query uses, as lines of text. Unique ones are apart.
    fileprivate var indexLines: String {
        guard !unusedIndexes.isEmpty else { return "every index is used\n" }
        let (unused, constraints) = (unusedIndexes.filter { !$0.isUnique }, unusedIndexes.filter(\.isUnique))
        let lines =
            (unused.isEmpty ? [] : ["indexes that no query uses:"] + unused.map(\.line))
            + (constraints.isEmpty ? [] : ["constraints that no query uses as an index:"] + constraints.map(\.line))
        return lines.map { $0 + "\n" }.joined()
    }

    fileprivate var rows: [[Cell]] {
        statements.flatMap { statement in
            statement.plan.all.map { node in
                [
                    .text(statement.query), .text(statement.location.file), .integer(Int64(statement.location.line)),
                    .integer(Int64(node.id)), .integer(Int64(node.parent)), .text(node.detail),
                    statement.mark(of: node).map { .text($0.rawValue) } ?? .null,
                ]
            }
        }
    }

    fileprivate var indexRows: [[Cell]] {
        unusedIndexes.map { [.text($0.name), .text($0.table), .integer($0.isUnique ? 1 : 0)] }
    }
}

extension StatementPlan {
    /// Returns what is costly about a step.
    fileprivate func mark(of node: QueryPlan.Node) -> QueryPlan.Node.Mark? {
        node.mark(isScan: scans.contains(node.id))
    }
}

extension UnusedIndex {
    fileprivate var line: String { "  \(name.sqlName) on \(table.sqlName)".printable }
}

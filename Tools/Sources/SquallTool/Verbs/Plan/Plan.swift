import ArgumentParser
import Foundation
import Rainbow
import Squall

struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints how SQLite would run a statement: what it scans, searches and sorts.",
        discussion: """
            EXAMPLES
              squall plan shop.db "SELECT * FROM items ORDER BY price" --suggest
              squall plan shop.db "SELECT * FROM items WHERE tag = :tag" -p tag=new --run

            A step that an index could avoid has a mark. Parameters need no value, except to run the statement.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Argument(help: "The SQL; '-' to read it from standard input. SQL that begins with '--' needs '--' before it.")
    var sql: String

    @OptionGroup
    var parameters: ParameterArguments

    @Flag(name: .customLong("run"), help: "Also run the statement, which must only read, and print what that took.")
    var isRun = false

    @Flag(
        help: ArgumentHelp(
            "Search for an index that avoids a scan or a sort.",
            discussion: """
                Indexes of up to three columns are tried in a copy of the schema in memory, without rows, with the \
                statistics of ANALYZE if there are any. The database is not changed.
                """))
    var suggest = false

    @Option(help: "How the plan is printed: 'table' is the tree.")
    var format: OutputFormat = .table

    func validate() throws {
        if format != .table, isRun || suggest {
            throw ValidationError("--run and --suggest print text for people; leave --format out.")
        }
    }

    func run() throws {
        let text = sql == "-" ? try InputFile.standardInput() : sql
        try source.database.use { connection in
            let entries = try connection.schemaEntries()
            let names = QueryNames(of: text, in: entries)
            let statement = try connection.prepare(SQL(raw: text))
            guard statement.isReadOnly || !isRun else {
                throw SQLiteError(
                    code: ResultCode.readOnly.rawValue, message: "the SQL writes, and the database is opened read-only"
                )
            }
            let values = try parameters.values(for: statement, isComplete: isRun)
            let given = values.compactMap(\.self)
            let plan =
                try given.count == values.count && !given.isEmpty
                ? connection.explainQueryPlan(SQL(raw: text), given.map { $0 as (any Bindable)? })
                : connection.explainQueryPlan(SQL(raw: text))
            let output = Output()
            try output.flushing {
                guard format == .table else {
                    return try output.write(plan.rows(names), columns: QueryPlan.columns, as: format)
                }
                try output.write(plan.nodes.isEmpty ? "nothing to plan\n" : plan.tree(names.names))
                if isRun { try printRun(of: statement, given, to: output) }
                if suggest { try printSuggestion(SQL(raw: text), names, entries, connection, to: output) }
            }
        }
    }

    // MARK: - Run

    private func printRun(of statement: Statement, _ values: [BindingValue], to output: Output) throws {
        try statement.bind(contentsOf: values)
        var rows = 0
        let time = try ContinuousClock().measure {
            while try statement.step() { rows += 1 }
        }
        let status = statement.status
        let counts = [
            ("rows", rows), ("steps of the virtual machine", status.virtualMachineSteps),
            ("rows read by full scans", status.fullScanSteps), ("sorts", status.sorts),
            ("rows put into automatic indexes", status.automaticIndexRows),
        ]
        try output.write("\n")
        let width = counts.map { "\($0.1)".count }.max() ?? 0
        for (name, count) in counts {
            let padding = String(repeating: " ", count: width - "\(count)".count)
            try output.write("\(padding)\("\(count)".bold)  \(name)\n")
        }
        let milliseconds = Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1_000
        try output.write("\(String(format: "%.1f", milliseconds)) ms\n")
    }

    // MARK: - Suggestion

    private func printSuggestion(
        _ sql: SQL, _ names: QueryNames, _ entries: [SchemaEntry], _ connection: Connection, to output: Output
    ) throws {
        let result = try IndexSuggestion(sql, names, entries: entries, statisticsOf: connection).search()
        try output.write("\n")
        guard !result.indexes.isEmpty else {
            let isCostly = result.before.all.contains { $0.mark(names.names) != nil }
            return try output.write(
                isCostly
                    ? "no index of up to three columns would avoid a scan or a sort\n"
                    : "no index is needed: the plan has no scan of a table and no sort\n")
        }
        for index in result.indexes { try output.write("\(index.statement.printable.bold);\n") }
        let title = "with \(result.indexes.count == 1 ? "it" : "them"), tried in memory:"
        try output.write("\n\(title.dim)\n")
        try output.write(result.after.tree(names.names))
    }
}

extension IndexDefinition {
    /// The statement with quotes only where they are needed.
    fileprivate var statement: String {
        let list = columns.map { column in
            (column.columnName ?? "").sqlName + (column.collation.map { " COLLATE \($0.sqlName)" } ?? "")
                + (column.order.map { " \($0.rawValue)" } ?? "")
        }
        return "CREATE INDEX \(name.sqlName) ON \(table.sqlName)(\(list.joined(separator: ", ")))"
    }
}

extension QueryPlan {
    fileprivate static let columns = ["id", "parent", "detail", "mark"]

    fileprivate func rows(_ names: QueryNames) -> [[Cell]] {
        all.map { node in
            [
                .integer(Int64(node.id)), .integer(Int64(node.parent)), .text(node.detail),
                node.mark(names.names).map { .text($0.rawValue) } ?? .null,
            ]
        }
    }
}

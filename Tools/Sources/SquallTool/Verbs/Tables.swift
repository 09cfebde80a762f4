import ArgumentParser
import Squall

struct Tables: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the tables and views of a database.",
        discussion: """
            The number of rows is an estimate, which SQLite stored when ANALYZE was last run. \
            There is none for a table that was not analyzed. With --counts, all rows are counted.

            A shadow table holds the content of a virtual table.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Flag(help: "Count the rows, also those of views.")
    var counts = false

    @Option(help: "How the list is printed.")
    var format: OutputFormat = .table

    func run() throws {
        try source.database.use { connection in
            let rows = try connection.snapshot {
                let estimates = try counts ? [:] : connection.estimatedRows()
                return try connection.tableListings().map { table in
                    let rows = counts ? count(table, connection) : estimates[Identifier(table.name)]
                    return [
                        Cell.text(table.name), .text(table.kind.rawValue), .integer(Int64(table.columnCount)),
                        rows.map { .integer($0) } ?? .null,
                        .integer(Int64(try connection.indexListings(of: table.name).count)), .text(table.options),
                    ]
                }
            }
            let output = Output()
            let columns = ["name", "type", "columns", counts ? "rows" : "estimated rows", "indexes", "options"]
            try output.flushing { try output.write(rows, columns: columns, as: format) }
        }
    }

    /// Returns the number of rows. A view that is broken, or a virtual table whose module is missing, does not end the list.
    private func count(_ table: TableListing, _ connection: Connection) -> Int64? {
        do {
            return try connection.query("SELECT count(*) FROM main.\(name: table.name)")
        } catch {
            let message = (error as? SQLiteError)?.message ?? "\(error)"
            Console.printError("warning: cannot count the rows of \(table.name): \(message)".printable)
            return nil
        }
    }
}

extension Connection {
    /// Returns the numbers of rows that `ANALYZE` has stored.
    fileprivate func estimatedRows() throws -> [Identifier: Int64] {
        guard try hasStatistics() else { return [:] }
        let rows: [(String, Int64)] = try query(
            "SELECT tbl, max(CAST(stat AS INTEGER)) FROM main.sqlite_stat1 WHERE stat IS NOT NULL GROUP BY tbl"
        ) { try ($0.get(0), $0.get(1)) }
        return Dictionary(rows.map { (Identifier($0), $1) }) { first, _ in first }
    }
}

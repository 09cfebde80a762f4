import ArgumentParser
import Foundation
import Squall

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the rows of a table or a view as CSV, TSV, JSON, NDJSON, Markdown or SQL.",
        discussion: """
            EXAMPLES
              squall export app.db cars > cars.csv
              squall export app.db cars --out cars.json --order "price DESC"
              squall export app.db cars --format sql | sqlite3 copy.db

            FORMATS
            csv: RFC 4180 with a header and LF. NULL is an empty field, and an empty TEXT is "". A BLOB is x'0102', \
            and so is TEXT that is not valid UTF-8. Infinity is Inf.
            tsv: As csv, with tabs. A value with a tab, a line end or a quote is in quotes, as in csv.
            json: An array of objects, one per line. A BLOB is {"$base64": true, "encoded": "AQI="}. Infinity is \
            null.
            ndjson: One object per line, without brackets and commas around them.
            markdown: A table in GitHub's Markdown. NULL is *NULL*, and a line end <br>.
            sql: CREATE TABLE, an INSERT for each row, the indexes and the triggers, in one transaction. All values \
            come back as they were. A view becomes a table. With --columns, the table has no constraints.

            Rows are written as they come, in constant memory. A file is written under another name, and gets its \
            own when it is complete.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Argument(help: "The table or view.")
    var table: String

    @Option(help: "The format; without it, the extension of --out tells, and otherwise it is csv.")
    var format: ExportFormat?

    @Option(
        help: ArgumentHelp(
            "Write to this file, which is replaced if it exists; '-' for standard output.", valueName: "file"))
    var out = "-"

    @Option(help: ArgumentHelp("Only rows that satisfy this condition.", valueName: "sql"))
    var `where`: String?

    @Option(help: ArgumentHelp("Only these columns, in this order.", valueName: "names"), transform: NameList.names)
    var columns: [String]?

    @Option(help: ArgumentHelp("The order of the rows: \"year DESC, name\".", valueName: "sql"))
    var order: String?

    func validate() throws {
        if InputFile.isSame(out, source.file) { throw ValidationError("--out would overwrite the database.") }
    }

    func run() throws {
        try source.database.use { connection in
            let export = {
                try FileReplacement.writing(out) { output in
                    // One transaction, so that the table cannot change between its definition and its rows.
                    try connection.snapshot { try write(connection, to: output) }
                }
            }
            // A file that is not complete must be removed. Standard output has nothing to clean up.
            if out == "-" { try export() } else { try Interruption.handling(of: connection) { _ in try export() } }
        }
    }

    private func write(_ connection: Connection, to output: Output) throws {
        let format = format ?? ExportFormat(path: out) ?? .csv
        guard let rowFormat = format.outputFormat?.rowFormat else {
            var script = try TableScript(table, columns, connection, output)
            let statement = try prepare(connection, TableScript.list(script.columns, of: table))
            while try statement.step() { try script.write(statement.row?.cells ?? []) }
            return try script.finish()
        }
        let statement = try prepare(connection, columns.map { TableScript.list($0, of: table) } ?? "*")
        var hasRow = try statement.step()
        var rows = try rowFormat.init(columns: statement.columnNames, output: output)
        while hasRow {
            try rows.write(statement.row?.cells ?? [])
            hasRow = try statement.step()
        }
        try rows.finish()
    }

    private func prepare(_ connection: Connection, _ columns: SQL) throws -> Statement {
        // With an alias, columns of `sqlite_schema` can be given with that name, which is not its own.
        var sql: SQL = "SELECT \(columns) FROM \(name: table) AS \(name: table)"
        // The line end closes a comment in the condition.
        if let condition = self.where { sql += " WHERE (\(raw: condition)\n)" }
        if let order { sql += " ORDER BY \(raw: order)" }
        return try connection.prepare(sql)
    }
}

import ArgumentParser
import Foundation
import Squall

struct Query: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs one SQL statement on a database, opened read-only, and prints its rows.",
        discussion: """
            EXAMPLES
              squall query app.db "SELECT * FROM cars WHERE price > :limit" -p limit=20000
              squall query app.db - --format csv < report.sql > report.csv

            FORMATS
            table: For people. Printed at the end, because only then the widths are known; until then all rows are \
            in memory. Control characters are escaped: \\n. A BLOB is x'0102', and cut if it is longer than 16 \
            bytes. NULL is NULL, and the text NULL is 'NULL', with quotes.
            json: An array of objects, one per line, printed as they come. A BLOB is {"$base64": true, "encoded": \
            "AQI="}, and so is TEXT that is not valid UTF-8. Infinity is null. Columns of the same name are \
            numbered: a, a:1.
            ndjson: One object per line, without brackets and commas around them.
            csv: RFC 4180 with a header and LF, printed as the rows come. NULL is an empty field, and an empty TEXT \
            is "". A BLOB is x'0102', and so is TEXT that is not valid UTF-8.
            tsv: As csv, with tabs. A value with a tab, a line end or a quote is in quotes, as in csv.
            markdown: A table in GitHub's Markdown. NULL is *NULL*, and a line end <br>.

            Tables have colours on a terminal, unless NO_COLOR is set. With FORCE_COLOR set they have them \
            everywhere.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Argument(help: "The SQL; '-' to read it from standard input. SQL that begins with '--' needs '--' before it.")
    var sql: String

    @OptionGroup
    var parameters: ParameterArguments

    @Option(help: "How the rows are printed.")
    var format: OutputFormat = .table

    func run() throws {
        let sql = sql == "-" ? try InputFile.standardInput() : sql
        try source.database.use { connection in
            try run(connection.prepare(SQL(raw: sql)))
        }
    }

    private func run(_ statement: Statement) throws {
        // `VACUUM INTO` writes a file even on a read-only connection. SQLite refuses every other write by itself. A
        // statement with columns may be a PRAGMA that SQLite does not report as read-only.
        guard statement.isReadOnly || statement.columnCount > 0 else {
            throw SQLiteError(
                code: ResultCode.readOnly.rawValue, message: "the SQL writes, and the database is opened read-only"
            )
        }
        try parameters.bind(to: statement)
        let output = Output()
        try output.flushing { try output.write(rowsOf: statement, as: format) }
    }
}

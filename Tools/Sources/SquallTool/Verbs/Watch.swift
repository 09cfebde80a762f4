import ArgumentParser
import Foundation
import Squall

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the rows of a query, and again after each change of the database.",
        discussion: """
            EXAMPLES
              squall watch app.db "SELECT status, count(*) FROM jobs GROUP BY status"
              squall watch app.db "SELECT max(id) FROM log" --format csv --count 10

            Commits of all programs are seen, within a tenth of a second. Rows that have not changed are not printed again. On \
            a terminal, they are drawn in place, and those that do not fit are left out; elsewhere, a blank line is between \
            two results. ^C ends it.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Argument(help: "The SQL, which must not write. SQL that begins with '--' needs '--' before it.")
    var sql: String

    @OptionGroup
    var parameters: ParameterArguments

    @Option(help: "How the rows are printed.")
    var format: OutputFormat = .table

    @Option(help: ArgumentHelp("End after this number of results.", valueName: "number"))
    var count: Int?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("The count must be at least 1.") }
    }

    func run() async throws {
        let database = try source.database.use { connection in
            let statement = try connection.prepare(SQL(raw: sql))
            guard statement.isReadOnly else {
                throw SQLiteError(
                    code: ResultCode.readOnly.rawValue, message: "the SQL writes, and the database is opened read-only"
                )
            }
            guard statement.columnCount > 0 else {
                throw Failure("\(source.file): the SQL returns no columns", exitCode: .sqlError)
            }
            try parameters.bind(to: statement)
            return try source.database.openDatabase(.reading, as: connection)
        }
        try await source.database.naming { try await observe(database) }
    }

    private func observe(_ database: Database) async throws {
        let (sql, parameters) = (SQL(raw: sql), parameters)
        var display = LiveDisplay()
        var number = 0
        for try await result in database.observe({ try QueryResultRows(of: sql, parameters, on: $0) }) {
            try display.show(Output.collecting { try $0.write(result.rows, columns: result.columns, as: format) })
            number += 1
            if number == count { return }
        }
    }
}

/// The result of a query. Two results are equal if their bytes are.
private struct QueryResultRows: Sendable, Equatable {
    let columns: [String]
    let rows: [[Cell]]

    init(of sql: SQL, _ parameters: ParameterArguments, on connection: Connection) throws {
        let statement = try connection.prepare(sql)
        try parameters.bind(to: statement)
        var rows: [[Cell]] = []
        while try statement.step() { rows.append(statement.row?.cells ?? []) }
        // The first step prepares the SQL again if the schema has changed.
        columns = statement.columnNames
        self.rows = rows
    }

    static func == (left: Self, right: Self) -> Bool {
        left.columns.map { ExactName($0) } == right.columns.map { ExactName($0) } && left.rows.count == right.rows.count
            && zip(left.rows, right.rows).allSatisfy { $0.elementsEqual($1) { $0.isIdentical(to: $1) } }
    }
}

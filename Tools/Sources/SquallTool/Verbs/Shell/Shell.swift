import ArgumentParser
import Foundation
import Squall

struct Shell: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs SQL that is typed, or a script from standard input.",
        discussion: """
            EXAMPLES
              squall shell app.db
              squall shell app.db --write < upgrade.sql

            A statement ends with a semicolon, and may have several lines. Lines that begin with a dot are commands: .help \
            lists them. With --write, foreign keys are enforced, until PRAGMA foreign_keys turns them off. The prompt is 'squall*>' while a transaction is open; one that is open at the end is rolled back.

            ^C ends the statement that is running, or clears the line. ^D ends the shell. TAB completes keywords, tables, \
            columns and commands.

            A script ends at its first error. What was typed is kept in ~/.squall_history, or in the file that SQUALL_HISTORY \
            names; nowhere if that is empty.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Flag(help: "Allow the SQL to write, and create the database if it does not exist.")
    var write = false

    @Option(help: "How rows are printed.")
    var format: OutputFormat = .table

    func run() throws {
        let database = source.database
        try database.naming {
            let connection = try database.open(write ? .creating : .reading)
            // As the recommended configuration of the library has it.
            if write { try connection.run("PRAGMA foreign_keys = ON") }
            defer { connection.close() }
            let session = ShellSession(connection, file: source.file, isWritable: write, format: format)
            let result = Result {
                if isatty(STDIN_FILENO) == 0 {
                    let place = source.file == ":memory:" ? "" : "\(source.file): "
                    var script = ShellScript(session, name: "\(place)standard input")
                    try script.run(.standardInput)
                } else {
                    try Prompt(session).run()
                }
            }
            session.rollBack()
            try result.get()
        }
    }
}

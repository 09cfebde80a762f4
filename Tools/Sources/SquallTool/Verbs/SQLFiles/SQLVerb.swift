import ArgumentParser

struct SQLVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Checks the SQL files of a program, and writes their queries as Swift.",
        discussion: """
            EXAMPLES
              squall sql check Sources/App/SQL
              squall sql generate Sources/App/SQL --out Sources/App/Generated
              squall sql generate Sources/App/SQL --out Sources/App/Generated --check
              squall sql plans Sources/App/SQL

            The subfolder 'schema' has the history of the schema, numbered SQL files. They run on a database in \
            memory, where SQLite compiles the queries of the other files. Errors are printed as FILE:LINE:COLUMN: \
            error: MESSAGE, and end the tool with 1. The plugin SquallSQL does the same while a package is built.
            """,
        subcommands: [SQLGenerate.self, SQLCheck.self, SQLPlans.self]
    )
}

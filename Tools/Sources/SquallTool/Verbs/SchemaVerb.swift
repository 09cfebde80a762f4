import ArgumentParser
import Foundation
import Squall

struct SchemaVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the CREATE statements of a database, or of one table.",
        discussion: """
            The statements are in the order in which they were run, and run again in an empty database. Tables that SQLite \
            or a virtual table makes by itself are left out.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Argument(help: "A table or view: its statement, and those of its indexes and triggers.")
    var table: String?

    func run() throws {
        try source.database.use { connection in
            let entries = try connection.snapshot {
                let entries = try connection.schemaEntries()
                guard let table else { return entries }
                let name = try connection.tableListing(named: table).name
                return entries.filter { $0.table.isSameName(as: name) }
            }
            let output = Output()
            output.escapeOnTerminal()
            try output.flushing {
                for entry in entries {
                    try output.write(entry.sql.withSemicolon + "\n")
                }
            }
        }
    }
}

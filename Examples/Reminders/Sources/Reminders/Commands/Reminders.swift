import ArgumentParser
import Squall

@main
struct Reminders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders", abstract: "Keeps reminders in a SQLite file.",
        subcommands: [
            AddCommand.self, ListCommand.self, DoneCommand.self, SearchCommand.self, StatsCommand.self,
            ImportCommand.self, ServeCommand.self, MigrateCommand.self,
        ])
}

struct DatabaseOption: ParsableArguments {
    @Option(name: .customLong("database"), help: "The file of the database.")
    var path = "reminders.db"

    /// Opens the database for a command, and closes it afterwards.
    func use(_ command: (Database) async throws -> Void) async throws {
        let database = try await openReminders(path)
        do {
            try await command(database)
        } catch {
            try await database.close()
            throw error
        }
        try await database.close()
    }
}

extension Priority: ExpressibleByArgument {}

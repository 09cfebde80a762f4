import ArgumentParser
import Logging
import Squall
import SquallLogging
import SquallService
import SquallTracing

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves the HTTP API on 127.0.0.1.")

    @OptionGroup var database: DatabaseOption
    @Option(help: "The port.") var port = 8080

    func run() async throws {
        let path = database.path
        // Before the migration, so that its versions are logged.
        let service = DatabaseService(migratedBy: remindersSchema, check: .quick) {
            let database = try Database(path)
            database.log(to: Logger(label: "reminders.database"))
            database.addTracing()
            return database
        }
        try await ReminderService(database: service.database).serve(port: port, closing: service)
    }
}

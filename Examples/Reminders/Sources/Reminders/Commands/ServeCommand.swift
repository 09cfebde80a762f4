import ArgumentParser
import Squall
import SquallService

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves the HTTP API on 127.0.0.1.")

    @OptionGroup var database: DatabaseOption
    @Option(help: "The port.") var port = 8080

    func run() async throws {
        let path = database.path
        let service = DatabaseService(migratedBy: remindersSchema, check: .quick) { try Database(path) }
        try await ReminderService(database: service.database).serve(port: port, closing: service)
    }
}

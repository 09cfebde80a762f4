import ArgumentParser
import Squall

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves the HTTP API on 127.0.0.1.")

    @OptionGroup var database: DatabaseOption
    @Option(help: "The port.") var port = 8080

    func run() async throws {
        try await ReminderService(database: openReminders(database.path)).serve(port: port)
    }
}

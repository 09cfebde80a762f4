import Hummingbird
import ServiceLifecycle
import Squall

extension ReminderService {
    /// Serves until the process receives SIGTERM or SIGINT.
    func serve(port: Int) async throws {
        try await makeApplication(port: port).runService()
    }

    func makeApplication(port: Int) -> some ApplicationProtocol {
        Application(
            router: makeRouter(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            services: [DatabaseService(database: database)])
    }
}

/// Closes the database after the server has finished its last request: services end in the reverse order of their start.
private struct DatabaseService: Service {
    let database: Database

    func run() async throws {
        try? await gracefulShutdown()  // also returns when the server could not start
        try await database.shutDown()
    }
}

import Hummingbird
import HummingbirdSquall
import Logging
import Squall
import SquallMetrics
import SquallService

extension ReminderService {
    /// Serves until the process receives SIGTERM or SIGINT.
    ///
    /// - Parameter service: Has opened the database, and closes it after the last request.
    func serve(port: Int, closing service: DatabaseService) async throws {
        try await makeApplication(port: port, closing: service).runService()
    }

    /// Services end in the reverse order of their start: the database, which is the first, is closed last.
    func makeApplication(
        port: Int, closing service: DatabaseService, logger: Logger = Logger(label: "reminders")
    ) async throws -> some ApplicationProtocol {
        let persist = try await SquallPersistDriver(database)
        return Application(
            router: makeRouter(persist: persist),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            services: [service, DatabaseMetrics(database), persist],
            logger: logger)
    }
}

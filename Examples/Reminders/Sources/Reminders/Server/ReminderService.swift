import Foundation
import Hummingbird
import Squall

/// The database as the routes use it: every access has a deadline, and tests have a clock of their own.
struct ReminderService: Sendable {
    let database: Database
    var deadline: Duration = .seconds(2)
    var now: @Sendable () -> Date = { Date() }

    func read<Value: Sendable>(_ closure: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await database.read(deadline: deadline, closure)
    }

    /// A transaction.
    func write<Value: Sendable>(_ closure: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await database.write(deadline: deadline, closure)
    }

    func makeRouter() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: ErrorResponses())
        addListRoutes(to: router)
        addReminderRoutes(to: router)
        addSearchRoutes(to: router)
        addEventRoute(to: router)
        return router
    }
}

import Foundation
import Hummingbird
import HummingbirdSquall
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

    func makeRouter(persist: SquallPersistDriver) -> Router<ReminderContext> {
        let router = Router(context: ReminderContext.self)
        router.addReadiness(of: database)
        router.add(middleware: DatabaseErrorMiddleware(.reminders))
        // Clients of 127.0.0.1 have no TLS.
        let cookie = SessionCookie(name: "reminders", isSecure: false)
        router.add(middleware: SessionsMiddleware(Sessions(storage: persist, cookie: cookie)))
        addPreferenceRoutes(to: router)
        addListRoutes(to: router)
        addReminderRoutes(to: router)
        addSearchRoutes(to: router)
        addEventRoute(to: router)
        return router
    }
}

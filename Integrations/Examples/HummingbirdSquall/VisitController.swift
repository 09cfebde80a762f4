import Hummingbird
import HummingbirdSquall
import Squall

/// The routes of visits, for every context that has the session of a user.
struct VisitController<Context: SessionsRequestContext> where Context.Session == User {
    let database: Database

    func addRoutes(to router: Router<Context>) {
        router.get("visit") { _, context in
            var user = context.session.value ?? User(name: "stranger")
            user.visits += 1
            context.session.set(user)
            return "Hello, \(user.name), for the \(user.visits). time"
        }
        router.post("names/:name") { _, context in
            let name = try context.parameters.require("name")
            try await database.write(deadline: .seconds(2)) { try $0.run("INSERT INTO names VALUES(\(name))") }
            context.session.renew(User(name: name))
            return HTTPResponse.Status.created
        }
    }

    /// Imports names, and returns those that may be imported later: what the database refuses now, it refuses then.
    func importNames(_ names: [String?]) async throws -> [String] {
        var later: [String] = []
        for name in names {
            do {
                try await database.write { try $0.run("INSERT INTO names VALUES(\(name))") }
            } catch {
                if isWorthRetrying(error), let name { later.append(name) }
            }
        }
        return later
    }

    private func isWorthRetrying(_ error: any Error) -> Bool {
        switch DatabaseFailure(error) {
        case .busy, .deadline, .unavailable, .storage: true
        case .unique, .foreignKey, .check, .notNull, .otherConstraint, .noRow, .foreignCursor, nil: false
        }
    }
}

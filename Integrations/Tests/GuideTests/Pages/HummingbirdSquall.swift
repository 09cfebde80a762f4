// swift-format-ignore-file
import Hummingbird
import HummingbirdSquall
import Squall
import Testing

/// The guide of HummingbirdSquall.
struct HummingbirdSquallPage {
    struct User: Codable, Sendable { var name: String }

    struct AppContext: SessionsRequestContext {
        var coreContext: CoreRequestContextStorage
        let session = RequestSession<User>()

        init(source: Source) { coreContext = .init(source: source) }
    }

    /// A temporary database, whatever the path, so that the blocks are run as they are written.
    private func Database(_ path: String) throws -> Squall.Database {
        try Squall.Database.temporary()
    }

    @Test func aServer() async throws {
        let database = try Database("app.db")
        let persist = try await SquallPersistDriver(database)

        let router = Router(context: AppContext.self)
        router.addReadiness(of: database)
        router.add(middleware: DatabaseErrorMiddleware())
        router.add(middleware: SessionsMiddleware(Sessions(storage: persist)))
        router.get("/") { _, context in
            "Hello, \(context.session.value?.name ?? "stranger")!"
        }
        router.post("/login") { _, context in
            context.session.renew(User(name: "Ada"))
            return HTTPResponse.Status.noContent
        }
        let app = Application(router: router, services: [persist])
        #expect(app.services.count == 1)

        router.addReadiness(of: database, at: "/ready/write", checksWrites: true) {
            // Throw if something else that the server needs is missing.
        }

        var responses = DatabaseErrorResponses()
        responses[.unique] = HTTPError(.conflict, message: "The name is taken.")
        responses[.check] = HTTPError(.badRequest, message: "The title is empty.")
        responses[.storage] = nil                                       // passes: 500
        router.add(middleware: DatabaseErrorMiddleware(responses))
        #expect(responses[.check]?.status == .badRequest && responses[.storage] == nil)

        try await persist.create(key: "code.ada", value: 4711, expires: .seconds(600))
        try await persist.set(key: "code.ada", value: 4712)             // expires as before
        let code = try await persist.get(key: "code.ada", as: Int.self)
        try await persist.remove(key: "code.ada")
        #expect(code == 4712)

        let cookie = SessionCookie(
            name: "app", lifetime: .seconds(7 * 24 * 3600), isSecure: false)
        let sessions = Sessions(of: User.self, storage: persist, cookie: cookie)
        let sent = try await sessions.create(User(name: "Ada"))
        #expect(sent.name == "app" && sent.maxAge == 604_800 && !sent.secure)
    }
}

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
import Foundation
import Hummingbird
import HummingbirdSquall
import Logging
import ServiceLifecycle
import Squall

struct User: Codable, Sendable { var name: String, visits = 0 }

struct AppContext: SessionsRequestContext {
    var coreContext: CoreRequestContextStorage
    let session = RequestSession<User>()

    init(source: Source) { coreContext = .init(source: source) }
}

/// Serves on a free port of this machine, makes some requests, prints the answers and ends.
@main
struct HummingbirdSquallExample {
    static func main() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.run("CREATE TABLE names(name TEXT PRIMARY KEY NOT NULL)") }
        let logger = Logger(label: "example") { _ in SwiftLogNoOpLogHandler() }
        var configuration = SquallPersistDriver.Configuration()
        configuration.sweepInterval = .seconds(300)
        configuration.sweepBatch = 100
        configuration.table = "sessions"
        let persist = try await SquallPersistDriver(database, configuration: configuration, logger: logger)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let app = Application(
            router: makeRouter(database, persist),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            services: [persist],
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [app], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var iterator = ports.makeAsyncIterator()
            if let port = await iterator.next() { try await makeRequests(to: "http://127.0.0.1:\(port)") }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        let later = try await VisitController<AppContext>(database: database).importNames(["Ada", nil, "Bo"])
        print("to import later: \(later)")
        try await useInvitations(persist)
        try await database.close()
    }

    static func makeRouter(_ database: Database, _ persist: SquallPersistDriver) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.addReadiness(of: database)
        var responses = DatabaseErrorResponses()
        responses[.unique] = HTTPError(.conflict, message: "The name is taken.")
        router.add(middleware: DatabaseErrorMiddleware(responses))
        let sessions = Sessions(of: User.self, storage: persist, cookie: cookie)
        // Before the middleware, because it does not prolong the session.
        router.get("whoami") { request, _ in try await sessions.load(for: request)?.name ?? "a stranger" }
        router.add(middleware: SessionsMiddleware(sessions))
        VisitController(database: database).addRoutes(to: router)
        return router
    }

    /// The cookie of a session without TLS, which no other site sends. A server on the internet leaves `isSecure` as it is.
    static var cookie: SessionCookie {
        var cookie = SessionCookie()
        cookie.isSecure = false
        cookie.sameSite = .strict
        cookie.lifetime = .seconds(3_600)
        return cookie
    }

    static func useInvitations(_ persist: SquallPersistDriver) async throws {
        let invitations = Invitations(persist: persist)
        try await invitations.invite("Ada")
        for _ in 1...4 { print("invitation: \(try await invitations.use("Ada"))") }
        try await persist.create(key: "expired", value: true, expires: .zero)
        print("swept: \(try await persist.sweep())")
    }

    /// The session of Foundation keeps the cookie, as a browser does.
    static func makeRequests(to server: String) async throws {
        for (method, path) in [
            ("GET", "/ready"), ("GET", "/visit"), ("GET", "/visit"), ("POST", "/names/Ada"), ("GET", "/visit"),
            ("POST", "/names/Ada"), ("GET", "/whoami"),
        ] {
            guard let url = URL(string: server + path) else { continue }
            var request = URLRequest(url: url)
            request.httpMethod = method
            let (body, response) = try await URLSession.shared.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            print(method, path, "→", status, String(decoding: body, as: UTF8.self))
            let sent = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Set-Cookie") ?? ""
            for attribute in sent.split(separator: "; ").dropFirst() { print("    \(attribute)") }
        }
    }
}

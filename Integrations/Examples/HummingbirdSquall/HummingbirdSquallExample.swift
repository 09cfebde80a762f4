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
        try await database.write { try $0.run("CREATE TABLE names(name TEXT PRIMARY KEY)") }
        let logger = Logger(label: "example") { _ in SwiftLogNoOpLogHandler() }
        let persist = try await SquallPersistDriver(database, logger: logger)
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
        try await database.close()
    }

    static func makeRouter(_ database: Database, _ persist: SquallPersistDriver) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.addReadiness(of: database)
        router.add(middleware: DatabaseErrorMiddleware())
        // Without TLS. A server on the internet leaves `isSecure` out.
        let cookie = SessionCookie(isSecure: false)
        router.add(middleware: SessionsMiddleware(Sessions(storage: persist, cookie: cookie)))
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
        return router
    }

    /// The session of Foundation keeps the cookie, as a browser does.
    static func makeRequests(to server: String) async throws {
        for (method, path) in [
            ("GET", "/ready"), ("GET", "/visit"), ("GET", "/visit"), ("POST", "/names/Ada"), ("GET", "/visit"),
            ("POST", "/names/Ada"),
        ] {
            guard let url = URL(string: server + path) else { continue }
            var request = URLRequest(url: url)
            request.httpMethod = method
            let (body, response) = try await URLSession.shared.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            print(method, path, "→", status, String(decoding: body, as: UTF8.self))
        }
    }
}

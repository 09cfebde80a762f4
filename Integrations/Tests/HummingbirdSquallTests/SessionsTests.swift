import Foundation
import Hummingbird
import HummingbirdSquall
import HummingbirdTesting
import Squall
import Testing

struct SessionsTests {
    struct User: Codable, Equatable { var name: String, visits = 0 }

    struct Context: SessionsRequestContext {
        var coreContext: CoreRequestContextStorage
        let session = RequestSession<User>()

        init(source: Source) { coreContext = .init(source: source) }
    }

    private let clock = ManualClock()

    private func makeDriver() async throws -> SquallPersistDriver {
        try await SquallPersistDriver(Database.temporary(), now: clock.now)
    }

    private func makeApp(_ sessions: Sessions<User>) -> some ApplicationProtocol {
        let router = Router(context: Context.self)
        router.add(middleware: SessionsMiddleware(sessions))
        router.get("/") { _, context in context.session.value?.name ?? "nobody" }
        router.post("/visit") { _, context in
            var user = context.session.value ?? User(name: "guest")
            user.visits += 1
            context.session.set(user)
            return "\(user.visits)"
        }
        router.post("/login") { _, context in
            context.session.renew(User(name: "Ada"))
            return "welcome"
        }
        router.post("/logout") { _, context in
            context.session.end()
            return "bye"
        }
        router.post("/switch") { _, context in
            context.session.end()
            context.session.set(User(name: "Bob"))
            return "switched"
        }
        router.post("/fail") { _, context -> String in
            context.session.set(User(name: "Eve"))
            throw HTTPError(.badRequest)
        }
        return Application(router: router)
    }

    /// The `Cookie` header of a browser that has the cookie of a response.
    private func header(of response: TestResponse) throws -> HTTPFields {
        let cookie = try #require(response.headers[.setCookie])
        let end = try #require(cookie.firstIndex(of: ";"))
        return [.cookie: "theme=dark; \(cookie[..<end])"]
    }

    private func request(with cookie: Cookie) -> Request {
        let headers: HTTPFields = [.cookie: "\(cookie.name)=\(cookie.value)"]
        return Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: headers),
            body: RequestBody(buffer: ByteBuffer()))
    }

    private func attributes(of response: TestResponse) throws -> [String] {
        try #require(response.headers[.setCookie]).components(separatedBy: "; ").dropFirst().sorted()
    }

    @Test func aSessionBeginsAndIsLoaded() async throws {
        let driver = try await makeDriver()
        try await makeApp(Sessions(storage: driver)).test(.router) { client async throws in
            let first = try await client.execute(uri: "/visit", method: .post)
            #expect(first.text == "1")
            #expect(
                try attributes(of: first)
                    == ["HttpOnly", "Max-Age=43200", "Path=/", "SameSite=Lax", "Secure"])
            #expect(first.headers[.cacheControl] == "no-store")
            #expect(try #require(first.headers[.setCookie]).wholeMatch(of: /SESSION_ID=[A-Za-z0-9_-]{43};.*/) != nil)
            let headers = try header(of: first)
            let second = try await client.execute(uri: "/visit", method: .post, headers: headers)
            #expect(second.text == "2")
            #expect(try header(of: second) == headers)
            let read = try await client.execute(uri: "/", method: .get, headers: headers)
            #expect(read.text == "guest" && read.headers[.setCookie] == nil && read.headers[.cacheControl] == nil)
        }
    }

    @Test func aRequestThatDoesNotChangeTheSessionStoresNothing() async throws {
        let database = try Database.temporary()
        let driver = try await SquallPersistDriver(database)
        try await makeApp(Sessions(storage: driver)).test(.router) { client async throws in
            let response = try await client.execute(uri: "/", method: .get)
            #expect(response.text == "nobody" && response.headers[.setCookie] == nil)
            #expect(try await client.execute(uri: "/fail", method: .post).headers[.setCookie] == nil)
        }
        #expect(try await database.count() == 0)
    }

    @Test func aSessionExpires() async throws {
        let driver = try await makeDriver()
        let sessions = Sessions<User>(storage: driver, cookie: SessionCookie(lifetime: .seconds(60)))
        try await makeApp(sessions).test(.router) { client async throws in
            let first = try await client.execute(uri: "/visit", method: .post)
            let headers = try header(of: first)
            clock.advance(by: 59)
            // Reading does not renew the expiry, and storing does.
            #expect(try await client.execute(uri: "/", method: .get, headers: headers).text == "guest")
            _ = try await client.execute(uri: "/visit", method: .post, headers: headers)
            clock.advance(by: 59)
            #expect(try await client.execute(uri: "/", method: .get, headers: headers).text == "guest")
            clock.advance(by: 1)
            #expect(try await client.execute(uri: "/", method: .get, headers: headers).text == "nobody")
            // The identifier of the expired session is not used again.
            let next = try await client.execute(uri: "/visit", method: .post, headers: headers)
            #expect(next.text == "1")
            #expect(try header(of: next) != headers)
        }
    }

    @Test func aLoginChangesTheIdentifierAndTheOldOneIsWorthNothing() async throws {
        let database = try Database.temporary()
        let driver = try await SquallPersistDriver(database)
        try await makeApp(Sessions(storage: driver)).test(.router) { client async throws in
            let before = try header(of: try await client.execute(uri: "/visit", method: .post))
            let login = try await client.execute(uri: "/login", method: .post, headers: before)
            let after = try header(of: login)
            #expect(after != before)
            #expect(try await client.execute(uri: "/", method: .get, headers: after).text == "Ada")
            #expect(try await client.execute(uri: "/", method: .get, headers: before).text == "nobody")
            let other = try await client.execute(uri: "/switch", method: .post, headers: after)
            #expect(try await client.execute(uri: "/", method: .get, headers: header(of: other)).text == "Bob")
            #expect(try await client.execute(uri: "/", method: .get, headers: after).text == "nobody")
        }
        #expect(try await database.count() == 1)
    }

    @Test func aLogoutDeletesTheSessionAndTheCookie() async throws {
        let database = try Database.temporary()
        let driver = try await SquallPersistDriver(database)
        try await makeApp(Sessions(storage: driver)).test(.router) { client async throws in
            let headers = try header(of: try await client.execute(uri: "/login", method: .post))
            let logout = try await client.execute(uri: "/logout", method: .post, headers: headers)
            #expect(try #require(logout.headers[.setCookie]).hasPrefix("SESSION_ID=;"))
            #expect(try attributes(of: logout) == ["HttpOnly", "Max-Age=0", "Path=/", "SameSite=Lax", "Secure"])
            #expect(try await database.count() == 0)
            #expect(try await client.execute(uri: "/", method: .get, headers: headers).text == "nobody")
        }
    }

    @Test(arguments: [
        "", "x", "key", String(repeating: "A", count: 43), String(repeating: "A", count: 42), "é", "%00",
        String(repeating: "A", count: 100_000), "' OR 1=1 --", "../../etc/passwd", "session.SESSION_ID.x", "=", "\"\"",
    ])
    func anIdentifierThatIsUnknownIsNoSession(value: String) async throws {
        let driver = try await makeDriver()
        try await driver.set(key: value, value: User(name: "stored under the identifier itself"))
        try await makeApp(Sessions(storage: driver)).test(.router) { client async throws in
            let headers: HTTPFields = [.cookie: "SESSION_ID=\(value)"]
            let response = try await client.execute(uri: "/", method: .get, headers: headers)
            #expect(response.status == .ok && response.text == "nobody")
            let visit = try await client.execute(uri: "/visit", method: .post, headers: headers)
            #expect(visit.text == "1")
            #expect(try header(of: visit) != headers)
        }
    }

    @Test func aSessionOfAnotherTypeIsNoSession() async throws {
        let driver = try await makeDriver()
        let cookie = try await Sessions<[Int]>(storage: driver).create([1])
        try await makeApp(Sessions(storage: driver)).test(.router) { client async throws in
            let headers: HTTPFields = [.cookie: "SESSION_ID=\(cookie.value)"]
            #expect(try await client.execute(uri: "/", method: .get, headers: headers).text == "nobody")
            #expect(try await client.execute(uri: "/visit", method: .post, headers: headers).text == "1")
        }
    }

    @Test func identifiersDiffer() async throws {
        let driver = try await makeDriver()
        let sessions = Sessions<User>(storage: driver)
        var values: Set<String> = []
        for _ in 0..<100 { values.insert(try await sessions.create(User(name: "Ada")).value) }
        #expect(values.count == 100)
    }

    /// Both drivers: `SquallPersistDriver` with one statement, any other with a read before the write.
    @Test(arguments: [false, true])
    func aDeletedSessionIsNotStoredAgain(inMemory: Bool) async throws {
        let driver: any PersistDriver = inMemory ? MemoryPersistDriver() : try await makeDriver()
        let sessions = Sessions<User>(storage: driver)
        let cookie = try await sessions.create(User(name: "Ada"))
        let request = request(with: cookie)
        #expect(try await sessions.update(User(name: "Bob"), for: request)?.value == cookie.value)
        #expect(try await sessions.load(for: request)?.name == "Bob")
        #expect(try await sessions.delete(for: request).maxAge == 0)
        #expect(try await sessions.update(User(name: "Eve"), for: request) == nil)
        #expect(try await sessions.load(for: request) == nil)
    }

    @Test func aSessionThatIsDeletedDuringUpdatesStaysDeleted() async throws {
        let sessions = Sessions<User>(storage: try await makeDriver())
        for _ in 0..<40 {
            let request = request(with: try await sessions.create(User(name: "Ada")))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<6 {
                    group.addTask {
                        if task == 3 {
                            _ = try await sessions.delete(for: request)
                        } else {
                            _ = try await sessions.update(User(name: "Bob"), for: request)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await sessions.load(for: request) == nil)
        }
    }

    @Test func theCookieHasTheSettings() async throws {
        let driver = try await makeDriver()
        func cookie(_ settings: SessionCookie) async throws -> Cookie {
            try await Sessions<User>(storage: driver, cookie: settings).create(User(name: "Ada"))
        }
        let local = try await cookie(SessionCookie(name: "id", lifetime: .milliseconds(1_500), isSecure: false))
        #expect(local.name == "id" && !local.secure && local.httpOnly && local.maxAge == 2)
        let strict = try await cookie(SessionCookie(path: "/app", sameSite: .strict))
        #expect(strict.secure && strict.path == "/app" && strict.sameSite == .strict)
        #expect(try await cookie(SessionCookie(isSecure: false, sameSite: .none)).secure)
        #expect(try await cookie(SessionCookie(lifetime: .seconds(Int64.max))).maxAge == .max)
        #expect(try await cookie(SessionCookie(lifetime: .seconds(-1))).maxAge == 0)
        await #expect(throws: Cookie.ValidationError.self) { _ = try await cookie(SessionCookie(name: "a b")) }
    }

    @Test func anErrorOfTheDatabaseIsAnswered() async throws {
        let database = try Database.temporary()
        let sessions = Sessions<User>(storage: try await SquallPersistDriver(database))
        let cookie = try await sessions.create(User(name: "Ada"))
        try await database.close()
        let router = Router(context: Context.self)
        router.add(middleware: DatabaseErrorMiddleware())
        router.add(middleware: SessionsMiddleware(sessions))
        router.get("/") { _, _ in "ok" }
        try await Application(router: router).test(.router) { client async throws in
            let response = try await client.execute(
                uri: "/", method: .get, headers: [.cookie: "SESSION_ID=\(cookie.value)"])
            #expect(response.status == .serviceUnavailable && response.headers[.retryAfter] == "1")
            // Without a session, the database is not read.
            #expect(try await client.execute(uri: "/", method: .get).status == .ok)
        }
    }
}

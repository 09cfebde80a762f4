import Foundation
import HummingbirdSquallSync
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests that a hub does not answer as it is asked.
@Suite(.timeLimit(.minutes(1))) struct HostileClientTests {
    private let hub: SyncHub
    private let server: TestServer

    init() async throws {
        hub = try await SyncWorld(devices: 0).hub
        server = try await TestServer.start(hub)
    }

    private func pullRequest(_ origin: String = "a", version: Int = 0) -> SyncPullRequest {
        SyncPullRequest(origin: origin, version: version, cursor: nil, byteLimit: 1_000)
    }

    private struct Answer {
        let status: Int
        let body: String
        let head: HTTPURLResponse
    }

    /// Sends a request that a device would not send.
    private func send(
        _ route: String, body: Data? = nil, token: String? = "token-of-ada", protocolVersion: String? = "1"
    ) async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: "\(server.address)/\(route)")))
        if let body { (request.httpMethod, request.httpBody) = ("POST", body) }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        request.setValue(protocolVersion, forHTTPHeaderField: "Squall-Sync")
        let (data, response) = try await URLSession.shared.data(for: request)
        let head = try #require(response as? HTTPURLResponse)
        return Answer(status: head.statusCode, body: String(decoding: data, as: UTF8.self), head: head)
    }

    /// A batch of a device that has not sent it.
    private func batch() async throws -> SyncBatch {
        let followed = try await SyncLog.follow(
            SyncWorld.database(), origin: UUID().uuidString, role: .replica, tables: ["lists": .hubWins])
        try await followed.database.run("INSERT INTO lists VALUES('a', 'A', 'x')")
        try await followed.flush()
        return try await followed.database.read { try followed.log.changes(on: $0) }
    }

    @Test func aRequestNeedsAToken() async throws {
        for route in ["pull?origin=a&version=0&bytes=1", "events"] {
            #expect(try await send(route, token: nil).status == 401)
            #expect(try await send(route, token: "stolen").status == 401)
        }
        for route in ["push", "rows?origin=a&version=0&bytes=1&at=a:0&table=lists"] {
            #expect(try await send(route, body: Data([1]), token: nil).status == 401)
        }
        let transport = HTTPSyncTransport(server.address) { "stolen" }
        await #expect(throws: SyncHTTPError.self) { try await transport.pull(pullRequest()) }
    }

    /// A device whose token is not valid waits, and asks for a token again with each attempt.
    @Test func aDeviceWithoutAccessWaits() async throws {
        let asked = Counter()
        let transport = HTTPSyncTransport(server.address) {
            asked.add()
            return "stolen"
        }
        let device = try await SyncEngine(SyncWorld.database(), transport: transport, clock: StillClock()) {
            SyncTable("lists")
        }
        let task = Task { try await device.run() }
        defer { task.cancel() }
        for await state in device.states {
            guard case .waiting(_, let error) = state else { continue }
            guard case .status(401, _, _) = error as? SyncHTTPError else { throw error }
            break
        }
        // One for a round and one for the events: on this clock, no pause ends.
        #expect(try await happens { asked.value == 2 })
        try await Task.sleep(for: .milliseconds(300))
        #expect(asked.value == 2)
    }

    @Test func anotherUserDoesNotUseAnOrigin() async throws {
        let batch = try await batch()
        _ = try await server.transport("ada").push(batch)
        await #expect(throws: SyncRefusal.origin) { try await server.transport("bob").push(batch) }
        await #expect(throws: SyncRefusal.origin) { try await server.transport("bob").pull(pullRequest(batch.sender)) }
    }

    @Test func whatDoesNotFitIsRefused() async throws {
        let transport = server.transport("ada")
        await #expect(throws: SyncRefusal.version(hub: 0)) { try await transport.pull(pullRequest(version: 7)) }
        let start = try await transport.pull(pullRequest()).batch.cursor
        func rows(_ table: String, key: Data? = nil) async throws -> SyncRows {
            try await transport.rows(
                SyncRowsRequest(origin: "a", version: 0, cursor: start, table: table, key: key, byteLimit: 1_000))
        }
        for table in ["sqlite_schema", "squall_sync_devices", "lists; DROP TABLE lists", "Ünknown &=+#", ""] {
            await #expect(throws: SyncRefusal.self) { try await rows(table) }
        }
        await #expect(throws: SyncRefusal.self) { try await rows("lists", key: Data([9, 9])) }
        await #expect(throws: SyncRefusal.self) { try await rows("lists", key: Data(repeating: 255, count: 300)) }
        #expect(try await rows("lists").next == nil)
    }

    @Test func aRequestOfAnotherProtocolIsRefused() async throws {
        for version in [nil, "2", "one", ""] {
            let answer = try await send("pull?origin=a&version=0&bytes=1", protocolVersion: version)
            #expect(answer.status == 400 && answer.body == #"{"supported":[1]}"#)
        }
    }

    @Test(arguments: [
        "pull", "pull?origin=a", "pull?origin=a&version=x&bytes=1", "pull?origin=&version=0&bytes=1",
        "pull?origin=a%00b&version=0&bytes=1", "pull?origin=a&version=0&bytes=1&since=abc",
        "pull?origin=a&version=0&bytes=1&since=a:-1", "pull?origin=a&version=0&bytes=1&since=:5",
        "pull?origin=a&version=0&bytes=1&since=a:99999999999999999999", "pull?origin=a&version=0&bytes=1&since=%25zz:1",
    ])
    func aMalformedRequestIsNotAnswered(_ route: String) async throws {
        let answer = try await send(route)
        #expect(answer.status == 400 && answer.body.contains("error"), "\(answer.body)")
    }

    @Test func aBatchIsChecked() async throws {
        let data = try await batch().data
        for index in stride(from: 0, to: data.count, by: 5) {
            var damaged = data
            damaged[index] ^= 1
            for bytes in [damaged, data.prefix(index), data + data.prefix(index + 1)] {
                let answer = try await send("push", body: bytes)
                #expect(answer.status == 409 && answer.body.contains(#""refusal":"batch""#))
            }
        }
        #expect(try await hub.database.rows("lists").isEmpty)
        #expect(try await send("push", body: data).status == 200)
        #expect(try await hub.database.rows("lists").count == 1)
    }

    @Test func aBatchThatIsSentAgainIsAnsweredAsBefore() async throws {
        let transport = server.transport("ada")
        let batch = try await batch()
        let cursor = try await transport.push(batch)
        try await hub.database.run("DELETE FROM lists; INSERT INTO lists VALUES('b', 'B', NULL)")
        #expect(try await transport.push(batch) == cursor)
        #expect(try await hub.database.rows("lists").count == 1)
    }

    @Test func aBodyHasALimit() async throws {
        var limits = TestServer.limits
        limits.bodyBytes = 1_000
        let small = try await TestServer.start(hub, limits: limits)
        let device = try await SyncWorld.device(small.transport("ada"))
        try await device.database.run("INSERT INTO lists VALUES('a', 'A', \(String(repeating: "x", count: 5_000)))")
        let error = await #expect(throws: SyncHTTPError.self) { try await device.now() }
        guard case .status(413, _, _) = error else { throw error ?? .malformedEvents }
        #expect(try await device.database.rows("lists").count == 1)
        // A body without a length, which never ends.
        let socket = try RawSocket(port: small.port)
        socket.write(
            "POST /sync/push HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer token-of-ada\r\nSquall-Sync: 1\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n")
        let part = "64\r\n\(String(repeating: "x", count: 100))\r\n"
        for _ in 0..<20 where !socket.write(part) { break }
        #expect(await socket.read(until: "413").contains("413"))
    }

    @Test func requestsAreCounted() async throws {
        var limits = TestServer.limits
        limits.requestsPerMinute = 5
        let strict = try await TestServer.start(hub, limits: limits)
        for _ in 0..<5 { _ = try await strict.transport("ada").pull(pullRequest()) }
        let error = await #expect(throws: SyncHTTPError.self) { try await strict.transport("ada").pull(pullRequest()) }
        guard case .status(429, _, let duration?) = error else { throw error ?? .malformedEvents }
        #expect(duration > .seconds(10) && duration <= .seconds(60))
        #expect(try await strict.transport("bob").pull(pullRequest("b")).begins)
    }

    @Test func openStreamsAreCounted() async throws {
        var limits = TestServer.limits
        limits.eventStreams = 2
        let strict = try await TestServer.start(hub, limits: limits)
        func next(_ user: String) async throws -> AsyncThrowingStream<SyncCursor, any Error>.Iterator {
            var events = strict.transport(user).events().makeAsyncIterator()
            _ = try await events.next()
            return events
        }
        let first = try RawSocket.events(strict.port, "ada")
        let second = try RawSocket.events(strict.port, "ada")
        #expect(await first.read(until: "data:").contains("200"))
        #expect(await second.read(until: "data:").contains("200"))
        await #expect(throws: SyncHTTPError.self) { _ = try await next("ada") }
        _ = try await next("bob")
        // A connection that ends makes room.
        shutdown(first.descriptor, Int32(SHUT_RDWR))
        #expect(try await happens { (try? await next("ada")) != nil })
    }

    /// A device that ends its stream closes the connection.
    @Test func aStreamThatIsNotReadAnyMoreIsClosed() async throws {
        var limits = TestServer.limits
        limits.eventStreams = 1
        let transport = try await TestServer.start(hub, limits: limits).transport("ada")
        for _ in 0..<5 {
            let isOpened = try await happens {
                var events = transport.events().makeAsyncIterator()
                return (try? await events.next()) != nil
            }
            #expect(isOpened)
        }
    }

    @Test func aHubThatCannotAnswerIsUnavailable() async throws {
        try await hub.database.close()
        let error = await #expect(throws: SyncHTTPError.self) { try await server.transport("ada").pull(pullRequest()) }
        guard case .status(503, let body, .seconds(5)) = error else { throw error ?? .malformedEvents }
        #expect(body == #"{"error":"unavailable"}"#)
    }
}

extension RawSocket {
    /// Opens a stream of events.
    static func events(_ port: Int, _ user: String) throws -> RawSocket {
        let socket = try RawSocket(port: port)
        socket.write(
            "GET /sync/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer token-of-\(user)\r\n"
                + "Squall-Sync: 1\r\n\r\n")
        return socket
    }
}

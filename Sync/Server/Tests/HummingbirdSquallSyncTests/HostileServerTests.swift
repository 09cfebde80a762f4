import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// Servers that are not hubs, and answers that do not arrive whole.
@Suite(.timeLimit(.minutes(1))) struct HostileServerTests {
    private static let hubHead = "HTTP/1.1 200 OK\r\nSquall-Sync: 1\r\n"

    private func pull(
        _ answer: String, _ end: RawServer.End = .closes, byteLimit: Int = 1_000_000
    ) async throws -> (error: (any Error)?, server: RawServer) {
        let server = try RawServer(answer, end)
        let transport = HTTPSyncTransport(server.address, byteLimit: byteLimit) { "secret" }
        do {
            _ = try await transport.pull(SyncPullRequest(origin: "a", version: 0, cursor: nil, byteLimit: 1_000))
            return (nil, server)
        } catch {
            return (error, server)
        }
    }

    private func length(_ text: String) -> String { "Content-Length: \(text.utf8.count)\r\n\r\n\(text)" }

    @Test func aPageOfAProxyIsNotAHub() async throws {
        let page = "<html>\nLog in to the network of this hotel</html>"
        for head in ["HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", Self.hubHead + "Content-Type: text/html\r\n"] {
            let error = try await pull(head + length(page)).error
            #expect(
                error as? SyncHTTPError
                    == .notHub(body: "<html> Log in to the network of this hotel</html>"))
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectIsNotFollowed(_ status: Int) async throws {
        let other = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let (error, server) = try await pull(
            "HTTP/1.1 \(status) Elsewhere\r\nLocation: \(other.address)/pull\r\nContent-Length: 0\r\n\r\n")
        #expect(error as? SyncHTTPError == .redirect(to: "\(other.address)/pull"))
        #expect(server.requests.count == 1 && server.requests[0].contains("Authorization: Bearer secret"))
        #expect(!server.requests[0].split(separator: "\r\n")[0].contains("secret"))
        #expect(other.requests.isEmpty)
    }

    @Test func anAnswerHasALimit() async throws {
        let part = String(repeating: "x", count: 65_536)
        let head = Self.hubHead + "Content-Type: application/octet-stream\r\n\r\n"
        let error = try await pull(head, .repeats(part)).error
        #expect(error as? SyncHTTPError == .tooLarge(limit: 1_000_000))
    }

    /// Only the beginning is read of what is not the answer of a hub.
    @Test func anEndlessPageOfAProxyEnds() async throws {
        let part = String(repeating: "<p>", count: 20_000)
        let error = try await pull("HTTP/1.1 502 Bad\r\nContent-Type: text/html\r\n\r\n", .repeats(part)).error
        guard case .status(502, let body, nil) = error as? SyncHTTPError else { throw error ?? CancellationError() }
        #expect(body.hasPrefix("<p><p>") && body.count == 200)
    }

    @Test func anAnswerThatIsCutIsAnError() async throws {
        let head = Self.hubHead + "Content-Type: application/octet-stream\r\n"
        let batch = try await hubBatch().data
        let answers = [
            head + "Content-Length: 500\r\n\r\nSquallS3", head + "\r\nSquallS3", "HTTP/1.1 200", "SSH-2.0\r\n\r\n", "",
        ]
        for answer in answers {
            let error = try await pull(answer).error
            let isExpected = error is URLError || error is SQLiteError || error is SyncHTTPError
            #expect(isExpected, "\(answer): \(String(describing: error))")
        }
        for count in stride(from: 0, to: batch.count, by: 7) {
            #expect(throws: SQLiteError.self) { try SyncBatch(batch.prefix(count)) }
        }
    }

    private func hubBatch() async throws -> SyncBatch {
        let world = try await SyncWorld(devices: 0)
        try await world.hub.database.run("INSERT INTO lists VALUES('a', 'A', 'x')")
        let server = try await TestServer.start(world.hub)
        let request = SyncPullRequest(origin: "a", version: 0, cursor: nil, byteLimit: 1_000)
        return try await server.transport("ada").pull(request).batch
    }

    @Test func theRowsOfAnAnswerAreChecked() async throws {
        let world = try await SyncWorld(devices: 0)
        for id in 0..<3 { try await world.hub.database.run("INSERT INTO lists VALUES(\(id), \(id), 'x')") }
        let transport = try await TestServer.start(world.hub).transport("ada")
        let start = try await transport.pull(SyncPullRequest(origin: "a", version: 0, cursor: nil, byteLimit: 1_000))
        let rows = try await transport.rows(
            SyncRowsRequest(
                origin: "a", version: 0, cursor: start.batch.cursor, table: "lists", key: nil, byteLimit: 1))
        #expect(rows.next != nil)
        let data = rows.data
        #expect(try SyncRows(data) == rows)
        for index in data.indices {
            var damaged = data
            damaged[index] ^= 0x10
            #expect(throws: SQLiteError.self) { try SyncRows(damaged) }
            #expect(throws: SQLiteError.self) { try SyncRows(data.prefix(index)) }
        }
    }

    @Test func aServerStatesWhenItMayBeAskedAgain() async throws {
        let answer = "HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n"
        #expect(try await pull(answer).error as? SyncHTTPError == .status(503, body: "", retryAfter: .seconds(120)))
        let server = try RawServer(answer)
        let device = try await SyncWorld.device(HTTPSyncTransport(server.address) { "secret" })
        let task = Task { try await device.run() }
        defer { task.cancel() }
        for await state in device.states {
            guard case .waiting(let date, _) = state else { continue }
            #expect(date.timeIntervalSinceNow > 100)
            break
        }
    }

    @Test(arguments: ["", "a b", "a\r\nHost: b", "ä"]) func aTokenIsOneWord(_ token: String) async throws {
        let server = try RawServer("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
        let transport = HTTPSyncTransport(server.address) { token }
        await #expect(throws: SyncHTTPError.malformedToken) {
            try await transport.pull(SyncPullRequest(origin: "a", version: 0, cursor: nil, byteLimit: 1_000))
        }
        #expect(server.requests.isEmpty)
    }

    // MARK: - Events

    private func events(
        _ answer: String, _ end: RawServer.End = .closes, silence: Duration = .seconds(60)
    ) async throws -> (events: [String], error: (any Error)?) {
        let server = try RawServer(answer, end)
        let transport = HTTPSyncTransport(server.address, byteLimit: 1_000_000, silence: silence) { "secret" }
        var events: [String] = []
        do {
            for try await cursor in transport.events() {
                events.append(cursor.text)
            }
            return (events, nil)
        } catch {
            return (events, error)
        }
    }

    @Test func eventsOfOthersAreErrors() async throws {
        let head = Self.hubHead + "Content-Type: text/event-stream\r\n\r\n"
        let line = String(repeating: "x", count: 10_000)
        let nonsense = try await events(head + "id: nonsense\nevent: changes\ndata:\n\n")
        #expect(nonsense.error as? SyncHTTPError == .malformedEvents)
        let endless = try await events(head, .repeats(line))
        #expect([.malformedEvents, .tooLarge(limit: 1_000_000)].contains(endless.error as? SyncHTTPError))
        // A server that sends faster than events are read.
        let flood = try await events(head, .repeats(String(repeating: "other: x\n", count: 10_000)))
        #expect(flood.error as? SyncHTTPError == .tooLarge(limit: 1_000_000))
        let other = try await events("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata:\n\n")
        #expect(other.error as? SyncHTTPError == .notHub(body: "data:  "))
    }

    /// A connection over which nothing comes any more is noticed.
    @Test func aSilentStreamIsLost() async throws {
        let head = Self.hubHead + "Content-Type: text/event-stream\r\n\r\n"
        let lost = try await events(head + "id: log:7\nevent: changes\ndata:\n\n", .staysOpen, silence: .seconds(1))
        #expect(lost.events == ["log:7"])
        #expect(lost.error as? SyncHTTPError == .silence(.seconds(1)))
    }

    @Test func aServerThatDoesNotAnswerIsLost() async throws {
        #expect(try await events("", .staysOpen, silence: .seconds(1)).error as? SyncHTTPError == .silence(.seconds(1)))
    }
}

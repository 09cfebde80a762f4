import Foundation
import HummingbirdSquallSync
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// Devices that are connected all the time.
@Suite(.timeLimit(.minutes(2))) struct LiveTests {
    /// Waits until a list has a note.
    private func note(_ database: Database, _ value: String) async throws {
        for await _ in database.changes(in: .table("lists")) {
            if try await database.read({ try $0.query("SELECT note FROM lists") as String? }) == value { return }
        }
    }

    @Test func aChangedRowReachesAnIdleDevice() async throws {
        let world = try await SyncWorld(devices: 0)
        let server = try await TestServer.start(world.hub)
        let device = try await SyncWorld.device(server.transport("ada"))
        try await world.hub.database.run("INSERT INTO lists VALUES('a', 'A', '')")
        let task = Task { try await device.run() }
        defer { task.cancel() }
        for await state in device.states { if case .upToDate = state { break } }
        var times: [Duration] = []
        for number in 0..<60 {
            let (observed, observes) = AsyncStream.makeStream(of: Void.self)
            let arrived = Task {
                var changes = device.database.changes(in: .table("lists")).makeAsyncIterator()
                observes.yield()
                while await changes.next() != nil {
                    let note = try await device.database.read { try $0.query("SELECT note FROM lists") as String? }
                    if note == "\(number)" { break }
                }
                return ContinuousClock.now
            }
            for await _ in observed { break }
            let start = ContinuousClock.now
            try await world.hub.database.run("UPDATE lists SET note = \("\(number)")")
            times.append(try await arrived.value - start)
        }
        times.sort()
        print("a changed row reaches an idle device: p50 \(times[30]), p95 \(times[57])")
        #expect(times[30] < .seconds(2))
    }

    @Test func aServerThatBeginsAgainIsFound() async throws {
        let world = try await SyncWorld(devices: 0)
        let first = try await TestServer.start(world.hub)
        let device = try await SyncWorld.device(first.transport("ada"))
        let task = Task { try await device.run() }
        defer { task.cancel() }
        for await state in device.states { if case .upToDate = state { break } }
        try await first.shutDown()
        try await device.database.run("INSERT INTO lists VALUES('a', 'A', 'device')")
        for await state in device.states { if case .waiting = state { break } }
        let second = try await TestServer.start(world.hub, port: first.port)
        #expect(try await happens { try await world.hub.database.rows("lists").count == 1 })
        async let arrived: Void = note(device.database, "hub")
        try await world.hub.database.run("UPDATE lists SET note = 'hub'")
        try await arrived
        try await second.shutDown()
    }

    /// Streams of events do not hold up a server that is about to end.
    @Test func openStreamsEndWithTheServer() async throws {
        let world = try await SyncWorld(devices: 0)
        let server = try await TestServer.start(world.hub)
        var events = server.transport("ada").events().makeAsyncIterator()
        #expect(try await events.next() != nil)
        async let ended: Void = server.shutDown()
        do { while try await events.next() != nil {} } catch is URLError {}
        try await ended
    }

    @Test func anIdleStreamIsKeptOpen() async throws {
        let world = try await SyncWorld(devices: 0)
        var limits = TestServer.limits
        limits.keepAlive = .milliseconds(50)
        let server = try await TestServer.start(world.hub, limits: limits)
        let socket = try RawSocket.events(server.port, "ada")
        #expect(await socket.read(until: "data:").contains("event: changes"))
        for _ in 0..<5 { #expect(await socket.read(until: ":").contains(":")) }
        // The silence is longer than ten of them, and shorter than the test.
        var events = server.transport("ada", silence: .seconds(1)).events().makeAsyncIterator()
        let first = try await events.next()
        try await Task.sleep(for: .milliseconds(2_500))
        try await world.hub.database.run("INSERT INTO lists VALUES('a', 'A', 'x')")
        // The first position may come again.
        while let next = try await events.next() { if next != first { return } }
        Issue.record("the stream has ended")
    }

    /// A client that reads nothing costs the server no memory, and is let go.
    @Test func aSlowClientIsLetGo() async throws {
        let world = try await SyncWorld(devices: 0)
        var limits = TestServer.limits
        limits.keepAlive = .milliseconds(1)
        limits.patience = .milliseconds(300)
        limits.eventStreams = 1
        limits.requestsAtOnce = 1
        let server = try await TestServer.start(world.hub, limits: limits)
        let text = String(repeating: "x", count: 8_000_000)
        try await world.hub.database.run("INSERT INTO lists VALUES('a', 'A', \(text))")
        func pull(_ user: String) async throws -> SyncCursor {
            let request = SyncPullRequest(origin: user, version: 0, cursor: nil, byteLimit: 1_000)
            return try await server.transport(user).pull(request).batch.cursor
        }
        let start = try await pull("bob")
        let position = try #require(start.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let slow = try RawSocket(port: server.port)
        slow.readLittle()
        slow.write(
            "POST /sync/rows?origin=a&version=0&bytes=1&at=\(position)&table=lists HTTP/1.1\r\nHost: a\r\n"
                + "Authorization: Bearer token-of-ada\r\nSquall-Sync: 1\r\nContent-Length: 0\r\n\r\n")
        #expect(await slow.read(until: "\r\n\r\n").contains("200"))
        // There is room for another request as soon as the answer is given up, of which the kernel has 4 MB.
        #expect(try await happens(within: 500) { (try? await pull("ada")) != nil })
        withExtendedLifetime(slow) {}
    }
}

import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// A device and a hub under attack.
@Suite(.timeLimit(.minutes(2))) struct HostileSyncTests {
    // MARK: - run

    @Test
    func aCommitEndsThePauseAfterAFailure() async throws {
        let world = try await SyncWorld(devices: 0)
        let wire = Wire()
        let transport = WireTransport(wire: wire, hub: world.hub.transport(for: SyncPrincipal(user: "ada")))
        let database = try await SyncWorld.database()
        let device = try await SyncEngine(database, transport: transport, clock: ShortClock()) { SyncTable("lists") }
        wire.isOffline = true
        let task = Task { try await device.run() }
        defer { task.cancel() }
        for await state in device.states { if case .waiting = state { break } }
        wire.isOffline = false
        try await database.run("INSERT INTO lists VALUES('a', 'A', NULL)")
        #expect(try await happens { try await world.hub.database.rows("lists").count == 1 })
    }

    @Test
    func runThrowsWhenCommitsCannotBeRecorded() async throws {
        let world = try await SyncWorld(devices: 1)
        let device = world.devices[0]
        let ended = Ended()
        let task = Task {
            do { try await device.run() } catch { ended.set(error) }
        }
        defer { task.cancel() }
        for await state in device.states { if case .upToDate = state { break } }
        try await device.database.run("ALTER TABLE marks RENAME TO old; CREATE TABLE marks(id TEXT, device INTEGER)")
        try? await device.database.run("INSERT INTO lists VALUES('a', 'A', NULL)")
        #expect(try await happens { ended.error is SQLiteError })
    }

    @Test
    func aTransportThatCancelsDoesNotEndRun() async throws {
        let world = try await SyncWorld(devices: 0)
        let transport = CancellingTransport(hub: world.hub.transport(for: SyncPrincipal(user: "ada")))
        let device = try await SyncWorld.device(transport)
        try await device.now()
        let ended = Ended()
        let task = Task {
            do { try await device.run() } catch { ended.set(error) }
        }
        defer { task.cancel() }
        let hasEnded = try await happens(within: 50) { ended.error != nil }
        #expect(!hasEnded, "\(String(describing: ended.error))")
    }

    @Test func aTransportThatHangsEndsWithItsTask() async throws {
        let device = try await SyncWorld.device(HangingTransport())
        let run = Task { try await device.run() }
        let now = Task { try await device.now() }
        let second = Task { try await device.now() }
        try await device.database.run("INSERT INTO lists VALUES('a', 'A', NULL)")
        for task in [now, second] {
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    @Test func theNameOfATableMayHaveOtherLetters() async throws {
        let world = try await SyncWorld(devices: 0)
        let database = try await SyncWorld.database()
        let device = try await SyncEngine(
            database, transport: world.hub.transport(for: SyncPrincipal(user: "ada"))
        ) {
            SyncTable("LISTS")
            SyncTable("Items")
            SyncTable("MARKS")
        }
        let task = Task { try await device.run() }
        defer { task.cancel() }
        for await state in device.states { if case .upToDate = state { break } }
        try await database.run("INSERT INTO lists VALUES('a', 'A', NULL)")
        #expect(try await happens { try await world.hub.database.rows("lists").count == 1 })
    }

    @Test(arguments: 1...3) func devicesThatRunAndWriteConverge(_ round: Int) async throws {
        let world = try await SyncWorld(devices: 0)
        let counter = Counter()
        var devices: [SyncEngine] = []
        for _ in 0..<4 {
            let transport = CountingTransport(
                hub: world.hub.transport(for: SyncPrincipal(user: "ada")), counter: counter)
            devices.append(try await SyncWorld.device(transport))
        }
        let tasks = devices.map { device in Task { try await device.run() } }
        let databases = devices.map(\.database) + [world.hub.database]
        await withTaskGroup(of: Void.self) { group in
            for (index, database) in databases.enumerated() {
                group.addTask {
                    for step in 0..<25 {
                        let id = "\(index)-\(step)"
                        try? await database.write { connection in
                            try connection.run("INSERT INTO marks VALUES(\(id), \(index))")
                            try? connection.run("INSERT INTO lists VALUES('l' || \(step % 5), \(id), \(id))")
                            try? connection.run("UPDATE lists SET note = \(id) WHERE id = 'l' || \(step % 3)")
                            try? connection.run("INSERT INTO items VALUES(\(id), 'l' || \(step % 5), 'x', 1)")
                            if step % 6 == 5 { try? connection.run("DELETE FROM lists WHERE id = 'l' || \(step % 5)") }
                        }
                        if step % 5 == 0 {
                            try? await database.writeWithoutTransaction { try $0.run("UPDATE items SET n = n + 1") }
                        }
                    }
                }
            }
        }
        let areEqual = try await happens(within: 400) {
            for table in ["lists", "items", "marks"] {
                let rows = try await world.hub.database.rows(table)
                for device in devices {
                    if try await device.database.rows(table) != rows { return false }
                }
            }
            return try await world.hub.database.rows("marks").count == 125
        }
        #expect(areEqual)
        // Afterwards, nothing is asked any more.
        try await Task.sleep(for: .milliseconds(700))
        let calls = counter.value
        try await Task.sleep(for: .milliseconds(1500))
        #expect(counter.value == calls, "calls go on: \(calls) before")
        for task in tasks { task.cancel() }
    }

    // MARK: - Devices that are opened again, or restored

    @Test
    func aDeviceThatIsRestoredLosesNoWrite() async throws {
        let world = try await SyncWorld(devices: 0)
        let transport = world.hub.transport(for: SyncPrincipal(user: "ada"))
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, copy) = (folder.appending(path: "a.db").path, folder.appending(path: "b.db").path)
        do {
            let database = try Database(path)
            try await database.run(SyncWorld.schema)
            let device = try await SyncWorld.device(transport, in: database)
            try await database.run("INSERT INTO lists VALUES('a', 'A', NULL)")
            try await device.now()
            try await database.writeWithoutTransaction { try $0.execute("VACUUM INTO \(copy)") }
            try await database.run("INSERT INTO lists VALUES('b', 'B', NULL)")
            try await device.now()
            try await database.close()
        }
        let database = try Database(copy)
        let device = try await SyncWorld.device(transport, in: database)
        try await database.run("INSERT INTO lists VALUES('c', 'C', NULL)")
        do {
            let summary = try await device.now()
            #expect(summary.conflicts.isEmpty)
            let rows = try await world.hub.database.rows("lists").count
            #expect(rows == 3)
            #expect(try await database.rows("lists").count == rows)
        } catch is SyncRefusal {}
    }

    @Test
    func aHubThatIsRestoredIsNoticed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, copy) = (folder.appending(path: "a.db").path, folder.appending(path: "b.db").path)
        let database = try await SyncWorld.database()
        func hub(_ path: String) async throws -> SyncHub {
            let database = try Database(path)
            try await database.run(SyncWorld.schema)
            return try await SyncHub(database) {
                SyncTable("lists")
                SyncTable("items")
                SyncTable("marks")
            }
        }
        do {
            let hub = try await hub(path)
            let device = try await SyncWorld.device(hub.transport(for: SyncPrincipal(user: "ada")), in: database)
            try await hub.database.run("INSERT INTO lists VALUES('a', 'A', NULL)")
            try await device.now()
            try await hub.database.writeWithoutTransaction { try $0.execute("VACUUM INTO \(copy)") }
            try await hub.database.run("INSERT INTO lists VALUES('b', 'B', NULL)")
            try await device.now()
            try await hub.database.close()
        }
        let restored = try await hub(copy)
        try await restored.database.run("INSERT INTO lists VALUES('c', 'C', NULL)")
        let device = try await SyncWorld.device(restored.transport(for: SyncPrincipal(user: "ada")), in: database)
        do {
            try await device.now()
            #expect(try await database.rows("lists") == restored.database.rows("lists"))
        } catch is SyncRefusal {}
    }

    @Test func aHubThatGoesOnLackingChangesIsAnError() async throws {
        let world = try await SyncWorld(devices: 0)
        let hub = world.hub.transport(for: SyncPrincipal(user: "ada"))
        let device = try await SyncWorld.device(ForgetfulTransport(hub: hub))
        try await device.database.run("INSERT INTO lists VALUES('a', 'A', NULL)")
        await #expect(throws: SyncRefusal.missing(after: 0)) { try await device.now() }
        #expect(try await device.database.rows("lists").count == 1)
    }

    @Test func twoEnginesOnOneDatabase() async throws {
        let world = try await SyncWorld(devices: 1)
        let (one, two) = (
            world.devices[0],
            try await SyncWorld.device(
                world.hub.transport(for: SyncPrincipal(user: "ada")), in: world.devices[0].database)
        )
        #expect(one.origin == two.origin)
        for step in 0..<5 {
            try await one.database.run("INSERT OR REPLACE INTO lists VALUES('a', 'A', \(step))")
            try await one.now()
            try await one.database.run("UPDATE lists SET note = note || 'x'")
            try await two.now()
            try await world.hub.database.run("UPDATE lists SET name = \(step)")
            async let first = one.now()
            async let second = two.now()
            _ = try await (first, second)
        }
        #expect(try await one.database.rows("lists") == world.hub.database.rows("lists"))
        #expect(try await one.now().sent == 0)
    }

    // MARK: - Rules

    @Test func aClosureThatThrowsIsARefusal() async throws {
        struct Undecided: Error {}
        let hub = try await SyncHub(try await SyncWorld.database()) {
            SyncTable("lists", conflicts: .resolve { _ in throw Undecided() })
        }
        let database = try await SyncWorld.database()
        let device = try await SyncEngine(database, transport: hub.transport(for: SyncPrincipal(user: "ada"))) {
            SyncTable("lists")
        }
        try await hub.database.run("INSERT INTO lists VALUES('a', 'A', 'hub')")
        try await database.run("INSERT INTO lists VALUES('a', 'A', 'device')")
        await #expect(throws: (any Error).self) { try await device.now() }
        #expect(try await hub.database.rows("lists").count == 1)
        #expect(try await database.rows("lists").count == 1)
    }

    @Test
    func aValueThatTheHubStoresDifferentlyIsARefusal() async throws {
        let hubDatabase = try Database(":memory:")
        try await hubDatabase.run("CREATE TABLE lists(id TEXT PRIMARY KEY, name INTEGER)")
        let hub = try await SyncHub(hubDatabase) { SyncTable("lists") }
        let database = try Database(":memory:")
        try await database.run("CREATE TABLE lists(id TEXT PRIMARY KEY, name TEXT)")
        let device = try await SyncEngine(database, transport: hub.transport(for: SyncPrincipal(user: "ada"))) {
            SyncTable("lists")
        }
        try await database.run("INSERT INTO lists VALUES('a', '1')")
        let error = await #expect(throws: (any Error).self) { try await device.now() }
        #expect(error is SyncRefusal, "\(String(describing: error))")
    }

    @Test
    func aConflictIsReportedIfTheNextPageIsLost() async throws {
        let world = try await SyncWorld(devices: 1)
        let device = world.devices[0]
        try await world.hub.database.run("INSERT INTO lists VALUES('l', 'List', 'hub')")
        try await device.database.run("INSERT INTO lists VALUES('l', 'List', 'device')")
        world.paths[0].fail(.answerLost)
        await #expect(throws: Wire.Cut.self) { try await device.now() }
        for number in 0..<4 {
            try await world.hub.database.run(
                "INSERT INTO lists VALUES(\(number), \(number), hex(randomblob(200000)))")
        }
        world.paths[0].fail(.repeated, .repeated, .lost)
        var conflicts = 0
        do { conflicts += try await device.now().conflicts.count } catch is Wire.Cut {}
        conflicts += try await device.now().conflicts.count
        #expect(try await device.database.read { try $0.query("SELECT note FROM lists WHERE id = 'l'") } == "hub")
        #expect(conflicts == 1)
    }

    @Test
    func numbersThatTheProgramResetsLoseNoWrite() async throws {
        let world = try await SyncWorld(devices: 1)
        let device = world.devices[0]
        for step in 0..<3 {
            try await device.database.run("INSERT INTO lists VALUES(\(step), \(step), NULL)")
            try await device.now()
            try await device.database.run("DELETE FROM sqlite_sequence")
        }
        #expect(try await world.hub.database.rows("lists").count == 3)
    }

    @Test
    func aStatementBeforeAnEndIsSentLater() async throws {
        let world = try await SyncWorld(devices: 0)
        let transport = world.hub.transport(for: SyncPrincipal(user: "ada"))
        let database = try await SyncWorld.database()
        do {
            let device = try await SyncWorld.device(transport, in: database)
            try await device.now()
            try await database.writeWithoutTransaction { try $0.run("INSERT INTO lists VALUES('a', 'A', NULL)") }
        }
        try await SyncWorld.device(transport, in: database).now()
        #expect(try await world.hub.database.rows("lists").count == 1)
    }

    @Test func aWriteAfterARoundThatIsCancelledIsSent() async throws {
        let world = try await SyncWorld(devices: 1)
        let device = world.devices[0]
        try await device.database.run("INSERT INTO marks VALUES('0', 0)")
        try await device.now()
        try await world.hub.database.run("INSERT INTO lists VALUES('h', 'H', NULL)")
        let (started, cancelled) = (Counter(), Counter())
        let token = device.database.addCommitObserver {
            started.add()
            while cancelled.value == 0 {}
            return false
        }
        let round = Task { try await device.now() }
        while started.value == 0 { await Task.yield() }
        round.cancel()
        cancelled.add()
        _ = await round.result
        token.cancel()
        try await device.database.run("INSERT INTO marks VALUES('1', 0)")
        try await device.now()
        try await device.now()
        #expect(try await device.database.rows("marks") == world.hub.database.rows("marks"))
    }

    @Test(arguments: 0..<4)
    func writesThatAreCancelledAreSent(_ round: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = try await SyncWorld(devices: 0)
        let database = try Database(folder.appending(path: "a.db").path)
        try await database.run(SyncWorld.schema)
        let device = try await SyncWorld.device(
            world.hub.transport(for: SyncPrincipal(user: "ada")), in: database)
        let run = Task { try await device.run() }
        for step in 0..<250 {
            let write = Task {
                try await database.write(isolated: step % 2 == 0) {
                    try $0.run("INSERT INTO marks VALUES(\(step), 1)")
                }
            }
            try? await Task.sleep(for: .microseconds(step * 7 % 300))
            write.cancel()
            _ = await write.result
        }
        run.cancel()
        _ = await run.result
        try await device.now()
        let (here, there) = (try await database.rows("marks"), try await world.hub.database.rows("marks"))
        #expect(here == there)
    }

    @Test func aCancelledRoundLosesNothing() async throws {
        let world = try await SyncWorld(devices: 2)
        for step in 0..<150 {
            let device = world.devices[step % 2]
            try await device.database.run(
                "INSERT INTO marks VALUES(\(step), 1); INSERT OR REPLACE INTO lists VALUES('a', 'A', \(step))")
            let task = Task { try await device.now() }
            if step % 3 > 0 { try? await Task.sleep(for: .microseconds(step * 60)) }
            task.cancel()
            _ = await task.result
        }
        for _ in 0..<2 { for device in world.devices { try await device.now() } }
        for device in world.devices {
            #expect(try await device.database.rows("marks").count == 150)
            #expect(try await device.database.rows("lists") == world.hub.database.rows("lists"))
        }
    }
}

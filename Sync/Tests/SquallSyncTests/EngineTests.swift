import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

@Suite(.timeLimit(.minutes(5))) struct EngineTests {
    @Test func aRoundSendsAndReceives() async throws {
        let world = try await SyncWorld(devices: 2)
        let (one, two) = (world.devices[0], world.devices[1])
        try await world.hub.database.run("INSERT INTO lists VALUES('l', 'List', NULL)")
        try await one.database.run(
            "INSERT INTO lists VALUES('m', 'Mine', NULL); INSERT INTO items VALUES('i', 'm', 'x', 1)")
        let first = try await one.now()
        #expect(first.sent == 1)
        // Its own changes come back, and change nothing.
        #expect(first.received.map(\.description) == ["insert into lists: (id = 'l', name = 'List', note = NULL)"])
        #expect(try await two.now().received.count == 3)
        try await two.database.run("UPDATE lists SET note = 'two' WHERE id = 'm'; DELETE FROM items")
        #expect(try await two.now().sent == 1)
        #expect(try await one.now().received.count == 2)
        for table in ["lists", "items"] {
            let rows = try await world.hub.database.rows(table)
            #expect(try await one.database.rows(table) == rows)
            #expect(try await two.database.rows(table) == rows)
        }
        #expect(try await one.now().sent == 0)
    }

    @Test func rowsOfBeforeTakePart() async throws {
        let world = try await SyncWorld(devices: 0)
        let database = try await SyncWorld.database()
        try await database.run("INSERT INTO lists VALUES('a', 'A', NULL)")
        let transport = world.hub.transport(for: SyncPrincipal(user: "ada"))
        let origin: String
        do {
            let device = try await SyncWorld.device(transport, in: database)
            origin = device.origin
            try await device.now()
        }
        #expect(try await world.hub.database.rows("lists").count == 1)
        // The device is the same when it is opened again.
        let again = try await SyncWorld.device(transport, in: database)
        #expect(again.origin == origin)
        try await database.writeWithoutTransaction { try $0.run("UPDATE lists SET note = 'n'") }
        #expect(try await again.now().sent == 1)
        #expect(try await world.hub.database.read { try $0.query("SELECT note FROM lists") } == "n")
    }

    @Test func aConflictHasBothRows() async throws {
        let world = try await SyncWorld(devices: 1)
        let device = world.devices[0]
        try await world.hub.database.run("INSERT INTO lists VALUES('l', 'List', 'old')")
        try await device.now()
        try await world.hub.database.run("UPDATE lists SET note = 'hub'")
        try await device.database.run("UPDATE lists SET note = 'device'")
        let summary = try await device.now()
        #expect(summary.conflicts.map { $0.change["note"] } == [.text("device")])
        #expect(summary.conflicts.map(\.row) == [[.text("l"), .text("List"), .text("hub")]])
        #expect(try await device.database.read { try $0.query("SELECT note FROM lists") } == "hub")
        #expect(try await device.now().conflicts.isEmpty)
    }

    @Test(arguments: [Wire.Fault.lost, .answerLost, .repeated], 0..<3)
    func nothingIsLostWhenAMessageIs(_ fault: Wire.Fault, _ number: Int) async throws {
        let world = try await SyncWorld(devices: 1)
        let device = world.devices[0]
        try await device.database.run("INSERT INTO lists VALUES('a', 'A', NULL)")
        try await world.hub.database.run("INSERT INTO lists VALUES('b', 'B', NULL)")
        for _ in 0..<number { try await device.now() }
        try await device.database.run("UPDATE lists SET note = 'n' WHERE id = 'a'")
        world.paths[0].fail(fault)
        do { try await device.now() } catch { #expect(error is Wire.Cut && fault != .repeated) }
        try await device.database.run("UPDATE lists SET note = note || 'n' WHERE id = 'a'")
        try await device.now()
        let rows = try await world.hub.database.rows("lists")
        #expect(try await device.database.rows("lists") == rows)
        #expect(rows.count == 2 && rows[0].contains("nn"))
    }

    @Test func aDeviceWithoutItsTablesIsRefused() async throws {
        let database = try await SyncWorld.database()
        try await database.run("CREATE TABLE numbers(id INTEGER PRIMARY KEY, n)")
        let error = await #expect(throws: SQLiteError.self) { try await SyncHub(database) { SyncTable("numbers") } }
        #expect(error?.problem(SyncSetupProblem.self) == .integerKey)
        #expect(error?.message == "rows of two devices would have one INTEGER PRIMARY KEY: numbers")
        let empty = await #expect(throws: SQLiteError.self) { try await SyncHub(database) {} }
        #expect(empty?.problem(SyncSetupProblem.self) == .noTables)
    }

    @Test func anOriginBelongsToItsPrincipal() async throws {
        let world = try await SyncWorld(devices: 1)
        let device = world.devices[0]
        try await device.now()
        let stranger = world.hub.transport(for: SyncPrincipal(user: "eve"))
        let request = SyncPullRequest(origin: device.origin, version: 0, cursor: nil, byteLimit: 1_000)
        await #expect(throws: SyncRefusal.origin) { try await stranger.pull(request) }
        let other = SyncPullRequest(origin: "other", version: 1, cursor: nil, byteLimit: 1_000)
        await #expect(throws: SyncRefusal.version(hub: 0)) { try await stranger.pull(other) }
    }

    @Test func manyChangesComeInPages() async throws {
        let world = try await SyncWorld(devices: 2)
        let text = String(repeating: "x", count: 10_000)
        for number in 0..<300 {
            try await world.devices[0].database.run("INSERT INTO lists VALUES(\(number), \(number), \(text))")
        }
        #expect(try await world.devices[0].now().sent == 300)
        #expect(try await world.devices[1].now().received.count == 300)
        let stranger = world.hub.transport(for: SyncPrincipal(user: "bob"))
        let first = try await stranger.pull(SyncPullRequest(origin: "bob", version: 0, cursor: nil, byteLimit: 1))
        #expect(first.begins)
        let rows = try await stranger.rows(
            SyncRowsRequest(
                origin: "bob", version: 0, cursor: first.batch.cursor, table: "lists", key: nil, byteLimit: 25_000))
        #expect(rows.next != nil)
        try await world.devices[0].database.run("UPDATE lists SET note = 'y' || note")
        try await world.devices[0].now()
        let page = try await stranger.pull(
            SyncPullRequest(origin: "bob", version: 0, cursor: first.batch.cursor, byteLimit: 25_000))
        #expect(page.batch.count == 1 && !page.begins && !page.hasMore)
    }

    @Test func aDeviceThatIsOlderThanTheLogBeginsAgain() async throws {
        let world = try await SyncWorld(devices: 1)
        let (hub, device) = (world.hub.database, world.devices[0])
        try await hub.run("INSERT INTO lists VALUES('a', 'A', NULL), ('b', 'B', NULL), ('c', 'C', NULL)")
        try await device.now()
        try await hub.run("UPDATE lists SET name = 'C' || name; DELETE FROM lists WHERE id = 'b'")
        try await hub.run("INSERT INTO items VALUES('i', 'c', 'x', 1)")
        try await hub.write { connection in
            let log = try SyncLog(
                connection, origin: "hub", role: .hub,
                tables: ["lists": .hubWins, "items": .hubWins, "marks": .hubWins])
            try log.compact(through: log.end(on: connection), on: connection)
        }
        try await device.database.run("INSERT INTO lists VALUES('d', 'D', 'mine'); UPDATE lists SET note = 'mine'")
        let summary = try await device.now()
        #expect(summary.sent == 1 && summary.conflicts.count == 1)
        try await device.now()
        for table in ["lists", "items"] { #expect(try await device.database.rows(table) == hub.rows(table)) }
        let notes: [String] = try await hub.read { try $0.query("SELECT id || note FROM lists ORDER BY id") }
        #expect(notes == ["amine", "cmine", "dmine"])
    }

    @Test func conflictsStayUntilTheyAreResolved() async throws {
        let world = try await SyncWorld(devices: 1)
        let (hub, device) = (world.hub.database, world.devices[0])
        try await hub.run("INSERT INTO lists VALUES('a', 'A', 'old'), ('b', 'B', 'old'), ('c', 'C', 'old')")
        try await device.now()
        try await hub.run("UPDATE lists SET note = 'hub' WHERE id <> 'c'; DELETE FROM lists WHERE id = 'c'")
        try await device.database.run(
            """
            UPDATE lists SET note = 'device'; DELETE FROM lists WHERE id = 'b';
            INSERT INTO lists VALUES('d', 'D', 'device'), ('e', 'E', 'device')
            """)
        try await hub.run("INSERT INTO lists VALUES('x', 'D', 'hub')")
        let summary = try await device.now()
        #expect(try await device.conflicts() == summary.conflicts)
        let stored = summary.conflicts.sorted { "\($0.change["id"] ?? .null)" < "\($1.change["id"] ?? .null)" }
        #expect(
            stored.map { "\($0)" } == [
                "update lists: (id = 'a', name = 'A', note = 'device') (data): the hub wins",
                "delete from lists: (id = 'b', name = 'B', note = 'old') (data): the hub wins",
                "update lists: (id = 'c', name = 'C', note = 'device') (notFound): the hub wins",
                "insert into lists: (id = 'd', name = 'D', note = 'device') (UNIQUE constraint failed: lists.name): the hub wins",
            ])
        // The engine that opens the database again has them.
        let again = try await SyncWorld.device(
            world.hub.transport(for: SyncPrincipal(user: "ada")), in: device.database)
        #expect(try await again.conflicts() == summary.conflicts)
        for conflict in stored.dropLast() { try await device.resolve(conflict, keeping: .replica) }
        await #expect(throws: SQLiteError.self) { try await device.resolve(stored[3], keeping: .replica) }
        #expect(try await device.conflicts() == [stored[3]])
        try await device.resolve(stored[3], keeping: .hub)
        try await device.resolve(stored[0], keeping: .replica)
        #expect(try await device.conflicts() == [])
        #expect(try await device.now().conflicts == [])
        let rows = ["a|A|device", "c|C|device", "e|E|device", "x|D|hub"]
        #expect(try await hub.rows("lists") == rows)
        #expect(try await device.database.rows("lists") == rows)
    }
}

import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

@Suite(.timeLimit(.minutes(5))) struct ScopeTests {
    private func world(_ users: String...) async throws -> ScopeWorld {
        let world = try await ScopeWorld(users: users)
        try await world.hub.database.run(
            """
            INSERT INTO members VALUES('a', 'ada', 1), ('b', 'bob', 1), ('c', 'ada', 1), ('c', 'bob', 1);
            INSERT INTO lists VALUES('a', 'A'), ('b', 'B'), ('c', 'C');
            INSERT INTO items VALUES('a', '1', 'x', 'ada'), ('b', '1', 'y', 'bob'), ('c', '1', 'z', 'bob');
            INSERT INTO notes VALUES('n', 'ada', 'mine'), ('m', 'bob', 'his')
            """)
        for device in world.devices { try await device.engine.now() }
        return world
    }

    private func check(_ world: ScopeWorld) async throws {
        for (device, watch) in zip(world.devices, world.watches) {
            for table in ["lists", "items", "notes"] {
                let rows = try await device.engine.database.rows(table)
                #expect(try await rows == world.visible(table, to: device.user), "\(device.user) \(table)")
            }
            #expect(watch.leaks == [])
        }
    }

    @Test func aDeviceHasTheRowsOfItsUser() async throws {
        let world = try await world("ada", "bob", "eve")
        #expect(try await world.devices[0].engine.database.rows("lists") == ["a|A", "c|C"])
        #expect(try await world.devices[2].engine.database.rows("items") == [])
        try await check(world)
    }

    @Test func rowsEnterAndLeaveWithChangesOfOtherTables() async throws {
        let world = try await world("ada", "bob")
        let ada = world.devices[0].engine
        try await world.hub.database.run("DELETE FROM members WHERE list = 'c' AND user = 'ada'")
        let left = try await ada.now()
        #expect(left.received.map(\.operation) == [.delete, .delete])
        try await check(world)
        try await world.hub.database.run(
            """
            UPDATE items SET text = 'changed' WHERE list = 'b';
            INSERT INTO members VALUES('b', 'ada', 1);
            INSERT INTO items VALUES('b', '2', 'new', 'bob')
            """)
        let entered = try await ada.now()
        #expect(
            entered.received.map { "\($0)" }.sorted() == [
                "insert into items: (list = 'b', number = '1', text = 'changed', owner = 'bob')",
                "insert into items: (list = 'b', number = '2', text = 'new', owner = 'bob')",
                "insert into lists: (id = 'b', name = 'B')",
            ])
        try await world.devices[1].engine.now()
        try await check(world)
        // A row that leaves by its own values, and one that was never seen.
        try await world.hub.database.run(
            """
            UPDATE notes SET owner = 'bob' WHERE id = 'n';
            INSERT INTO notes VALUES('s', 'eve', 'secret'); DELETE FROM notes WHERE id = 's'
            """)
        for device in world.devices { try await device.engine.now() }
        try await check(world)
        try await world.hub.database.run("INSERT INTO blocked VALUES('ada', NULL)")
        for device in world.devices { try await device.engine.now() }
        #expect(try await ada.database.rows("items") == [])
        try await check(world)
    }

    @Test func aChangeThatIsNotAllowedIsReported() async throws {
        let world = try await world("ada", "bob")
        let ada = world.devices[0].engine
        // The item of bob, an own one, a list that ada does not see, and one whose key an invisible row has.
        try await ada.database.run(
            """
            UPDATE items SET text = 'taken' WHERE list = 'c';
            INSERT INTO items VALUES('c', '2', 'own', 'ada'), ('b', '9', 'hidden', 'ada'), ('b', '1', 'guess', 'ada');
            INSERT INTO notes VALUES('m', 'ada', 'guess'), ('mine', 'bob', 'for bob');
            DELETE FROM lists WHERE id = 'a'
            """)
        let summary = try await ada.now()
        let items = "this row of items may not be written"
        #expect(
            summary.conflicts.map { "\($0)" }.sorted() == [
                "insert into items: (list = 'b', number = '1', text = 'guess', owner = 'ada') (\(items)): the hub wins",
                "insert into items: (list = 'b', number = '9', text = 'hidden', owner = 'ada') (\(items)): the hub wins",
                "insert into notes: (id = 'm', owner = 'ada', text = 'guess') (this row of notes may not be written): the hub wins",
                "insert into notes: (id = 'mine', owner = 'bob', text = 'for bob') (this row of notes may not be written): the hub wins",
                "update items: (list = 'c', number = '1', text = 'taken', owner = 'bob') (\(items)): the hub wins",
            ])
        // The rows of bob are not shown, and the one that ada sees is.
        #expect(summary.conflicts.filter { $0.row != nil }.map(\.change.table) == ["items"])
        #expect(try await world.hub.database.rows("items").contains("c|2|own|ada"))
        #expect(try await world.hub.database.rows("lists") == ["b|B", "c|C"])
        #expect(try await world.hub.database.rows("notes") == ["m|bob|his", "n|ada|mine"])
        for device in world.devices { try await device.engine.now() }
        try await check(world)
    }

    @Test func aTableThatIsOnlyReadIsNotSentOrWritten() async throws {
        let world = try await world("ada")
        let transport = world.hub.transport(for: SyncPrincipal(user: "eve"))
        let page = try await transport.pull(SyncPullRequest(origin: "eve", version: 0, cursor: nil, byteLimit: 1_000))
        #expect(try page.batch.changesets.flatMap { try $0.elements }.isEmpty)
        await #expect(throws: SyncRefusal.self) {
            try await transport.rows(
                SyncRowsRequest(
                    origin: "eve", version: 0, cursor: page.batch.cursor, table: "members", key: nil, byteLimit: 1_000))
        }
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run(ScopeWorld.hubSchema)
        let eve = try await SyncEngine(database, transport: transport) {
            for table in ["lists", "items", "notes", "members"] { SyncTable(table) }
        }
        try await database.run("INSERT INTO members VALUES('a', 'eve', 1)")
        let batch = try await database.write { connection in
            try SyncLogProbe.batch(eve.origin, ["lists", "items", "notes", "members"], connection)
        }
        _ = try await transport.push(batch)
        #expect(try await world.hub.database.rows("members").contains { $0.contains("eve") } == false)
    }

    @Test func aPrincipalWithOtherValuesBeginsAgain() async throws {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run(ScopeWorld.devicesSchema)
        let hub = try await SyncHub(database) {
            SyncTable("lists")
            SyncTable("items")
            SyncTable("notes", visible: "owner = :user OR owner = :team")
        }
        try await database.run("INSERT INTO notes VALUES('1', 'ada', 'x'), ('2', 'red', 'y'), ('3', 'blue', 'z')")
        let position = try await hub.pull(
            SyncPullRequest(origin: "o", version: 0, cursor: nil, byteLimit: 1), by: SyncPrincipal(user: "ada")
        ).batch.cursor
        let error = await #expect(throws: SQLiteError.self) {
            try await hub.rows(
                SyncRowsRequest(origin: "o", version: 0, cursor: position, table: "notes", key: nil, byteLimit: 1),
                by: SyncPrincipal(user: "ada"))
        }
        #expect(error?.problem(SyncScopeProblem.self) == .missingValue("team"))
        let transport = SwitchedTransport(hub: hub)
        let device = try await ScopeWorld.device(transport)
        transport.principal = SyncPrincipal(user: "ada", values: ["team": .text("red")])
        try await device.now()
        #expect(try await device.database.rows("notes") == ["1|ada|x", "2|red|y"])
        transport.principal = SyncPrincipal(user: "ada", values: ["team": .text("blue")])
        try await device.now()
        #expect(try await device.database.rows("notes") == ["1|ada|x", "3|blue|z"])
    }

    @Test func conditionsCompareAsTheTable() async throws {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run(
            """
            CREATE TABLE items(id TEXT PRIMARY KEY, tag TEXT COLLATE NOCASE, n INTEGER, amount NUMERIC, any);
            CREATE TABLE tags(tag TEXT PRIMARY KEY, n TEXT)
            """)
        let condition = "tag = 'RED' AND n = '5' AND amount > '10' AND tag IN (SELECT tag FROM tags WHERE n = items.n)"
        let hub = try await SyncHub(database) { SyncTable("items", visible: condition) }
        try await database.run(
            """
            INSERT INTO tags VALUES('Red', '5'), ('red', '5'), ('blue', 5);
            INSERT INTO items VALUES('1', 'Red', 5, 11, x'00'), ('2', 'red', '5', '9', 1), ('3', 'red', 5, '1e2', NULL),
                ('4', 'blue', 5, 11, 0), ('5', 'RED', 6, 11, 0)
            """)
        let own = try Database(":memory:", configuration: .recommended)
        try await own.run(
            "CREATE TABLE items(id TEXT PRIMARY KEY, tag TEXT COLLATE NOCASE, n INTEGER, amount NUMERIC, any)")
        let device = try await SyncEngine(own, transport: hub.transport(for: SyncPrincipal(user: "ada"))) {
            SyncTable("items")
        }
        func check() async throws {
            try await device.now()
            let rows = try await database.read { connection in
                try connection.query("SELECT id FROM items WHERE \(raw: condition) ORDER BY id") as [String]
            }
            #expect(try await own.read { try $0.query("SELECT id FROM items ORDER BY id") } == rows)
        }
        try await check()
        for sql in [
            "UPDATE items SET amount = '1' || amount" as SQL, "UPDATE items SET n = 5.0 WHERE id = '5'",
            "UPDATE tags SET tag = 'RED' WHERE tag = 'Red'", "UPDATE items SET any = any + 1, tag = upper(tag)",
            "DELETE FROM tags WHERE tag = 'red'", "INSERT INTO tags VALUES('ReD', '5')",
            "UPDATE items SET id = id || 'x'",
        ] {
            try await database.run(sql)
            try await check()
        }
    }

    @Test(arguments: [
        ("owner = ?", SyncScopeProblem.parameter("?")), ("owner = @user", .parameter("@user")),
        ("1) OR (1", .notACondition), ("1; DELETE FROM notes", .notACondition), ("1 -- ", .notACondition),
        ("owner = 'x", .notACondition), ("random() > 0", .changesByItself("random")),
        ("text < datetime('now')", .changesByItself("datetime")),
        ("text < CURRENT_DATE", .changesByItself("CURRENT_DATE")),
        ("id IN (SELECT list FROM main.members)", .otherTable("members")),
        ("id IN (SELECT list FROM mine)", .otherTable("mine")),
        ("id IN (SELECT name FROM sqlite_schema)", .otherTable("sqlite_master")),
        ("id IN (SELECT id FROM temp.extra)", .otherTable("extra")),
    ]) func conditionsAreChecked(_ condition: String, _ problem: SyncScopeProblem) async throws {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run(ScopeWorld.hubSchema + "; CREATE VIEW mine AS SELECT * FROM members")
        try await database.writeWithoutTransaction { try $0.execute("CREATE TEMP TABLE extra(id)") }
        let error = await #expect(throws: SQLiteError.self) {
            try await SyncHub(database) { SyncTable("notes", visible: condition) }
        }
        #expect(error?.problem(SyncScopeProblem.self) == problem)
    }

    @Test func aPrincipalWithoutAValueEndsItsOwnEvents() async throws {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run(ScopeWorld.devicesSchema)
        let hub = try await SyncHub(database) { SyncTable("notes", visible: "owner = :team") }
        var bad = hub.events(for: SyncPrincipal(user: "ada")).makeAsyncIterator()
        var good = hub.events(for: SyncPrincipal(user: "bob", values: ["team": .text("red")])).makeAsyncIterator()
        _ = try await (bad.next(), good.next())
        try await database.run("INSERT INTO notes VALUES('1', 'red', 'x')")
        #expect(try await good.next()?.sequence == 1)
        let error = await #expect(throws: SQLiteError.self) { _ = try await bad.next() }
        #expect(error?.problem(SyncScopeProblem.self) == .missingValue("team"))
        try await database.run("INSERT INTO notes VALUES('2', 'red', 'x')")
        #expect(try await good.next()?.sequence == 2)
    }

    @Test func eventsAreThoseOfThePrincipal() async throws {
        let world = try await world("ada")
        var events = world.hub.events(for: SyncPrincipal(user: "ada")).makeAsyncIterator()
        let first = try await events.next()
        // What another user sees does not wake; the next event is that of the own note.
        try await world.hub.database.run("INSERT INTO notes VALUES('z', 'bob', 'his')")
        try await world.hub.database.run(
            "INSERT INTO lists VALUES('q', 'Q'); INSERT INTO members VALUES('q', 'bob', 1)")
        try await world.hub.database.run("INSERT INTO notes VALUES('y', 'ada', 'mine')")
        let next = try await events.next()
        let end = try await world.hub.pull(
            SyncPullRequest(origin: world.devices[0].engine.origin, version: 0, cursor: first, byteLimit: 1_000_000),
            by: SyncPrincipal(user: "ada")
        ).batch.cursor
        #expect(next == end)
    }
}

/// A transport whose principal can change.
private final class SwitchedTransport: SyncTransport, @unchecked Sendable {
    let hub: SyncHub
    var principal = SyncPrincipal(user: "ada")

    init(hub: SyncHub) { self.hub = hub }

    func push(_ batch: SyncBatch) async throws -> SyncCursor { try await hub.push(batch, by: principal) }
    func pull(_ request: SyncPullRequest) async throws -> SyncPage { try await hub.pull(request, by: principal) }
    func rows(_ request: SyncRowsRequest) async throws -> SyncRows { try await hub.rows(request, by: principal) }
    func audit(_ request: SyncAuditRequest) async throws -> Int? { try await hub.audit(request, by: principal) }
    func events() -> AsyncThrowingStream<SyncCursor, any Error> { hub.events(for: principal) }
}

/// The batch that a device would send.
private enum SyncLogProbe {
    static func batch(_ origin: String, _ tables: [String], _ connection: Connection) throws -> SyncBatch {
        let policies = [String: SyncLog.Policy](uniqueKeysWithValues: tables.map { ($0, .hubWins) })
        return try SyncLog(connection, origin: origin, role: .replica, tables: policies).changes(on: connection)
    }
}

import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// Principals, batches and restarts by which a device could get or change rows that are not its own.
@Suite(.timeLimit(.minutes(5))) struct HostileScopeAccessTests {
    private static let ofMembers = "list IN (SELECT list FROM members WHERE user = :user)"

    /// The batch that a device would send now.
    private func batch(of device: SyncEngine, _ tables: [String] = ["items"]) async throws -> SyncBatch {
        try await Self.batch(of: device.database, device.origin, tables)
    }

    private static func batch(of database: Database, _ origin: String, _ tables: [String]) async throws -> SyncBatch {
        try await database.write { connection in
            let policies = [String: SyncLog.Policy](uniqueKeysWithValues: tables.map { ($0, .hubWins) })
            return try SyncLog(connection, origin: origin, role: .replica, tables: policies).changes(on: connection)
        }
    }

    /// The row was secret when the hub refused the change. The device sees it after it has become another one.
    @Test func aConflictHasNoRowFromBeforeTheDeviceSawIt() async throws {
        let world = try await OneTableWorld(
            HostileScopeTests.items + ";" + HostileScopeTests.members, condition: Self.ofMembers)
        try await world.hub.database.run("INSERT INTO items VALUES('1', 'b', 'bob', 'secret')")
        try await world.device.now()
        try await world.device.database.run("INSERT INTO items VALUES('1', 'b', 'ada', 'guess')")
        _ = try await world.hub.push(batch(of: world.device), by: SyncPrincipal(user: "ada"))
        try await world.hub.database.run(
            "UPDATE items SET team = 'public'; INSERT INTO members VALUES('b', 'ada')")
        let summary = try await world.device.now()
        #expect(try await world.device.database.rows("items") == ["1|b|bob|public"])
        #expect(summary.conflicts.count == 1)
        #expect(summary.conflicts.allSatisfy { $0.row?.contains(.text("secret")) != true })
    }

    /// A conflict in the log has the columns of its time.
    @Test func aConflictFromBeforeAColumnWasAddedIsAnswered() async throws {
        await #expect(processExitsWith: .success) {
            let world = try await OneTableWorld(
                HostileScopeTests.items, condition: "owner = :user", writable: "team = 'x'")
            try await world.hub.database.run("INSERT INTO items VALUES('1', 'a', 'ada', 'y')")
            try await world.device.now()
            try await world.device.database.run("UPDATE items SET list = 'b'")
            let hub = world.hub
            let batch = try await HostileScopeAccessTests.batch(
                of: world.device.database, world.device.origin, ["items"])
            _ = try await hub.push(batch, by: SyncPrincipal(user: "ada"))
            try await hub.database.run("ALTER TABLE items ADD COLUMN archived INTEGER NOT NULL DEFAULT 0")
            let next = try await SyncHub(hub.database) {
                SyncTable("items", visible: "archived = 0 AND owner = :user")
            }
            let request = SyncPullRequest(origin: world.device.origin, version: 0, cursor: nil, byteLimit: 1_000)
            _ = try await next.pull(request, by: SyncPrincipal(user: "ada"))
        }
    }

    @Test(arguments: [
        (BindingValue.blob(Data([1, 2])), BindingValue.blob(Data([3, 4]))), (.integer(1), .text("1")),
        (.real(1), .integer(1)), (.text("x"), .blob(Data("x".utf8))), (.null, .text("null")),
        (.malformedText(Data([0xff, 1])), .malformedText(Data([0xff, 2]))),
    ]) func aDeviceWhosePrincipalHasAnotherValueBeginsAgain(_ old: BindingValue, _ new: BindingValue) async throws {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run("CREATE TABLE t(id TEXT PRIMARY KEY, team)")
        let hub = try await SyncHub(database) { SyncTable("t", visible: "team IS :team") }
        try await database.run("INSERT INTO t VALUES('old', \(old)), ('new', \(new))")
        func rows(_ team: BindingValue) async throws -> [String] {
            try await database.read { try $0.query("SELECT id FROM t WHERE team IS \(team)") }
        }
        var replica = ScopeReplica(origin: "d")
        for team in [old, new] {
            replica.principal = SyncPrincipal(user: "ada", values: ["team": team])
            for _ in 0..<2 { try await replica.receive(from: hub, limit: 1_000) {} }
            #expect(replica.plainRows.count == (try await rows(team)).count)
            #expect(try await rows(team).allSatisfy { id in replica.plainRows.contains { $0.contains(id) } })
        }
    }

    @Test func usersHaveAnyName() async throws {
        let users = ["", "o'x", ":user", "a\0b", "a", "\"q\"", "NULL", "a%", "é", "x/y"]
        let world = try await ScopeWorld(users: users)
        for user in users {
            try await world.hub.database.run(
                """
                INSERT INTO notes VALUES(\(user), \(user), 'x'); INSERT INTO lists VALUES(\(user), 'x');
                INSERT INTO members VALUES(\(user), \(user), 1); INSERT INTO items VALUES(\(user), '1', 'x', \(user))
                """)
        }
        for (device, watch) in zip(world.devices, world.watches) {
            try await device.engine.now()
            for table in ["lists", "items", "notes"] {
                let rows = try await device.engine.database.rows(table)
                #expect(rows.count == 1)
                #expect(try await rows == world.visible(table, to: device.user))
            }
            #expect(watch.leaks == [])
        }
    }

    /// SQLite compares bytes, for which the two names are different.
    @Test func anOriginIsBoundToTheBytesOfAName() async throws {
        let world = try await OneTableWorld(HostileScopeTests.items, condition: "owner = :user")
        let request = SyncPullRequest(origin: "d", version: 0, cursor: nil, byteLimit: 1_000)
        _ = try await world.hub.pull(request, by: SyncPrincipal(user: "\u{e9}"))
        await #expect(throws: SyncRefusal.origin) {
            try await world.hub.pull(request, by: SyncPrincipal(user: "e\u{301}"))
        }
    }

    /// SQLite throws for the row of the device. The others go on.
    @Test(arguments: ["json_extract(team, '$.user') = :user", "owner = :user AND json(team) NOT NULL"])
    func aConditionThatFailsForARowRefusesTheRow(_ condition: String) async throws {
        let world = try await OneTableWorld(HostileScopeTests.items, condition: condition)
        try await world.device.database.run(
            "INSERT INTO items VALUES('1', -9223372036854775807 - 1, 'ada', 'no JSON')")
        try await world.device.database.run("INSERT INTO items VALUES('2', '1', 'ada', '{\"user\": \"ada\"}')")
        await #expect(throws: Never.self) { try await world.device.now() }
        #expect(try await world.hub.database.rows("items").map { $0.prefix(1) } == ["2"])
    }

    @Test func aTableThatIsNamedTwiceIsRefusedOrHasTheFirstCondition() async throws {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run("CREATE TABLE t(id TEXT PRIMARY KEY, owner TEXT); INSERT INTO t VALUES('1', 'bob')")
        guard
            let hub = try? await SyncHub(
                database,
                tables: {
                    SyncTable("t", visible: "owner = :user"); SyncTable("T")
                })
        else { return }
        var replica = ScopeReplica(origin: "d")
        try await replica.receive(from: hub, limit: 1_000) {}
        try await database.run("INSERT INTO t VALUES('2', 'bob')")
        try await replica.receive(from: hub, limit: 1_000) {}
        #expect(replica.plainRows == [])
    }

    /// A server that changes its conditions while it runs: the first hub is there until the second is made.
    @Test func aSecondHubOfADatabaseReadsMoreTables() async throws {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run(HostileScopeTests.items + ";" + HostileScopeTests.members)
        let first = try await SyncHub(database) { SyncTable("items", visible: "owner = :user") }
        let second = try await SyncHub(database) { SyncTable("items", visible: Self.ofMembers) }
        await #expect(throws: Never.self) {
            try await database.run("INSERT INTO members VALUES('a', 'a'); INSERT INTO items VALUES('1', 'a', 'a', 'x')")
        }
        let entries: Int = try await database.read {
            try $0.query("SELECT count(*) FROM squall_sync_log WHERE length(changes) > 0")
        }
        #expect(entries == 1)
        var replica = ScopeReplica(origin: "d")
        replica.table = "items"
        try await replica.receive(from: second, limit: 1_000) {}
        #expect(replica.plainRows.count == 1)
        // The first one does not know all tables of the log.
        let error = await #expect(throws: SQLiteError.self) { try await replica.receive(from: first, limit: 1_000) {} }
        #expect(error?.problem(SyncProblem.self) == .unnamedTable)
    }

    /// A modified client names a position from before the user had an account, or another value.
    @Test(arguments: [nil, "team = :team"]) func aDeviceDoesNotReadTheTimeBeforeItBegan(_ condition: String?)
        async throws
    {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run("CREATE TABLE t(id TEXT PRIMARY KEY, team TEXT)")
        let hub = try await SyncHub(database) { SyncTable("t", visible: condition) }
        try await database.run("INSERT INTO t VALUES('secret', 'red')")
        try await database.run("DELETE FROM t")
        var replica = ScopeReplica(origin: "d")
        replica.principal = SyncPrincipal(user: "ada", values: ["team": .text("red")])
        try await replica.receive(from: hub, limit: 1_000) {}
        let log = try #require(replica.cursor?.log)
        replica.cursor = SyncCursor(log: log, sequence: 0)
        try await replica.receive(from: hub, limit: 1) {}
        #expect(replica.plainRows == [])
        for sequence: Int64 in 0...1 {
            await #expect(throws: SyncRefusal.self) {
                try await replica.receiveRows(from: hub, at: SyncCursor(log: log, sequence: sequence))
            }
        }
    }

    /// The condition of the first hub reads a table that is dropped before the second is made.
    @Test func aTableThatIsNotReadAnyMoreIsDropped() async throws {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run(HostileScopeTests.items + ";" + HostileScopeTests.members)
        var hub: SyncHub? = try await SyncHub(database) { SyncTable("items", visible: Self.ofMembers) }
        #expect(hub != nil)
        hub = nil
        try await database.run("DROP TABLE members")
        await #expect(throws: Never.self) {
            try await SyncHub(database) { SyncTable("items", visible: "owner = :user") }
        }
    }

    /// The actions of foreign keys are not judged, as those of a trigger of the hub are not.
    @Test func aDeletionDeletesRowsOfOthersWithIt() async throws {
        let schema: SQL = """
            CREATE TABLE lists(id TEXT PRIMARY KEY, owner TEXT);
            CREATE TABLE items(id TEXT PRIMARY KEY, list TEXT REFERENCES lists ON DELETE CASCADE, owner TEXT)
            """
        var configuration = Configuration.recommended
        configuration.foreignKeys = true
        let database = try Database(":memory:", configuration: configuration)
        try await database.run(schema)
        let hub = try await SyncHub(database) {
            SyncTable("lists", visible: "owner = :user")
            SyncTable("items", visible: "owner = :user")
        }
        try await database.run("INSERT INTO lists VALUES('a', 'ada'); INSERT INTO items VALUES('1', 'a', 'bob')")
        let own = try Database(":memory:", configuration: configuration)
        try await own.run(schema)
        let device = try await SyncEngine(own, transport: hub.transport(for: SyncPrincipal(user: "ada"))) {
            SyncTable("lists")
            SyncTable("items")
        }
        try await device.now()
        try await own.run("DELETE FROM lists")
        try await device.now()
        #expect(try await database.rows("items") == [])
    }

    /// A modified client: it has made tables with the names of those of the hub.
    @Test(arguments: [
        ("squall_sync_devices", "CREATE TABLE squall_sync_devices(origin TEXT PRIMARY KEY, principal TEXT)" as SQL),
        ("members", "CREATE TABLE members(list TEXT, user TEXT, PRIMARY KEY(list, user))"),
        ("items", "CREATE TABLE items(id TEXT PRIMARY KEY, list TEXT, owner TEXT, team TEXT, more TEXT)"),
        ("items", "CREATE TABLE items(id TEXT PRIMARY KEY, list TEXT)"),
        ("items", "CREATE TABLE items(id TEXT, list TEXT, owner TEXT, team TEXT, PRIMARY KEY(id, list))"),
        ("items", "CREATE TABLE items(id TEXT, list TEXT PRIMARY KEY)"),
    ]) func aModifiedClientChangesNothing(_ table: String, _ schema: SQL) async throws {
        let world = try await OneTableWorld(
            HostileScopeTests.items + ";" + HostileScopeTests.members, condition: Self.ofMembers)
        try await world.hub.database.run(
            "INSERT INTO items VALUES('1', 'b', 'bob', 'x'); INSERT INTO members VALUES('b', 'bob')")
        func state() async throws -> [[String]] {
            try await [world.hub.database.rows("items"), world.hub.database.rows("members")]
        }
        let before = try await state()
        let own = try Database(":memory:", configuration: .recommended)
        try await own.run(schema)
        let engine = try await SyncEngine(own, transport: world.hub.transport(for: SyncPrincipal(user: "eve"))) {
            SyncTable(table)
        }
        try await own.run("INSERT INTO \(name: table) VALUES(\(raw: Self.values(schema)))")
        try await own.run("DELETE FROM \(name: table)")
        try await own.run("INSERT INTO \(name: table) VALUES(\(raw: Self.values(schema)))")
        do {
            _ = try await world.hub.push(batch(of: engine, [table]), by: SyncPrincipal(user: "eve"))
        } catch is SyncRefusal {}
        #expect(try await state() == before)
        let owners = try await world.hub.database.rows("squall_sync_devices")
        #expect(owners.allSatisfy { $0.hasSuffix("|eve") || $0.hasSuffix("|ada") })
    }

    private static func values(_ schema: SQL) -> String {
        let count = schema.text.components(separatedBy: " TEXT").count - 1
        return ["'1'", "'b'", "'eve'", "'y'", "'z'"].prefix(count).joined(separator: ", ")
    }

    /// Rows of one transaction are counted one after the other.
    @Test func aConditionThatCountsRowsHoldsInATransaction() async throws {
        let world = try await OneTableWorld(
            HostileScopeTests.items, condition: "owner = :user",
            writable: "(SELECT count(*) FROM items AS i WHERE i.owner = :user) < 2")
        try await world.device.database.run(
            "INSERT INTO items VALUES('1', 'a', 'ada', 'x'), ('2', 'a', 'ada', 'x'), ('3', 'a', 'ada', 'x')")
        let summary = try await world.device.now()
        #expect(summary.conflicts.count == 1)
        try await world.check()
        #expect(try await world.hub.database.rows("items").count == 2)
    }
}

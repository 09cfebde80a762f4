import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// Random histories in small pages, in which devices change the memberships by which rows are seen, and cascades delete rows at the hub.
///
/// In the end, each device has the rows that its user sees, and each change of a device is at the hub or in a conflict.
@Suite(.timeLimit(.minutes(60))) struct HostileScopeHistoryTests {
    private static let users = ["ada", "ada", "bob", "eve"]

    private static let schema: SQL = """
        CREATE TABLE lists(id TEXT PRIMARY KEY, owner TEXT, name TEXT);
        CREATE TABLE members(
            list TEXT REFERENCES lists ON DELETE CASCADE, user TEXT, role INTEGER, PRIMARY KEY(list, user)) WITHOUT ROWID;
        CREATE TABLE items(id TEXT PRIMARY KEY, list TEXT, parent TEXT, text TEXT)
        """

    private static let tables = ["lists", "members", "items"]

    /// Conditions for `items`, of both kinds.
    private static let items = [
        "list IN (SELECT list FROM members WHERE user = :user)",
        "EXISTS (SELECT 1 FROM members AS m JOIN lists AS l ON l.id = m.list WHERE m.list = items.list AND m.user = :user)",
        """
        EXISTS (WITH RECURSIVE up(id) AS (SELECT items.id UNION SELECT i.parent FROM items AS i JOIN up ON i.id = up.id)
        SELECT 1 FROM up JOIN items AS j ON j.id = up.id WHERE j.list IN (SELECT list FROM members WHERE user = :user))
        """,
        "(SELECT max(role) FROM members AS m WHERE (m.list, m.user) = (items.list, :user)) > 0",
    ]

    private static let seen: [String: String] = [
        "lists": "id IN (SELECT list FROM members WHERE user = :user)",
        "members":
            "list IN (SELECT id FROM lists WHERE owner = :user UNION SELECT list FROM members AS m WHERE m.user = :user)",
    ]

    private static func tables(_ items: String, _ policy: SyncLog.Policy) -> [SyncTable] {
        [
            SyncTable("lists", conflicts: policy, visible: seen["lists"], writable: "owner = :user"),
            SyncTable(
                "members", visible: seen["members"], writable: "list IN (SELECT id FROM lists WHERE owner = :user)"),
            SyncTable(
                "items", conflicts: policy, visible: items,
                writable: "list IN (SELECT list FROM members WHERE user = :user AND role > 1)"),
        ]
    }

    private static func database() async throws -> Database {
        var configuration = Configuration.recommended
        configuration.foreignKeys = true
        let database = try Database(":memory:", configuration: configuration)
        try await database.run(schema)
        return database
    }

    @Test(arguments: RandomHistoryTests.seeds) func devicesHaveWhatTheirUsersSee(_ seed: UInt64) async throws {
        var random = Numbers(seed)
        let items = Self.items[random.below(Self.items.count)]
        let policy: SyncLog.Policy = [.hubWins, .replicaWins, .resolve { _ in .replica }][random.below(3)]
        let database = try await Self.database()
        let hub = try await SyncHub(database, tables: { for table in Self.tables(items, policy) { table } })
        var devices: [(user: String, engine: SyncEngine, wire: Wire, watch: Watch)] = []
        for user in Self.users {
            let (wire, watch) = (Wire(), Watch())
            let direct = WireTransport(wire: wire, hub: hub.transport(for: SyncPrincipal(user: user)))
            let transport = WatchedTransport(
                hub: SmallPages(hub: direct, limit: [1, 200, 1_000_000][random.below(3)]), watch: watch)
            let engine = try await SyncEngine(Self.database(), transport: transport) {
                SyncTable("lists", conflicts: policy)
                SyncTable("members")
                SyncTable("items", conflicts: policy)
            }
            devices.append((user, engine, wire, watch))
        }
        var made: [Int: Set<String>] = [:]
        var reported: [Int: Set<String>] = [:]
        func synchronise(_ index: Int) async throws {
            do {
                for conflict in try await devices[index].engine.now().conflicts {
                    if case .text(let text)? = conflict.change["text"] { reported[index, default: []].insert(text) }
                }
            } catch is Wire.Cut {} catch SyncRefusal.batch("the log was compacted") {}
        }
        for step in 0..<120 {
            let mark = "\(seed)-\(step)"
            let index = random.below(devices.count)
            switch random.below(10) {
            case 0: devices[index].wire.isOffline.toggle()
            case 1...3:
                for _ in 0..<random.below(3) {
                    devices[index].wire.fail([.lost, .answerLost, .repeated][random.below(3)])
                }
                try await synchronise(index)
            case 4, 5:
                let sql = Self.hubStatement(&random, mark)
                try? await database.run(sql)
                if random.below(15) == 0 { try await Self.compact(database) }
            default:
                let statements = (0...random.below(2)).map { number in
                    Self.deviceStatement(&random, "\(mark)-\(number)", devices[index].user)
                }
                let count = try? await devices[index].engine.database.write { connection in
                    for (sql, _) in statements { try connection.run(sql) }
                    return connection.changes
                }
                if count != nil { made[index, default: []].formUnion(statements.compactMap(\.1)) }
            }
        }
        for device in devices { device.wire.repair() }
        for _ in 0..<3 { for index in devices.indices { try await synchronise(index) } }
        let texts: Set<String> = try await database.read { try Set($0.query("SELECT text FROM items") as [String]) }
        for (index, device) in devices.enumerated() {
            #expect(try await device.engine.now().sent == 0)
            for table in Self.tables {
                let condition = (Self.seen[table] ?? items).replacing(":user", with: "'\(device.user)'")
                let expected: [String] = try await database.read { connection in
                    try connection.query("SELECT * FROM \(name: table) WHERE (\(raw: condition))", as: Row.self)
                        .map { row in row.columns.map(\.plain).joined(separator: "|") }.sorted()
                }
                #expect(
                    try await device.engine.database.rows(table) == expected, "\(seed) \(device.user) \(table) \(items)"
                )
            }
            #expect(device.watch.leaks == [], "\(seed) \(items)")
            let lost = made[index, default: []].subtracting(texts).subtracting(reported[index, default: []])
            #expect(lost == [], "\(seed) \(items)")
        }
    }

    private static func compact(_ database: Database) async throws {
        try await database.write { connection in
            let log = try SyncLog(
                connection, origin: "hub", role: .hub,
                tables: [String: SyncLog.Policy](uniqueKeysWithValues: tables.map { ($0, .hubWins) }))
            let end = try log.end(on: connection)
            try? log.compact(through: SyncCursor(log: end.log, sequence: end.sequence / 2), on: connection)
        }
    }

    private static func hubStatement(_ random: inout Numbers, _ mark: String) -> SQL {
        let (list, user) = ("l\(random.below(4))", users[random.below(4)])
        return switch random.below(9) {
        case 0:
            """
            INSERT OR IGNORE INTO lists VALUES(\(list), \(user), \(mark));
            INSERT OR IGNORE INTO members VALUES(\(list), \(user), 2)
            """
        case 1: "UPDATE lists SET owner = \(user) WHERE id = \(list)"
        case 2: "DELETE FROM lists WHERE id = \(list)"
        case 3: "INSERT OR REPLACE INTO members VALUES(\(list), \(user), \(random.below(3)))"
        case 4: "DELETE FROM members WHERE (list, user) = (\(list), \(user))"
        case 5: "UPDATE OR IGNORE members SET list = \(list) WHERE user = \(user)"
        case 6: "UPDATE items SET list = \(list) WHERE id = (SELECT min(id) FROM items WHERE parent IS NOT NULL)"
        default: "INSERT INTO items VALUES(\(mark), \(list), (SELECT max(id) FROM items), NULL)"
        }
    }

    /// - Returns: The statement, and the text of a row that it adds and that no one deletes.
    private static func deviceStatement(_ random: inout Numbers, _ mark: String, _ user: String) -> (SQL, String?) {
        let (list, other) = ("l\(random.below(4))", users[random.below(4)])
        return switch random.below(9) {
        case 0: ("INSERT OR IGNORE INTO lists VALUES(\(list), \(user), \(mark))", nil)
        case 1: ("INSERT OR REPLACE INTO members VALUES(\(list), \(other), \(random.below(3)))", nil)
        case 2: ("UPDATE members SET role = 2 WHERE user = \(user)", nil)
        case 3: ("DELETE FROM members WHERE list = \(list) AND user = \(other)", nil)
        case 4: ("UPDATE lists SET name = \(mark), owner = \(other) WHERE id = \(list)", nil)
        case 5: ("UPDATE items SET list = \(list) WHERE text IS NULL AND id LIKE '%3'", nil)
        case 6: ("DELETE FROM items WHERE text IS NULL AND id LIKE '%7'", nil)
        case 7: ("DELETE FROM lists WHERE id = \(list) AND owner = \(user)", nil)
        default: ("INSERT INTO items VALUES(\(mark), \(list), (SELECT max(id) FROM items), \(mark))", mark)
        }
    }
}

/// A transport that asks for small pages.
struct SmallPages<Hub: SyncTransport>: ForwardingTransport {
    let hub: Hub
    let limit: Int

    func pull(_ request: SyncPullRequest) async throws -> SyncPage {
        try await hub.pull(
            SyncPullRequest(origin: request.origin, version: request.version, cursor: request.cursor, byteLimit: limit))
    }

    func rows(_ request: SyncRowsRequest) async throws -> SyncRows {
        try await hub.rows(
            SyncRowsRequest(
                origin: request.origin, version: request.version, cursor: request.cursor, table: request.table,
                key: request.key, byteLimit: limit))
    }
}

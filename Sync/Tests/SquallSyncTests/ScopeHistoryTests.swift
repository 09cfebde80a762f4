import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// Random writes of a hub and of devices whose users see different rows, while members come and go.
///
/// In the end, each device has the rows that its user sees. It was never told of a row that its user did not see. Each change that it has made is at the
/// hub, or was reported as a conflict.
@Suite(.timeLimit(.minutes(5))) struct ScopeHistoryTests {
    private static let users = ["ada", "ada", "bob", "bob", "eve"]

    /// Conditions of the items with the same meaning, by which a hub finds rows in different ways.
    private static let items = [
        ScopeWorld.items,
        "list IN (SELECT list FROM members WHERE user = :user) AND NOT EXISTS (SELECT 1 FROM blocked WHERE user = :user)",
        """
        (SELECT count(*) FROM members WHERE (list, user) = (items.list, :user)) > (SELECT count(*) FROM blocked WHERE user = :user)
        """,
    ]

    @Test(arguments: RandomHistoryTests.seeds) func devicesHaveWhatTheirUsersSee(_ seed: UInt64) async throws {
        var random = Numbers(seed)
        let world = try await ScopeWorld(users: Self.users, items: Self.items[random.below(3)])
        var made: [Int: Set<String>] = [:]
        var reported: [Int: Set<String>] = [:]
        func synchronise(_ index: Int) async throws {
            do {
                let summary = try await world.devices[index].engine.now()
                for conflict in summary.conflicts {
                    if case .text(let text)? = conflict.change["text"] { reported[index, default: []].insert(text) }
                }
            } catch is Wire.Cut {}
        }
        for step in 0..<150 {
            let mark = "\(seed)-\(step)"
            let index = random.below(world.devices.count)
            switch random.below(10) {
            case 0: world.wires[index].isOffline.toggle()
            case 1...3:
                for _ in 0..<random.below(2) {
                    world.wires[index].fail([.lost, .answerLost, .repeated][random.below(3)])
                }
                try await synchronise(index)
            case 4...6:
                let sql = hubStatement(&random, mark)
                try await world.hub.database.write { try $0.execute(sql) }
                if random.below(12) == 0 { try await compact(world.hub.database) }
            default:
                let user = world.devices[index].user
                let (sql, adds) = deviceStatement(&random, mark, user)
                let database = world.devices[index].engine.database
                let changes = try await database.write { connection in
                    try connection.run(sql)
                    return connection.changes
                }
                if adds, changes > 0 { made[index, default: []].insert(mark) }
            }
        }
        for wire in world.wires { wire.repair() }
        for _ in 0..<2 { for index in world.devices.indices { try await synchronise(index) } }
        let hubTexts: Set<String> = try await world.hub.database.read { connection in
            Set(try connection.query("SELECT text FROM items UNION SELECT text FROM notes") as [String])
        }
        for (index, device) in world.devices.enumerated() {
            #expect(try await device.engine.now().sent == 0)
            #expect(try await device.engine.audit() == nil)
            for table in ["lists", "items", "notes"] {
                let rows = try await device.engine.database.rows(table)
                #expect(try await rows == world.visible(table, to: device.user), "\(device.user) \(table)")
            }
            #expect(world.watches[index].leaks == [])
            #expect(made[index, default: []].subtracting(hubTexts).subtracting(reported[index, default: []]) == [])
        }
    }

    private func compact(_ database: Database) async throws {
        try await database.write { connection in
            let tables = ["lists", "items", "notes", "members", "blocked"]
            let log = try SyncLog(
                connection, origin: "hub", role: .hub,
                tables: [String: SyncLog.Policy](uniqueKeysWithValues: tables.map { ($0, .hubWins) }))
            let end = try log.end(on: connection)
            try log.compact(through: SyncCursor(log: end.log, sequence: end.sequence / 2), on: connection)
        }
    }

    private func hubStatement(_ random: inout Numbers, _ mark: String) -> SQL {
        let (list, user) = ("l\(random.below(4))", Self.users[random.below(5)])
        return switch random.below(11) {
        case 0: "DELETE FROM members WHERE (list, user) = (\(list), \(user))"
        case 1, 2: "INSERT OR IGNORE INTO members VALUES(\(list), \(user), 1)"
        case 3: "UPDATE OR IGNORE members SET list = \(list) WHERE user = \(user)"
        case 4: "INSERT OR REPLACE INTO lists VALUES(\(list), \(mark))"
        case 5: "DELETE FROM lists WHERE id = \(list)"
        case 6: "INSERT OR IGNORE INTO blocked VALUES(\(user), \(mark))"
        case 7: "DELETE FROM blocked WHERE user = \(user)"
        case 8: "INSERT INTO items VALUES(\(list), \(mark), \(mark), \(user)); DELETE FROM items WHERE owner IS NULL"
        case 9: "UPDATE notes SET owner = \(user) WHERE id = (SELECT min(id) FROM notes WHERE id > \(mark))"
        default:
            """
            INSERT INTO items VALUES(\(list), 'o' || \(mark), \(mark), NULL); INSERT INTO notes VALUES(\(mark), \(user), \(mark));
            INSERT OR IGNORE INTO members VALUES(\(list), \(user), 1)
            """
        }
    }

    /// - Returns: The statement, and whether it adds rows that no one changes.
    private func deviceStatement(_ random: inout Numbers, _ mark: String, _ user: String) -> (SQL, Bool) {
        let list = "l\(random.below(4))"
        return switch random.below(7) {
        case 0: ("INSERT INTO notes VALUES(\(mark), \(user), \(mark))", true)
        case 1: ("INSERT INTO notes VALUES(\(mark), 'bob', \(mark))", true)
        case 2, 3: ("INSERT INTO items VALUES(\(list), \(mark), \(mark), \(user))", true)
        case 4: ("UPDATE items SET owner = owner || '' WHERE list = \(list)", false)
        case 5: ("DELETE FROM items WHERE number LIKE 'o%'", false)
        default: ("INSERT OR REPLACE INTO lists VALUES(\(list), \(mark))", false)
        }
    }
}

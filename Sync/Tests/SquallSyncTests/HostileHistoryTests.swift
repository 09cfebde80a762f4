import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// Random writes with keys that change, exchanged unique values, cascades, triggers, search tables, undo, closures as rules, and devices
/// and hubs that are opened again.
@Suite(.timeLimit(.minutes(5))) struct HostileHistoryTests {
    private static let schema: SQL = """
        CREATE TABLE lists(
            id TEXT PRIMARY KEY, name TEXT UNIQUE, note TEXT, parent TEXT REFERENCES lists ON DELETE SET NULL ON UPDATE CASCADE);
        CREATE TABLE items(
            list TEXT REFERENCES lists ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,
            place INTEGER, n INTEGER CHECK (n < 1000), PRIMARY KEY(list, place)) WITHOUT ROWID;
        CREATE TABLE marks(id TEXT PRIMARY KEY, device INTEGER);
        CREATE VIRTUAL TABLE found USING fts5(note, content=lists);
        CREATE TRIGGER found_insert AFTER INSERT ON lists BEGIN
            INSERT INTO found(rowid, note) VALUES(new.rowid, new.note);
        END;
        CREATE TRIGGER found_delete AFTER DELETE ON lists BEGIN
            INSERT INTO found(found, rowid, note) VALUES('delete', old.rowid, old.note);
        END;
        CREATE TRIGGER found_update AFTER UPDATE ON lists BEGIN
            INSERT INTO found(found, rowid, note) VALUES('delete', old.rowid, old.note);
            INSERT INTO found(rowid, note) VALUES(new.rowid, new.note);
        END;
        """

    private static let counting: SQL = """
        CREATE TRIGGER counting AFTER INSERT ON items BEGIN
            UPDATE lists SET note = coalesce(note, '') || 'i' WHERE id = new.list AND length(note) < 20;
        END
        """

    private static func policy(_ seed: UInt64, isHub: Bool) -> SyncLog.Policy {
        switch seed % 3 {
        case 0: .replicaWins
        case 1: .hubWins
        default:
            .resolve { conflict in
                let text = "\(conflict.change)"
                return (text.utf8.reduce(0) { $0 &+ Int($1) } + (isHub ? 0 : 1)) % 2 == 0 ? .hub : .replica
            }
        }
    }

    private static func open(_ path: String, hasTriggers: Bool) async throws -> Database {
        var configuration = Configuration.recommended
        configuration.foreignKeys = true
        let isNew = !FileManager.default.fileExists(atPath: path)
        let database = try Database(path, configuration: configuration)
        if isNew {
            try await database.write { connection in
                try connection.execute(schema)
                if hasTriggers { try connection.execute(counting) }
            }
        }
        return database
    }

    private struct Node {
        var database: Database
        var engine: SyncEngine
        var history: UndoHistory?
        let path: String
    }

    private static let seeds: Range<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["SQUALL_SEED"].flatMap { UInt64($0) } ?? 1
        let count = environment["SQUALL_ROUNDS"].flatMap { UInt64($0) } ?? 6
        return first..<first + count
    }()

    @Test(arguments: seeds) func allAreEqualInTheEnd(_ seed: UInt64) async throws {
        var random = Numbers(seed &* 77)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let hubPath = folder.appending(path: "hub.db").path
        let exchange = Exchange()
        func openHub() async throws {
            let database = try await Self.open(hubPath, hasTriggers: seed % 4 == 0)
            exchange.hub = try await SyncHub(database) {
                SyncTable("lists", conflicts: Self.policy(seed, isHub: true))
                SyncTable("items", conflicts: Self.policy(seed / 3, isHub: true))
                SyncTable("marks")
            }
        }
        try await openHub()
        func openDevice(_ path: String, _ index: Int) async throws -> Node {
            let database = try await Self.open(path, hasTriggers: (Int(seed) + index) % 2 == 0)
            let history = index == 0 ? try await UndoHistory(database, tables: ["lists", "items"]) : nil
            let engine = try await SyncEngine(
                database,
                transport: WireTransport(wire: exchange.wires[index], hub: ExchangeTransport(exchange: exchange))
            ) {
                SyncTable("lists", conflicts: Self.policy(seed, isHub: false))
                SyncTable("items", conflicts: Self.policy(seed / 3, isHub: false))
                SyncTable("marks")
            }
            return Node(database: database, engine: engine, history: history, path: path)
        }
        var nodes: [Node] = []
        for index in 0..<3 { nodes.append(try await openDevice(folder.appending(path: "\(index).db").path, index)) }
        var marks: Set<String> = []
        for step in 0..<130 {
            let index = random.below(4)
            let id = "\(step)"
            let database = index == 3 ? try #require(exchange.hub).database : nodes[index].database
            switch random.below(14) {
            case 0...3 where index < 3:
                let wire = exchange.wires[index]
                for _ in 0..<random.below(3) { wire.fail([.lost, .answerLost, .repeated][random.below(3)]) }
                do { _ = try await nodes[index].engine.now() } catch is Wire.Cut {}
            case 4 where step % 3 == 0:
                // Statements outside transactions get their entry.
                try await database.write { _ in }
                if index == 3 {
                    try await database.close()
                    try await openHub()
                } else {
                    try await database.close()
                    nodes[index] = try await openDevice(nodes[index].path, index)
                }
            case 5...6:
                if let history = index == 3 ? nil : nodes[index].history {
                    do {
                        if random.below(3) == 0 { _ = try await history.redo() } else { _ = try await history.undo() }
                    } catch is SQLiteError {} catch is UndoConflictError {}
                }
            case 7:
                let sql = statement(&random, id)
                do {
                    try await database.writeWithoutTransaction { connection in
                        for sql in sql { try connection.run(sql) }
                    }
                } catch is SQLiteError {}
            default:
                let statements = (0...random.below(4)).map { _ in statement(&random, id) }
                let (fails, fate) = (random.below(8) == 0, random.below(3))
                do {
                    try await database.write { connection in
                        try connection.run("INSERT INTO marks VALUES(\(id), \(index))")
                        for group in statements {
                            try? connection.savepoint {
                                for sql in group { try connection.run(sql) }
                                if fate == 0, group.count > 1 { throw Failed() }
                            }
                        }
                        if fails { throw Failed() }
                    }
                    marks.insert(id)
                } catch is Failed {} catch let error as SQLiteError where error.resultCode == .constraint {}
            }
        }
        for wire in exchange.wires { wire.repair() }
        for _ in 0..<2 { for node in nodes { try await node.engine.now() } }
        for node in nodes { #expect(try await node.engine.now().sent == 0) }
        let hub = try #require(exchange.hub).database
        for table in ["lists", "items", "marks"] {
            let rows = try await hub.rows(table)
            for (index, node) in nodes.enumerated() {
                let own = try await node.database.rows(table)
                #expect(own == rows, "seed \(seed), device \(index), \(table)")
            }
        }
        let kept: Set<String> = try await Set(hub.read { try $0.query("SELECT id FROM marks") as [String] })
        #expect(kept == marks)
        for database in nodes.map(\.database) + [hub] {
            #expect(try await database.read { try $0.query("PRAGMA foreign_key_check") as [String] } == [])
            try await database.run("INSERT INTO found(found, rank) VALUES('integrity-check', 1)")
        }
    }

    private struct Failed: Error {}

    private func statement(_ random: inout Numbers, _ id: String) -> [SQL] {
        let (list, other, n) = ("l\(random.below(6))", "l\(random.below(6))", random.below(1_100))
        return switch random.below(12) {
        case 0, 1: ["INSERT INTO lists VALUES(\(list), \(other), \(id), NULL)"]
        case 2:
            ["UPDATE lists SET note = \(id), parent = (SELECT id FROM lists WHERE id = \(other)) WHERE id = \(list)"]
        case 3: ["UPDATE OR IGNORE lists SET id = \(other) WHERE id = \(list)"]
        case 4: ["DELETE FROM lists WHERE id = \(list)"]
        case 5:
            [
                "CREATE TEMP TABLE IF NOT EXISTS names(a, b)", "DELETE FROM temp.names",
                "INSERT INTO temp.names SELECT one.name, two.name FROM lists one, lists two WHERE one.id = \(list) AND two.id = \(other)",
                "UPDATE lists SET name = NULL WHERE id IN (\(list), \(other))",
                "UPDATE lists SET name = (SELECT b FROM temp.names) WHERE id = \(list)",
                "UPDATE OR IGNORE lists SET name = (SELECT a FROM temp.names) WHERE id = \(other)",
            ]
        case 6, 7: ["INSERT INTO items VALUES(\(list), \(n % 4), \(n))"]
        case 8: ["UPDATE OR IGNORE items SET place = (place + 1) % 4, n = n + \(n % 7) WHERE list = \(list)"]
        case 9: ["UPDATE OR REPLACE items SET list = \(other) WHERE list = \(list)"]
        case 10: ["DELETE FROM items WHERE n % 3 = \(n % 3)"]
        default:
            [
                "INSERT INTO items VALUES(\(list), \(n % 4), 1) ON CONFLICT DO UPDATE SET n = 5",
                "INSERT INTO lists VALUES(\(list), \(id), NULL, NULL) ON CONFLICT(id) DO UPDATE SET note = excluded.name",
            ]
        }
    }
}

/// The hub of a history, which is opened again.
final class Exchange: @unchecked Sendable {
    var hub: SyncHub?
    let wires = (0..<3).map { _ in Wire() }
}

struct ExchangeTransport: SyncTransport {
    struct Closed: Error {}

    let exchange: Exchange

    private func hub() throws -> some SyncTransport {
        guard let hub = exchange.hub else { throw Closed() }
        return hub.transport(for: SyncPrincipal(user: "ada"))
    }

    func push(_ batch: SyncBatch) async throws -> SyncCursor { try await hub().push(batch) }

    func pull(_ request: SyncPullRequest) async throws -> SyncPage { try await hub().pull(request) }

    func rows(_ request: SyncRowsRequest) async throws -> SyncRows { try await hub().rows(request) }

    func audit(_ request: SyncAuditRequest) async throws -> Int? { try await hub().audit(request) }

    func events() -> AsyncThrowingStream<SyncCursor, any Error> { AsyncThrowingStream { $0.finish() } }
}

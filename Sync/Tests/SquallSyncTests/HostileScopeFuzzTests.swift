import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// Random conditions over small tables, whose rows change at random.
///
/// No column has a collation: which one of equal values a UNION keeps depends on the order of the rows. After each page, a device has the rows for which the condition is true in the database as it was at the position of the page. It is only told to
/// change rows that it has.
@Suite(.timeLimit(.minutes(60))) struct HostileScopeFuzzTests {
    @Test(arguments: RandomHistoryTests.seeds) func eachPageEndsWithTheVisibleRows(_ seed: UInt64) async throws {
        for trial in 0..<2 { try await run(seed &* 1000 &+ UInt64(trial), .positive) }
    }

    @Test(arguments: RandomHistoryTests.seeds) func eachPageEndsWithTheVisibleRowsOfAnyCondition(
        _ seed: UInt64
    ) async throws {
        for trial in 0..<2 { try await run(seed &* 1000 &+ UInt64(trial), .any) }
    }

    /// Conditions that use the truth of a subquery as a value: in a list, in the columns of another subquery, and in parentheses before `IN`.
    @Test(arguments: RandomHistoryTests.seeds) func eachPageEndsWithTheVisibleRowsWhereTruthIsAValue(
        _ seed: UInt64
    ) async throws {
        for trial in 0..<2 { try await run(seed &* 1000 &+ UInt64(trial), .truthAsValue) }
    }

    private func run(_ seed: UInt64, _ forms: RandomCondition.Forms) async throws {
        var random = Numbers(seed)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = random.below(4) == 0 ? folder.appendingPathComponent("hub.db").path : ":memory:"
        let database = try Database(path, configuration: .recommended)
        let ending: SQL = [" WITHOUT ROWID", ""][random.below(2)]
        try await database.run(
            """
            CREATE TABLE t(id TEXT PRIMARY KEY, a, b INTEGER, c TEXT)\(ending);
            CREATE TABLE m(id INTEGER PRIMARY KEY, a, b TEXT);
            CREATE TABLE n(x TEXT, y TEXT, z TEXT, PRIMARY KEY(y, x));
            CREATE TABLE "o p"("select" BLOB PRIMARY KEY, "a b" NUMERIC)\(ending)
            """)
        var conditions: [String] = []
        var hub: SyncHub?
        for _ in 0..<40 where conditions.count < 2 {
            let condition = RandomCondition(random: random, forms: forms).text(&random)
            hub = nil
            hub = try? await SyncHub(database) { SyncTable("t", visible: condition) }
            if hub != nil { conditions.append(condition) }
        }
        guard conditions.count == 2 else { return }
        var current = 1
        var columns = "id, a, b, c"
        /// The visible rows of both conditions at positions of the log.
        var snapshots: [Int64: [Set<String>]] = [:]
        func note() async throws {
            let (sequence, rows) = try await database.read { [conditions] connection in
                let sequence: Int64 = try connection.query("SELECT ifnull(max(sequence), 0) FROM squall_sync_log")
                let rows = try conditions.map { condition in
                    try connection.query(
                        "SELECT * FROM t WHERE (\(raw: condition.replacing(":user", with: "'a'")))", as: Row.self
                    ).map { ScopeReplica.plain($0.columns.map(\.bindingValue)) }
                }
                return (sequence, rows.map { Set($0) })
            }
            snapshots[sequence] = rows
        }
        func write() async throws {
            let statements = (0...random.below(3)).map { _ in Self.statement(&random) }
            try? await database.write { connection in
                for sql in statements { try connection.run(sql) }
            }
            try await note()
            if random.below(20) == 0 { try await Self.compact(database, random.below(100)) }
        }
        try await note()
        for _ in 0..<6 { try await write() }
        var replicas = (0..<3).map { ScopeReplica(origin: "d\($0)") }
        for step in 0..<40 {
            try await write()
            if random.below(25) == 0 {
                current = 1 - current
                hub = nil
                let condition = conditions[current]
                hub = try await SyncHub(database) { SyncTable("t", visible: condition) }
                try await note()
            }
            if random.below(60) == 0, columns == "id, a, b, c" {
                columns = ""
                try await database.run(
                    "ALTER TABLE t ADD COLUMN later INTEGER DEFAULT 7; ALTER TABLE m ADD COLUMN later")
                snapshots = snapshots.mapValues { $0.map { Set($0.map { $0 + "|integer(7)" }) } }
                for index in replicas.indices { replicas[index].addColumn("|integer(7)") }
                try await note()
            }
            guard let hub else { return }
            let text = conditions[current]
            let index = random.below(replicas.count)
            let limit = [1, 1, 150, 1_000_000][random.below(4)]
            do {
                try await replicas[index].receive(from: hub, limit: limit) {
                    if random.below(3) == 0 { try await write() }
                }
            } catch is SyncRefusal {
                // The log was compacted between the pages.
                replicas[index] = ScopeReplica(origin: "d\(index)")
                continue
            } catch let error as SQLiteError {
                Issue.record("seed \(seed) step \(step): \(error) — \(text)")
                return
            }
            let sequence = replicas[index].cursor?.sequence ?? 0
            let expected = snapshots[sequence]?[current] ?? []
            let found = replicas[index].plainRows
            if found != expected || replicas[index].problem != nil {
                Issue.record(
                    """
                    seed \(seed) step \(step) limit \(limit): \(text)
                    missing \(expected.subtracting(found).sorted()) surplus \(found.subtracting(expected).sorted()) \
                    \(replicas[index].problem ?? "")
                    """)
                return
            }
        }
    }

    /// Compacts the log of a hub up to a part of its entries.
    private static func compact(_ database: Database, _ percent: Int) async throws {
        try await database.write { connection in
            let names: [String] = try connection.query("SELECT DISTINCT tbl FROM squall_sync_columns")
            let log = try SyncLog(
                connection, origin: "hub", role: .hub,
                tables: [String: SyncLog.Policy](uniqueKeysWithValues: names.map { ($0, .hubWins) }))
            let end = try log.end(on: connection)
            // Throws for a position that is removed.
            try? log.compact(
                through: SyncCursor(log: end.log, sequence: end.sequence * Int64(percent) / 100), on: connection)
        }
    }

    private static let values = ["0", "1", "2", "'0'", "'1'", "'a'", "'A'", "NULL", "x'31'", "1.5"]

    private static func statement(_ random: inout Numbers) -> SQL {
        func value() -> String { values[random.below(values.count)] }
        func key() -> String { "'\(["a", "A", "b", "0", "1"][random.below(5)])'" }
        let text: String =
            switch random.below(12) {
            case 0, 1: "INSERT OR REPLACE INTO t(id, a, b, c) VALUES(\(key()), \(value()), \(value()), \(value()))"
            case 2: "UPDATE OR IGNORE t SET a = \(value()), c = \(value()) WHERE id >= \(key())"
            case 3: "DELETE FROM t WHERE id = \(key())"
            case 4: "UPDATE OR REPLACE t SET id = \(key()), b = \(value()) WHERE id = \(key())"
            case 5: "INSERT OR REPLACE INTO m(id, a, b) VALUES(\(random.below(4)), \(value()), \(value()))"
            case 6: "DELETE FROM m WHERE id = \(random.below(4))"
            case 7: "UPDATE m SET a = \(value()) WHERE id <= \(random.below(4))"
            case 8: "INSERT OR REPLACE INTO n VALUES(\(key()), \(key()), \(value()))"
            case 9: "DELETE FROM n WHERE x = \(key()) OR y = \(key())"
            case 10: "INSERT OR REPLACE INTO \"o p\" VALUES(\(key()), \(value()))"
            default: "DELETE FROM \"o p\" WHERE \"select\" = \(key())"
            }
        return "\(raw: text)"
    }
}

/// A device whose rows are in memory.
struct ScopeReplica {
    let origin: String
    var principal = SyncPrincipal(user: "a")
    var table = "t"
    var cursor: SyncCursor?
    private(set) var rows: [String: String] = [:]
    /// The first change that does not fit the rows.
    private(set) var problem: String?

    init(origin: String) { self.origin = origin }

    var plainRows: Set<String> { Set(rows.values) }

    static func plain(_ values: [BindingValue]) -> String {
        values.map { value in
            guard case .blob(let data) = value else { return "\(value)" }
            return "x'" + data.map { String($0, radix: 16) }.joined() + "'"
        }.joined(separator: "|")
    }

    /// Adds a value to each row.
    mutating func addColumn(_ value: String) { rows = rows.mapValues { $0 + value } }

    /// Receives one page, or all rows.
    mutating func receive(from hub: SyncHub, limit: Int, between: () async throws -> Void) async throws {
        let page = try await hub.pull(
            SyncPullRequest(origin: origin, version: 0, cursor: cursor, byteLimit: limit), by: principal)
        if page.begins {
            try await receiveRows(from: hub, at: page.batch.cursor, limit: limit, between: between)
        } else {
            try apply(page.batch.changesets)
        }
        cursor = page.batch.cursor
    }

    /// Receives all rows as of a position, in place of the present ones.
    mutating func receiveRows(
        from hub: SyncHub, at cursor: SyncCursor, limit: Int = 1_000, between: () async throws -> Void = {}
    ) async throws {
        rows = [:]
        var key: Data?
        repeat {
            try await between()
            let answer = try await hub.rows(
                SyncRowsRequest(
                    origin: origin, version: 0, cursor: cursor, table: table, key: key, byteLimit: limit),
                by: principal)
            let decoded = try SyncBatch(answer.data)
            try apply(decoded.changesets)
            key = answer.next
        } while key != nil
    }

    private mutating func apply(_ changesets: [Changeset]) throws {
        for change in try changesets.flatMap({ try $0.elements }) {
            func row(_ values: ChangedValues, or other: ChangedValues?) -> [BindingValue] {
                (0..<values.count).map { values[$0] ?? other?[$0] ?? .null }
            }
            let old = change.operation == .insert ? nil : row(change.old, or: nil)
            let new = change.operation == .delete ? nil : row(change.new, or: change.old)
            let key = Self.plain(change.keyColumns.map { (new ?? old ?? [])[$0] })
            if (old == nil) != (rows[key] == nil) { problem = problem ?? "\(change) over \(rows[key] ?? "nothing")" }
            if change.operation == .update, let old, Self.plain(old) != rows[key] {
                problem = problem ?? "\(change) tells \(Self.plain(old)) over \(rows[key] ?? "nothing")"
            }
            rows[key] = new.map { Self.plain($0) }
        }
    }
}

import Foundation
import Squall

/// Virtual tables of the program: one of rows of the model, one that transactions write, and a table function.
final class ProgramTables: FeatureParts {
    private let suffix: String
    private let source = RowSource()
    private let journal = Journal()
    private var lines = 0

    init(_ suffix: String) { self.suffix = suffix }

    private var names: (rows: String, numbers: String, journal: String) {
        ("rows_\(suffix)", "numbers_\(suffix)", "journal_\(suffix)")
    }

    func configure(_ settings: inout WorldSettings) {
        let (names, source, journal) = (names, source, journal)
        settings.preparations.append { connection in
            try connection.register(named: names.rows, use: .eponymous) { _ in source }
            try connection.addTableFunction(names.numbers, columns: "number", "part") { (limit: Int64, first: Int64?) in
                ((first ?? 0)..<limit).lazy.map { ($0, $0 % 3) }
            }
        }
        settings.writerPreparations.append { try $0.register(named: names.journal, use: .eponymous) { _ in journal } }
    }

    func setUp(_ world: World) throws {
        world.log(
            """
            // The preparations have registered the virtual tables \(names.rows), with rows of the program, and \(names.journal), \
            which is writable, and the table function \(names.numbers)(limit, first).
            """)
        source.set(world.model.rows, world.shape)
    }

    func surround(_ connection: Connection, _ body: (Connection) throws -> Void) throws {
        try connection.run("INSERT INTO \(name: names.journal)(line) VALUES('begun')")
        try body(connection)
        try connection.run("UPDATE \(name: names.journal) SET line = 'ended' WHERE line = 'begun'")
    }

    func committed(_ commit: Commit, _ world: World) throws {
        source.set(commit.after.rows, world.shape)
        if commit.origin == .surrounded { lines += 1 }
    }

    /// Inserts rows of the virtual table, and changes those that the table function names.
    func step(_ world: World, _ dice: inout Dice) throws {
        var (new, fresh) = (world.model, [ItemRow]())
        var id = Int64(dice.number(below: 40))
        for _ in 0..<3 {
            while new.items[id] != nil { id += 1 }
            var row = ItemRow(id: id, &dice)
            (row.seen, row.data) = (nil, nil)
            fresh.append(row)
            new.items[id] = row
        }
        for id in new.items.keys where id % 3 != 0 { new.items[id]?.note = "counted delta" }
        let insert = "INSERT INTO items(id, part, name, price, note, owner, stars) SELECT *, NULL, 3 FROM \(names.rows)"
        let update =
            "UPDATE items SET note = 'counted delta' WHERE part IN (SELECT part FROM \(names.numbers)(3, 1)) AND part > 0"
        let fails = dice.once(in: 3)
        world.log(
            "try db.blocking.write { try $0.run(\"\(insert)\"); try $0.run(\"\(update)\") }\(fails ? "    // and throws" : "")"
        )
        source.set(fresh, world.shape)
        for row in fresh { new.items[row.id]?.stars = 3 }
        do {
            try world.transaction { connection in
                try connection.run("\(raw: insert)")
                try connection.run("\(raw: update)")
                if fails { throw InjectedError() }
            }
        } catch is InjectedError where fails {
            source.set(world.model.rows, world.shape)
            return try world.check()
        }
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ connection: Connection, _ model: Model) throws {
        let table = names.rows
        // Each row of the file is one of the virtual table, found by its key and by a scan.
        let pairs: Int = try connection.query(
            """
            SELECT count(*) FROM items JOIN \(name: table) AS k ON k.key = items.id
            WHERE CAST(k.name AS BLOB) = CAST(items.name AS BLOB) AND k.note IS items.note COLLATE BINARY
            """)
        try require(pairs == model.items.count, "a join with a virtual table has \(pairs) of \(model.items.count) rows")
        let missing: Int = try connection.query(
            "SELECT count(*) FROM \(name: table) AS k LEFT JOIN items ON items.id = k.key WHERE items.id IS NULL")
        try require(missing == 0, "\(missing) rows of a virtual table are not in the file")
        let counts: [Int] = try connection.query(
            """
            SELECT count(items.id) FROM \(name: names.numbers)(6, 3) AS n LEFT JOIN items ON items.part = n.part
            GROUP BY n.number ORDER BY n.number
            """)
        let expected = (0..<3).map { part in model.rows.count { $0.part == part } }
        try require(counts == expected, "a table function joins \(counts), not \(expected)")
    }

    func check(_ world: World) throws {
        let found: [String] = try world.database.blocking.writeWithoutTransaction {
            try $0.query("SELECT line FROM \(name: names.journal)")
        }
        try require(
            found == Array(repeating: "ended", count: lines), "a writable table has \(found.count) of \(lines) lines")
    }
}

/// Rows of the program that SQL reads, by their key or all.
///
/// Sendable, because a lock protects its state.
private final class RowSource: TableSource, @unchecked Sendable {
    typealias Line = (key: BindingValue, row: ItemRow)

    private let lock = NSLock()
    private var lines: [Line] = []

    func set(_ rows: [ItemRow], _ shape: TableShape) {
        lock.withLock { lines = rows.map { (shape.key.value($0.id), $0) } }
    }

    var columns: [VirtualColumn<Line>] {
        [
            VirtualColumn("key") { $0.key }, VirtualColumn("part") { $0.row.part },
            VirtualColumn("name") { $0.row.name }, VirtualColumn("price") { $0.row.price },
            VirtualColumn("note") { $0.row.note },
        ]
    }

    func plan(_ query: PlanQuery) -> Plan {
        guard let equal = query.constraint("key", .equal) else { return Plan(0, "all") }
        return Plan(1, "key =", using: [equal.used], rows: 1)
    }

    func rows(_ scan: borrowing Scan) throws -> [Line] {
        let all = lock.withLock { lines }
        guard scan.plan == 1 else { return all }
        let key: BindingValue = try scan.get(0)
        return all.filter { $0.key == key }
    }

    func rowID(of line: Line) -> Int64? { line.row.id }
}

/// Lines that SQL writes into the memory of the program, and takes back with its transactions.
///
/// Sendable, because a lock protects its state.
private final class Journal: WritableTableSource, @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    /// The lines at each level of a transaction.
    private var saved: [(level: Int, lines: [String])] = []

    var columns: [VirtualColumn<(offset: Int, element: String)>] { [VirtualColumn("line") { $0.element }] }

    func rows(_ scan: borrowing Scan) -> [(offset: Int, element: String)] {
        lock.withLock { Array(lines.enumerated()) }
    }

    func rowID(of row: (offset: Int, element: String)) -> Int64? { Int64(row.offset) }

    func insert(_ row: borrowing WrittenRow) throws -> Int64 {
        let line: String = try row.get("line")
        return lock.withLock {
            lines.append(line)
            return Int64(lines.count - 1)
        }
    }

    func update(_ rowID: Int64, _ row: borrowing WrittenRow) throws {
        let line: String = try row.get("line")
        lock.withLock { lines[Int(rowID)] = line }
    }

    func delete(_ rowID: Int64) { lock.withLock { _ = lines.remove(at: Int(rowID)) } }

    func begin() { lock.withLock { saved = [(0, lines)] } }
    func commit() { lock.withLock { saved = [] } }

    func rollBack() {
        rollBack(to: 0)
        lock.withLock { saved = [] }
    }

    func savepoint(_ level: Int) {
        release(level)
        lock.withLock { saved.append((level, lines)) }
    }

    func release(_ level: Int) { lock.withLock { saved.removeAll { $0.level >= level } } }

    func rollBack(to level: Int) {
        lock.withLock {
            saved.removeAll { $0.level > level }
            if let kept = saved.last { lines = kept.lines }
        }
    }
}

import Squall

/// Virtual tables of the program: one of rows of the model, one that transactions write, and a table function.
final class ProgramTables: FeatureParts {
    private let suffix: String
    private let source = RowSource()
    private let journal = Journal()
    private var lines = 0
    private var shape = TableShape()

    init(_ suffix: String) { self.suffix = suffix }

    private var names: (rows: String, numbers: String, journal: String) {
        ("rows_\(suffix)", "numbers_\(suffix)", "journal_\(suffix)")
    }

    func configure(_ settings: inout WorldSettings) {
        // Only this process has the rows of the virtual tables.
        settings.allowsProcesses = false
        let (names, source, journal) = (names, source, journal)
        settings.preparations.append { connection in
            try connection.register(named: names.rows, innocuous: true) { _ in source }
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
        shape = world.shape
        source.set(world.model.rows, shape)
        let statements = """
            CREATE VIRTUAL TABLE kept_\(suffix) USING \(names.rows);
            CREATE VIEW both_\(suffix) AS SELECT items.* FROM kept_\(suffix) AS k JOIN items ON items.id = k.key
            """
        world.log("try db.blocking.write { try $0.execute(#\"\"\"\n\(statements)\n\"\"\"#) }")
        try world.database.blocking.write { try $0.execute("\(raw: statements)") }
    }

    func resume(_ world: World, as former: any FeatureParts) throws {
        shape = world.shape
        source.set(world.model.rows, shape)
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

    /// Inserts rows of the virtual table, of which one may fail, and changes those that the table function names.
    func step(_ world: World, _ dice: inout Dice) throws {
        var (new, fresh) = (world.model, [ItemRow]())
        let (fails, rowFails) = (dice.once(in: 4), dice.once(in: 3))
        var id = Int64(dice.number(below: 40))
        for _ in 0..<3 {
            while new.items[id] != nil || fresh.contains(where: { $0.id == id }) { id += 1 }
            var row = ItemRow(id: id, &dice)
            (row.seen, row.data, row.stars) = (nil, nil, 3)
            fresh.append(row)
        }
        if !rowFails { for row in fresh { new.items[row.id] = row } }
        for id in new.items.keys where id % 3 != 0 { new.items[id]?.note = "counted delta" }
        let insert = "INSERT INTO items(id, part, name, price, note, owner, stars) SELECT *, NULL, 3 FROM \(names.rows)"
        let update =
            "UPDATE items SET note = 'counted delta' WHERE part IN (SELECT part FROM \(names.numbers)(3, 1)) AND part > 0"
        world.log("try db.blocking.write {")
        world.log("    try $0.run(\"\(insert)\")\(rowFails ? "    // whose third row throws, which is caught" : "")")
        world.log("    try $0.run(\"\(update)\")\(fails ? "; throw Failure()" : "")\n}")
        source.set(fresh, world.shape, failsAfter: rowFails ? 2 : nil)
        do {
            try world.transaction { connection in
                do {
                    try connection.run("\(raw: insert)")
                    try require(!rowFails, "a statement whose row fails has ended")
                } catch is RowSource.Failure where rowFails {}
                try connection.run("\(raw: update)")
                do {
                    try connection.savepoint {
                        try connection.run("INSERT INTO \(name: names.journal)(line) VALUES('taken back')")
                        throw InjectedError()
                    }
                } catch is InjectedError {}
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
        let both: Int = try connection.query("SELECT count(name) FROM both_\(raw: suffix)")
        try require(both == model.items.count, "a view of a virtual table has \(both) of \(model.items.count) rows")
        let counts: [Int] = try connection.query(
            """
            SELECT count(items.id) FROM \(name: names.numbers)(6, 3) AS n LEFT JOIN items ON items.part = n.part
            GROUP BY n.number ORDER BY n.number
            """)
        let expected = (0..<3).map { part in model.rows.count { $0.part == part } }
        try require(counts == expected, "a table function joins \(counts), not \(expected)")
    }

    /// The virtual tables have the rows of the copy for the time of the check.
    func checkWritten(_ connection: Connection, _ model: Model) throws {
        let rows = source.set(model.rows, shape)
        defer { source.restore(rows) }
        try check(connection, model)
    }

    func check(_ world: World) throws {
        let found: [String] = try world.database.blocking.writeWithoutTransaction {
            try $0.query("SELECT line FROM \(name: names.journal)")
        }
        try require(
            found == Array(repeating: "ended", count: lines), "a writable table has \(found.count) of \(lines) lines")
    }
}

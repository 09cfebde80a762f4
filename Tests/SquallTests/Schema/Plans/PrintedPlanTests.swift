import Squall
import SquallTestSupport
import Testing

/// A printed plan is the steps of the next version: they compile, and lead to the declared tables.
struct PrintedPlanTests {
    private let table = TableDefinition(
        name: "T",
        columns: [
            ColumnDefinition(name: "id", type: "INTEGER", primaryKey: .init(isAutoincrement: true)),
            ColumnDefinition(name: "größe", type: "INTEGER", notNull: .init()),
            ColumnDefinition(name: "order", type: "col.1", unique: .init(conflict: .replace), defaultValue: "1 + 2"),
            ColumnDefinition(
                name: "name", type: "TEXT", collation: "nocase",
                references: [ForeignKeyReference(table: "Other", columns: ["Größe"])]),
        ],
        constraints: [
            TableConstraint(.check("\"order\" > 0 AND name <> 'it''s'")),
            TableConstraint(name: "Ä", .check("größe > 0")),
            TableConstraint(
                .foreignKey(["größe"], ForeignKeyReference(table: "Other", columns: ["Größe"], onDelete: .setNull))),
            TableConstraint(
                .unique(["größe", IndexedColumn("order", collation: "rtrim", order: .descending)], onConflict: .ignore)),
        ],
        indexes: [
            IndexDefinition(
                name: "by \"x\"", table: "T", columns: [.expression("größe || 'a\\b'", order: .descending)],
                condition: "name > 'x'")
        ]
    )

    private let other = TableDefinition(
        name: "Other",
        columns: [ColumnDefinition(name: "Größe", type: "INTEGER", primaryKey: .init(), notNull: .init())],
        isStrict: true)

    @Test func aNewTable() throws {
        let schema = Schema("s") {
            Version(1) {
                CreateTable("Other", .strict) {
                    ColumnDef("Größe", sql: "INTEGER PRIMARY KEY NOT NULL")
                }
                CreateTable(
                    "T", .constraint(TableConstraint(.check("\"order\" > 0 AND name <> \'it\'\'s\'"))),
                    .constraint(TableConstraint(name: "Ä", .check("größe > 0"))),
                    .constraint(
                        TableConstraint(
                            .foreignKey(
                                ["größe"], ForeignKeyReference(table: "Other", columns: ["Größe"], onDelete: .setNull)))
                    ),
                    .constraint(
                        TableConstraint(
                            .unique(
                                ["größe", IndexedColumn("order", collation: "rtrim", order: .descending)],
                                onConflict: .ignore)))
                ) {
                    ColumnDef("id", sql: "INTEGER PRIMARY KEY AUTOINCREMENT")
                    ColumnDef("größe", sql: "INTEGER NOT NULL")
                    ColumnDef("order", sql: "\"col.1\" UNIQUE ON CONFLICT REPLACE DEFAULT (1 + 2)")
                    ColumnDef("name", sql: "TEXT COLLATE \"nocase\" REFERENCES \"Other\"(\"Größe\")")
                }
                CreateIndex(
                    "by \"x\"", on: "T", IndexedColumn(.expression("größe || \'a\\b\'"), order: .descending),
                    where: "name > \'x\'")
            }
        }
        try check(schema, from: [], to: [other, table])
    }

    @Test func aChangedTable() throws {
        let schema = Schema("s") {
            Version(1) {
                Execute(
                    """
                    CREATE TABLE "Other"("Größe" INTEGER PRIMARY KEY NOT NULL) STRICT;
                    CREATE TABLE t("größe" INTEGER, "order" "col.1" UNIQUE ON CONFLICT REPLACE DEFAULT (1 + 2),
                    name TEXT COLLATE nocase,
                    old, ID INTEGER PRIMARY KEY AUTOINCREMENT, CHECK (old > 'ß'), UNIQUE (old), CHECK (name <> 'it''S'))
                    """
                )
            }
            Version(2) {
                AlterTable("t") {
                    DropColumn("old")
                    ChangeColumn("größe", sql: "INTEGER NOT NULL")
                    ChangeColumn("name", sql: "TEXT COLLATE \"nocase\" REFERENCES \"Other\"(\"Größe\")")
                    DropConstraint("CHECK (old > \'ß\')")
                    DropConstraint("UNIQUE (\"old\")")
                    DropConstraint("CHECK (name <> \'it\'\'S\')")
                    AddConstraint(.check("\"order\" > 0 AND name <> \'it\'\'s\'"))
                    AddConstraint(.check("größe > 0"), named: "Ä")
                    AddConstraint(
                        .foreignKey(
                            ["größe"], ForeignKeyReference(table: "Other", columns: ["Größe"], onDelete: .setNull)))
                    AddConstraint(
                        .unique(
                            ["größe", IndexedColumn("order", collation: "rtrim", order: .descending)],
                            onConflict: .ignore))
                }
                CreateIndex(
                    "by \"x\"", on: "T", IndexedColumn(.expression("größe || \'a\\b\'"), order: .descending),
                    where: "name > \'x\'")
            }
        }
        try check(schema, from: [1], to: [table])
    }

    @Test func aKeyThatAColumnOrTheTableGets() throws {
        let schema = Schema("s") {
            Version(1) {
                Execute(
                    """
                    CREATE TABLE a(x INTEGER NOT NULL, y INTEGER NOT NULL, z INT REFERENCES a, PRIMARY KEY (x, y));
                    CREATE TABLE b(x INTEGER PRIMARY KEY, y TEXT, UNIQUE (y));
                    CREATE TABLE c(x INTEGER, y TEXT NOT NULL UNIQUE, CHECK (x > y), PRIMARY KEY (x))
                    """
                )
            }
            Version(2) {
                AlterTable("a") {
                    ChangeColumn("x", sql: "INTEGER NOT NULL DEFAULT 1")
                    ChangeColumn("z", sql: "INT")
                    AddConstraint(.primaryKey(["x", "y"]))
                }
                AlterTable("b") {
                    ChangeColumn("x", sql: "INTEGER")
                    ChangeColumn("y", sql: "TEXT NOT NULL UNIQUE")
                    DropConstraint("UNIQUE (\"y\")")
                    AddConstraint(.primaryKey(["y", "x"]))
                    ChangeOptions(strict: false, withoutRowID: true)
                }
                AlterTable("c") {
                    ChangeColumn("y", sql: "INT PRIMARY KEY NOT NULL")
                    DropConstraint("PRIMARY KEY (\"x\")")
                }
            }
        }
        let int = ColumnDefinition(name: "x", type: "INTEGER", notNull: .init())
        var (x, y, z) = (int, int, ColumnDefinition(name: "z", type: "INT"))
        (x.defaultValue, y.name) = ("1", "y")
        let a = TableDefinition(
            name: "a", columns: [x, y, z], constraints: [TableConstraint(.primaryKey(["x", "y"]))])
        let b = TableDefinition(
            name: "b",
            columns: [
                ColumnDefinition(name: "x", type: "INTEGER"),
                ColumnDefinition(name: "y", type: "TEXT", notNull: .init(), unique: .init()),
            ],
            constraints: [TableConstraint(.primaryKey(["y", "x"]))], isWithoutRowID: true)
        z = ColumnDefinition(name: "y", type: "INT", primaryKey: .init(), notNull: .init())
        let c = TableDefinition(
            name: "c", columns: [ColumnDefinition(name: "x", type: "INTEGER"), z],
            constraints: [TableConstraint(.check("x > y"))])
        try check(schema, from: [1], to: [a, b, c])
    }

    @Test func aTableThatCreateTableDoesNotMake() throws {
        let key = ColumnDefinition(name: "a", type: "TEXT", primaryKey: .init())
        let schema = Schema("s") { Version(1) { Execute("CREATE TABLE \"t\"(\"a\" TEXT PRIMARY KEY)") } }
        try check(schema, from: [], to: [TableDefinition(name: "t", columns: [key])])
    }

    /// The last version stands in this file as it is printed, and is the one that is missing.
    private func check(_ schema: Schema, from versions: [Int], to tables: [TableDefinition], line: Int = #line) throws {
        let before = Schema("s") { for version in schema.versions where versions.contains(version.number) { version } }
        let drift = try before.drift(from: tables)
        let source = Self.withoutLayout(try String(contentsOfFile: #filePath, encoding: .utf8))
        for line in drift.description.split(separator: "\n") {
            #expect(source.contains(Self.withoutLayout(String(line))), "\(line)")
        }
        #expect(try schema.drift(from: tables).description == "")
        let connection = try Connection(":memory:")
        try schema.migrate(connection)
        #expect(try connection.plan(toMatch: tables).isEmpty)
    }

    /// The text without space, and the commas that lines of their own end with.
    private static func withoutLayout(_ text: String) -> String {
        text.filter { !$0.isWhitespace }.replacing(",]", with: "]").replacing(",)", with: ")")
    }

    // MARK: - Random tables

    @Test(arguments: 0..<4) func theStepsOfAPlanLeadToTheTable(_ part: Int) throws {
        for seed in stride(from: part, to: Rounds.of(400), by: 4) {
            var random = RandomTable(seed: seed)
            let (old, new) = (random.table(), random.table())
            do {
                let connection = try Connection(":memory:")
                try connection.execute("CREATE TABLE p(x PRIMARY KEY, y UNIQUE)")
                guard (try? connection.execute(old.sql)) != nil, (try? Connection(":memory:").execute(new.sql)) != nil
                else { continue }
                let plan = try connection.plan(toMatch: [new])
                let steps = plan.changes.compactMap { Self.step($0) }
                try Schema("s") { Version(1) { AlterTable("t") { for step in steps { step } } } }.migrate(connection)
                let after = try connection.plan(toMatch: [new])
                #expect(after.isEmpty, "seed \(seed): \(old.sql) -> \(new.sql): \(plan), then \(after)")
            } catch {
                Issue.record("seed \(seed): \(old.sql) -> \(new.sql): \(error)")
            }
        }
    }

    /// The step that is printed for a change.
    private static func step(_ change: TableChange) -> (any AlterTableStep)? {
        func clauses(_ column: ColumnDefinition) -> SQL {
            let head = SQL("\(name: column.name)").text.utf8
            return SQL(raw: String(decoding: Array(column.sql.text.utf8.dropFirst(head.count)), as: UTF8.self))
        }
        return switch change {
        case .addColumn(let column, _): AddColumn(column.name, sql: clauses(column))
        case .dropColumn(let column, _): DropColumn(column.name)
        case .changeColumn(_, let column, _): ChangeColumn(column.name, sql: clauses(column))
        case .addConstraint(let constraint, _): AddConstraint(constraint.kind, named: constraint.name)
        case .dropConstraint(let constraint, _):
            DropConstraint(TableDefinition(name: "t", constraints: [TableConstraint(constraint.kind)]).clause)
        case .changeOptions(let strict, let withoutRowID, _): ChangeOptions(strict: strict, withoutRowID: withoutRowID)
        case .createTable, .createIndex, .dropIndex: nil
        }
    }
}

extension TableDefinition {
    /// The SQL of the only constraint.
    fileprivate var clause: SQL { SQL(raw: sql.text.dropFirst("CREATE TABLE \"t\"(".count).dropLast()) }
}

private struct RandomTable {
    private var random: SeededGenerator

    init(seed: Int) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func conflict() -> ConflictResolution? { random.chance(10) ? .ignore : nil }

    private mutating func reference() -> ForeignKeyReference {
        ForeignKeyReference(
            table: "p", columns: random.chance(50) ? ["x"] : ["y"], onDelete: random.chance(30) ? .cascade : nil)
    }

    private mutating func check() -> SQL {
        [#""order" > 0"#, "é > 'a''B'", #""É" > 'x' -- y"#, "t.a IN (1, 2)", "a <> \"b c\""].randomElement(
            using: &random) ?? "1"
    }

    mutating func table() -> TableDefinition {
        var names = ["a", "order", "é", "É", "b c"]
        names = names.filter { $0 == "a" || random.chance(80) }.shuffled(using: &random)
        var table = TableDefinition(name: "t")
        let key = Int.random(in: 0..<6, using: &random)
        for (index, name) in names.enumerated() {
            let type = random.pick(["INTEGER", "TEXT", "INT", "col.1", "VARCHAR(3)", ""])
            var column = ColumnDefinition(name: name, type: type)
            if index == 0 && key < 2 {
                column.primaryKey = .init(order: random.chance(20) ? .descending : nil, conflict: conflict())
            }
            if index == 0 && key == 2 {
                column.type = "INTEGER"
                column.primaryKey = .init(isAutoincrement: true)
            }
            if random.chance(30) { column.notNull = .init(conflict: conflict()) }
            if random.chance(20) { column.unique = .init(conflict: conflict()) }
            if random.chance(30) {
                column.defaultValue = ["5", "-1", "'x'", "(1 + 2)", "NULL"].randomElement(using: &random)
            }
            if random.chance(15) { column.checks = [.init(name: random.chance(30) ? "c" : nil, condition: check())] }
            if random.chance(15) { column.collation = random.pick(["nocase", "RTRIM", "binary"]) }
            if random.chance(20) { column.references.append(reference()) }
            if random.chance(5) { column.references.append(reference()) }
            table.columns.append(column)
        }
        if key == 3 || key == 4 {
            let list = names.prefix(key - 2).map { IndexedColumn($0, order: random.chance(20) ? .descending : nil) }
            table.constraints.append(
                TableConstraint(name: random.chance(20) ? "pk" : nil, .primaryKey(list, onConflict: conflict())))
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let name = random.pick(names)
            let kind: TableConstraint.Kind =
                switch Int.random(in: 0..<3, using: &random) {
                case 0: .check(check())
                case 1:
                    .unique(
                        [IndexedColumn(name, collation: random.chance(20) ? "nocase" : nil)], onConflict: conflict())
                default: .foreignKey([name], reference())
                }
            table.constraints.append(TableConstraint(name: random.chance(20) ? "k" : nil, kind))
        }
        table.isWithoutRowID = key < 2 && random.chance(20)
        return table
    }
}

import Squall

/// Versions of a schema that rebuild `items` or `authors`, or rename columns of `items`.
final class MigrationFeature: FeatureParts {
    enum Way {
        case rebuild, rename
        /// Also changes the type of a column that a search table reads, in another table.
        case filling
        /// Adds a column that SQLite cannot add, alone in its version, replaces it by one of the same name in the next one, and drops
        /// it in the third one.
        case addition
    }

    private let way: Way
    private let suffix: String
    private var version = 0
    private let retyped: RetypedTable?

    init(_ way: Way, _ suffix: String) {
        (self.way, self.suffix) = (way, suffix)
        retyped = way == .filling ? RetypedTable(suffix) : nil
    }

    /// The number of versions of a step: with an addition, three of one of the tables.
    private var versionsOfStep: Int { way == .addition ? 3 : 1 }

    private func schema(to version: Int) -> Schema {
        Schema("pairs_\(suffix)") { for number in 1...version { step(number) } }
    }

    func setUp(_ world: World) throws {
        try retyped?.setUp(world)
        if way != .addition { return }
        let statements = "CREATE TABLE \(kinds)(id INTEGER PRIMARY KEY); INSERT INTO \(kinds) VALUES(1)"
        world.log("try db.blocking.write { try $0.execute(\"\(statements)\") }")
        try world.database.blocking.write { try $0.execute("\(raw: statements)") }
    }

    /// Runs the rest of the versions of a step that was killed.
    func resume(_ world: World, as former: any FeatureParts) throws {
        let found = try world.database.blocking.read { try schema(to: 1).status(of: $0).version }
        version = found + (versionsOfStep - found % versionsOfStep) % versionsOfStep
        if version > found { try world.database.blocking.migrate(schema(to: version)) }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        version += versionsOfStep
        world.log(
            """
            try db.blocking.migrate(Schema("pairs_\(suffix)") { for number in 1...\(version) { Version(number) {
                \(stepSwift)
            } } })
            """)
        let traces = world.traces
        try world.database.blocking.migrate(schema(to: version))
        var new = world.model
        if way == .filling {
            for id in new.items.keys where new.items[id]?.note == nil { new.items[id]?.note = "filled delta" }
        }
        try world.commit(new, by: self, .migration)
        try require(world.traces == traces, "a migration has left \(world.traces), not \(traces) of the features")
    }

    private func step(_ number: Int) -> Version {
        switch way {
        case .rebuild:
            // Another default each time: SQLite has no statement that changes one.
            Version(number) {
                AlterTable("items") { ChangeColumn("price", sql: "REAL DEFAULT \(raw: "\(number)")") }
            }
        case .filling:
            Version(number) {
                AlterTable("items") {
                    ChangeColumn("note", sql: "TEXT", fillingWith: "ifnull(note, 'filled delta')")
                }
                for step in retyped?.steps(number) ?? [] { step }
            }
        case .rename:
            Version(number) {
                // The search tables have the second one.
                for (old, new) in [("price", "cost"), ("note", "remark")] {
                    AlterTable("items") { RenameColumn(old, to: new) }
                    AlterTable("items") { RenameColumn(new, to: old) }
                }
            }
        case .addition: addition(number)
        }
    }

    private func addition(_ number: Int) -> Version {
        let index = number - 1
        let (table, column) = (index / 3 % 2 == 0 ? "authors" : "items", "added_\(suffix)")
        let replacement = replacements[index / 3 % replacements.count]
        switch index % 3 {
        case 0:
            return Version(number) {
                AlterTable(table) { AddColumn(column, sql: "\(raw: additions[index / 3 % additions.count])") }
            }
        case 1:
            return Version(number) {
                AlterTable(table) {
                    DropColumn(column)
                    AddColumn(column, sql: "\(raw: replacement.definition)")
                }
            }
        default:
            return Version(number) {
                Execute { connection in
                    let others: [String] = try connection.query(
                        """
                        SELECT ifnull(\(name: column), 'NULL') FROM main.\(name: table)
                        WHERE \(name: column) IS NOT \(raw: replacement.value)
                        """)
                    try require(others.isEmpty, "a column has values of a dropped one: \(others)")
                }
                AlterTable(table) { DropColumn(column) }
            }
        }
    }

    /// Columns that take the name of a column that is dropped in the same step, with the value of each row.
    private let replacements = [
        (definition: "INTEGER NOT NULL DEFAULT 42", value: "42"),
        (definition: "TEXT DEFAULT (upper('replaced'))", value: "'REPLACED'"),
        (definition: "BLOB", value: "NULL"),
    ]

    /// The table to which a column refers.
    private var kinds: String { "kinds_\(suffix)" }

    /// Columns that `ALTER TABLE … ADD COLUMN` refuses: the table is rebuilt.
    private var additions: [String] {
        [
            "INTEGER UNIQUE", "INTEGER GENERATED ALWAYS AS (length(name)) STORED",
            "INTEGER DEFAULT 1 REFERENCES \(kinds)(id)", "TEXT DEFAULT (upper('added'))",
            "TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP",
        ]
    }

    /// The Swift of the steps of a version.
    private var stepSwift: String {
        switch way {
        case .rebuild: #"AlterTable("items") { ChangeColumn("price", sql: "REAL DEFAULT \(raw: "\(number)")") }"#
        case .rename:
            """
            for (old, new) in [("price", "cost"), ("note", "remark")] {
                AlterTable("items") { RenameColumn(old, to: new) }
                AlterTable("items") { RenameColumn(new, to: old) }
            }
            """
        case .filling:
            """
            AlterTable("items") { ChangeColumn("note", sql: "TEXT", fillingWith: "ifnull(note, 'filled delta')") }
            \(retyped?.stepSwift ?? "")
            """
        case .addition:
            """
            AlterTable((number - 1) / 3 % 2 == 0 ? "authors" : "items") {
                if (number - 1) % 3 > 0 { DropColumn("added_\(suffix)") }
                if (number - 1) % 3 < 2 {
                    AddColumn(
                        "added_\(suffix)",
                        sql: SQL(raw: (number - 1) % 3 == 0 ? \(additions)[(number - 1) / 3 % \(additions.count)]
                            : \(replacements.map(\.definition))[(number - 1) / 3 % \(replacements.count)]))
                }
            }
            """
        }
    }

    var namesNoTable: Bool { true }

    var swift: FeatureSwift { FeatureSwift(expectations: retyped?.expectations ?? []) }

    func check(_ connection: Connection, _ model: Model) throws { try retyped?.check(connection) }
}

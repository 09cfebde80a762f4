import Squall

/// Versions of a schema that rebuild `items` or `authors`, or rename columns of `items`.
final class MigrationFeature: FeatureParts {
    enum Way {
        case rebuild, rename, filling
        /// Adds a column that SQLite cannot add, alone in its version, and drops it in the next one.
        case addition
    }

    private let way: Way
    private let suffix: String
    private var version = 0

    init(_ way: Way, _ suffix: String) { (self.way, self.suffix) = (way, suffix) }

    /// The number of versions of a step: with an addition, two for each table.
    private var versionsOfStep: Int { way == .addition ? 4 : 1 }

    private func schema(to version: Int) -> Schema {
        Schema("pairs_\(suffix)") { for number in 1...version { step(number) } }
    }

    func setUp(_ world: World) throws {
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
            }
        case .rename:
            Version(number) {
                AlterTable("items") { RenameColumn("price", to: "cost") }
                AlterTable("items") { RenameColumn("cost", to: "price") }
            }
        case .addition:
            Version(number) {
                AlterTable(number % 4 == 1 || number % 4 == 2 ? "authors" : "items") {
                    if number % 2 == 1 {
                        AddColumn("added_\(suffix)", sql: "\(raw: additions[number / 2 % additions.count])")
                    } else {
                        DropColumn("added_\(suffix)")
                    }
                }
            }
        }
    }

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
            AlterTable("items") { RenameColumn("price", to: "cost") }
            AlterTable("items") { RenameColumn("cost", to: "price") }
            """
        case .filling:
            """
            AlterTable("items") { ChangeColumn("note", sql: "TEXT", fillingWith: "ifnull(note, 'filled delta')") }
            """
        case .addition:
            """
            AlterTable(number % 4 == 1 || number % 4 == 2 ? "authors" : "items") {
                if number % 2 == 1 {
                    AddColumn("added_\(suffix)", sql: SQL(raw: \(additions)[number / 2 % \(additions.count)]))
                } else {
                    DropColumn("added_\(suffix)")
                }
            }
            """
        }
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}
}

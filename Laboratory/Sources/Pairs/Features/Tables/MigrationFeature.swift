import Squall

/// Versions of a schema that rebuild `items`, or rename its columns.
final class MigrationFeature: FeatureParts {
    enum Way {
        case rebuild, rename, filling
    }

    private let way: Way
    private let suffix: String
    private var version = 0

    init(_ way: Way, _ suffix: String) { (self.way, self.suffix) = (way, suffix) }

    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        version += 1
        let schema = Schema("pairs_\(suffix)") { for number in 1...version { step(number) } }
        let line =
            switch way {
            case .rebuild: "ChangeColumn(\"price\", sql: \"REAL DEFAULT \(version)\")"
            case .rename: "RenameColumn(\"price\", to: \"cost\") and back"
            case .filling: "ChangeColumn(\"note\", sql: \"TEXT\", fillingWith: \"ifnull(note, 'filled delta')\")"
            }
        world.log("try db.blocking.migrate(schema)    // AlterTable(\"items\") { \(line) }")
        try world.database.blocking.migrate(schema)
        var new = world.model
        if way == .filling {
            for id in new.items.keys where new.items[id]?.note == nil { new.items[id]?.note = "filled delta" }
        }
        try world.commit(new, by: self, .migration)
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
        }
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}
}

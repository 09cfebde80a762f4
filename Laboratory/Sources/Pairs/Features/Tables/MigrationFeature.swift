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

    func resume(_ world: World, as former: any FeatureParts) throws {
        let schema = Schema("pairs_\(suffix)") { step(1) }
        version = try world.database.blocking.read { try schema.status(of: $0).version }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        version += 1
        let schema = Schema("pairs_\(suffix)") { for number in 1...version { step(number) } }
        world.log(
            """
            try db.blocking.migrate(Schema("pairs_\(suffix)") { for number in 1...\(version) { Version(number) {
                \(stepSwift)
            } } })
            """)
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
        }
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}
}

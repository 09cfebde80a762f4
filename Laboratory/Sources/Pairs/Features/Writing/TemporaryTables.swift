import Squall

/// TEMP tables and views of the writer with the names of tables of the file.
///
/// Those with the names of the objects of the features exist between the checks. Those with the names of the common tables exist
/// only while steps run that name no table themselves: a closure that names `items` would mean the TEMP table, as in SQLite.
final class TemporaryTables: FeatureParts {
    private var names: [String] = []
    /// A number that decides which of them are views.
    private var number = 0

    func setUp(_ world: World) throws {}

    func start(_ world: World) throws {
        names = []
        try create(try objects(of: world), in: world)
    }

    /// Whether nothing can be hidden, because the library or SQLite refuses it.
    private func isRefused(_ world: World) throws -> Bool {
        let parts = world.parts
        // A trigger of an index that runs alone must not name a TEMP table: TriggerProblem.inseparable.
        let hasIndexTriggers = parts.contains { $0 is SearchFeature || $0 is SpatialFeature }
        let hasHistories = parts.contains { $0 is UndoFeature || $0 is SyncFeature || $0 is SubsetHistories }
        if hasIndexTriggers, hasHistories { return true }
        // SQLite's ALTER TABLE takes the table of an index, a trigger or a view for the TEMP table, and reports an error in it.
        guard parts.contains(where: { $0 is MigrationFeature || $0 is AlterationFeature }) else { return false }
        return try world.database.blocking.read { connection in
            try connection.query(
                "SELECT count(*) > 0 FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL")
        }
    }

    /// Returns the names of the tables that the features and the library have made, but for those that steps name.
    private func objects(of world: World) throws -> [String] {
        if try isRefused(world) { return [] }
        let own = Set(world.parts.flatMap(\.ownTables))
        let names: [String] = try world.database.blocking.read { connection in
            try connection.query(
                """
                SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')
                AND name NOT IN ('items', 'authors') AND name NOT LIKE 'sqlite@_%' ESCAPE '@' ORDER BY name
                """)
        }
        return names.filter { !own.contains($0) }
    }

    private func create(_ names: [String], in world: World) throws {
        if names.isEmpty { return }
        world.log(
            "try db.blocking.writeWithoutTransaction { /* CREATE TEMP TABLE or VIEW \(names.joined(separator: ", ")) */ }"
        )
        try world.database.blocking.writeWithoutTransaction { connection in
            let others: [String] = try connection.query("SELECT name FROM temp.sqlite_schema")
            for (number, name) in names.enumerated() where !others.contains(name) {
                if (number + self.number).isMultiple(of: 2) {
                    try connection.execute("CREATE TEMP TABLE \(name: name)(other TEXT)")
                } else {
                    try connection.execute("CREATE TEMP VIEW \(name: name) AS SELECT 'x' AS other WHERE false")
                }
                self.names.append(name)
            }
            number += 1
        }
    }

    /// Drops the TEMP tables: a check names tables of the file.
    func willCheck(_ world: World) throws {
        if names.isEmpty { return }
        world.log("try db.blocking.writeWithoutTransaction { /* DROP them */ }")
        try world.database.blocking.writeWithoutTransaction { connection in
            for name in names {
                let rows: Int = try connection.query("SELECT count(*) FROM temp.\(name: name)")
                try require(rows == 0, "the TEMP table \(name) has \(rows) rows")
                let type: String = try connection.query("SELECT type FROM temp.sqlite_schema WHERE name = \(name)")
                try connection.execute("DROP \(raw: type) temp.\(name: name)")
            }
        }
        names = []
        world.hidesTables = false
    }

    func didCheck(_ world: World) throws { try create(try objects(of: world), in: world) }

    /// Runs steps of the other features, and a write, while `items` and `authors` are TEMP tables for statements of the program.
    func step(_ world: World, _ dice: inout Dice) throws {
        if try isRefused(world) { return }
        for part in world.parts where part.namesNoTable {
            try hide(in: world)
            try part.step(world, &dice)
        }
        try hide(in: world)
        let part = Int64(dice.number(below: 3))
        var new = world.model
        for id in new.items.keys where id % 3 == part { new.items[id]?.note = "hidden gamma" }
        let update = "UPDATE main.items SET note = 'hidden gamma' WHERE part = \(part)"
        world.log("try db.blocking.write { try $0.run(\"\(update)\") }")
        try world.transaction { try $0.run("\(raw: update)") }
        try world.commit(new, by: self, .surrounded)
    }

    private func hide(in world: World) throws {
        if !world.hidesTables { try create(["items", "authors"], in: world) }
        world.hidesTables = true
    }

    /// The TEMP tables are lost with their connection.
    func resumed(_ world: World) throws {
        if !world.settings.isInMemory { names = [] }
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func stop() { names = [] }
}

import Squall

/// Two triggers of the program for each event, of which the older one reads the value that the newer one has written.
///
/// SQLite runs the newest trigger first. The older one has the later name, and both are created again by the steps.
final class TriggerOrder: FeatureParts {
    private let table: String
    private let migration: MigrationFeature

    init(_ suffix: String) {
        table = "counts_order_\(suffix)"
        migration = MigrationFeature(.rebuild, "order_\(suffix)")
    }

    func shape(_ shape: inout TableShape) { shape.hasTriggers = true }

    /// The events. Updates of other columns are left out: a trigger that makes one would run between the two.
    private static let events = [
        "delete": "BEFORE DELETE", "insert": "AFTER INSERT",
        "update": "AFTER UPDATE OF \(TableShape.columns.dropFirst().joined(separator: ", "))",
    ]

    /// The triggers in the order in which they are created.
    private var triggers: [(name: String, sql: String)] {
        Self.events.sorted { $0.key < $1.key }.flatMap { event, time in
            [
                ("z_second_\(event)", "seconds = seconds + 1, faults = faults + (firsts <> seconds + 1)"),
                ("a_first_\(event)", "firsts = firsts + 1"),
            ].map { name, values in
                (
                    "\(name)_\(table)",
                    """
                    CREATE TRIGGER \(name)_\(table) \(time) ON items BEGIN
                    UPDATE \(table) SET \(values) WHERE event = '\(event)'; END
                    """
                )
            }
        }
    }

    func setUp(_ world: World) throws {
        let statements = """
            CREATE TABLE \(table)(event TEXT PRIMARY KEY, firsts INTEGER NOT NULL, seconds INTEGER NOT NULL, faults INTEGER NOT NULL);
            INSERT INTO \(table) VALUES('delete', 0, 0, 0), ('update', 0, 0, 0);
            INSERT INTO \(table) SELECT 'insert', count(*), count(*), 0 FROM items;
            \(triggers.map(\.sql).joined(separator: ";\n"))
            """
        world.log("try db.blocking.write { try $0.execute(#\"\"\"\n\(statements)\n\"\"\"#) }")
        try world.database.blocking.write { try $0.execute("\(raw: statements)") }
    }

    func resume(_ world: World, as former: any FeatureParts) throws { try migration.resume(world, as: former) }

    func step(_ world: World, _ dice: inout Dice) throws {
        // SQLite's ALTER TABLE takes the table of a trigger for the TEMP table.
        if dice.once(in: 2), !world.parts.contains(where: { $0 is TemporaryTables }) {
            return try migration.step(world, &dice)
        }
        try world.write([.deletePart(Int64(dice.number(below: 3)))], nil, &dice)
    }

    func traces(_ connection: Connection) throws -> String {
        try connection.query(
            "SELECT group_concat(event || firsts || seconds || faults) FROM (SELECT * FROM \(name: table) ORDER BY event)"
        )
    }

    /// The triggers have run in their order, once for each row, and the file has them in their order.
    func check(_ connection: Connection, _ model: Model) throws {
        let names: [String] = try connection.query(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE \("%" + table) ORDER BY rowid")
        try require(names == triggers.map(\.name), "the triggers by their age are \(names)")
        let faults: Int = try connection.query("SELECT sum(faults + (firsts <> seconds)) FROM \(name: table)")
        try require(faults == 0, "the older trigger has run first, or alone: \(faults)")
        let count: Int = try connection.query(
            "SELECT sum(CASE event WHEN 'insert' THEN firsts WHEN 'delete' THEN -firsts END) FROM \(name: table)")
        try require(count == model.items.count, "the triggers have counted \(count), not \(model.items.count)")
    }
}

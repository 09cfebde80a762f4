import Squall

/// A trigger of the program that counts the updates of a row in a column of the row.
///
/// Steps of an older one also rebuild the table: the trigger must remain older than those of the other features.
final class TouchFeature: FeatureParts {
    private let column: String
    /// Whether the trigger is older than the objects of the other features.
    private let isOlder: Bool
    private var isMade = false
    private let migration: MigrationFeature

    init(_ suffix: String, isOlder: Bool = false) {
        migration = MigrationFeature(.rebuild, "touch_\(suffix)")
        (column, self.isOlder) = ("touched_\(suffix)", isOlder)
    }

    private var trigger: String {
        """
        CREATE TRIGGER \(column) AFTER UPDATE OF \(TableShape.columns.dropFirst().joined(separator: ", ")) ON items BEGIN
        UPDATE items SET \(column) = \(column) + 1 WHERE id = new.id AND part = new.part; END
        """
    }

    func shape(_ shape: inout TableShape) {
        shape.addedColumns.append("\(column) INTEGER NOT NULL DEFAULT 0")
        if isOlder { shape.firstTriggers.append(trigger) } else { shape.hasNewerTouch = true }
    }

    func setUp(_ world: World) throws {}

    func resume(_ world: World, as former: any FeatureParts) throws {
        isMade = true
        try migration.resume(world, as: former)
    }

    func start(_ world: World) throws {
        if isOlder || isMade { return }
        isMade = true
        world.log("try db.blocking.write { try $0.execute(#\"\"\"\n\(trigger)\n\"\"\"#) }")
        try world.database.blocking.write { try $0.execute("\(raw: trigger)") }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        // SQLite's ALTER TABLE takes the table of a trigger for the TEMP table.
        if isOlder, dice.once(in: 3), !world.parts.contains(where: { $0 is TemporaryTables }) {
            return try migration.step(world, &dice)
        }
        let part = dice.number(below: 3)
        let change = Change.mark(part: Int64(part))
        var new = world.model
        change.apply(to: &new, world.shape)
        world.log("try db.blocking.write { c in \(change.swift(world.shape)) }")
        try world.transaction { connection in
            let counts: SQL = "SELECT part = \(part), \(name: column) FROM items ORDER BY part, id"
            let before: [(Int, Int)] = try connection.query(counts, as: (Int, Int).self)
            try change.run(connection, world.verbs, world.shape)
            let after: [(Int, Int)] = try connection.query(counts, as: (Int, Int).self)
            try require(
                after.map(\.1) == before.map { $0.1 + $0.0 }, "updates were counted as \(after) after \(before)")
        }
        try world.commit(new, by: self, .surrounded)
    }

    var tracesRows: Bool { true }

    func traces(_ connection: Connection) throws -> String {
        try connection.query(
            "SELECT ifnull(group_concat(n), '') FROM (SELECT \(name: column) AS n FROM main.items ORDER BY part, id)")
    }

    func check(_ connection: Connection, _ model: Model) throws {
        let count: Int = try connection.query("SELECT count(*) FROM main.items WHERE \(name: column) < 0")
        try require(count == 0, "\(count) rows have a count below 0")
    }
}

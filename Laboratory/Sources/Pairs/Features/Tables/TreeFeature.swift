import Squall

/// A foreign key from `items` to itself, which is set to NULL where the parent is deleted, and follows its key.
final class TreeFeature: FeatureParts {
    private let suffix: String
    private let column: String

    init(_ suffix: String) { (self.suffix, column) = (suffix, "parent_\(suffix)") }

    func shape(_ shape: inout TableShape) { shape.parentColumns.append(column) }

    func setUp(_ world: World) throws {}

    /// Gives some rows a parent, which may be the row itself, or a child of it.
    func step(_ world: World, _ dice: inout Dice) throws {
        let (rows, shape) = (world.model.rows, world.shape)
        let updates = (0..<3).compactMap { _ -> String? in
            guard let row = dice.element(of: rows), let parent = dice.element(of: rows) else { return nil }
            return "UPDATE items SET \(column) = \(shape.key.sql(parent.id)) WHERE \(shape.condition(row.id))"
        }
        world.log("try db.blocking.write { try $0.execute(\"\(updates.joined(separator: "; "))\") }")
        try world.transaction { connection in
            for update in updates { try connection.run("\(raw: update)") }
        }
        try world.commit(world.model, by: self, .surrounded)
    }

    func traces(_ connection: Connection) throws -> String {
        try connection.query(
            """
            SELECT ifnull(group_concat(n), '')
            FROM (SELECT ifnull(\(name: column), '-') AS n FROM main.items ORDER BY part, id)
            """)
    }

    var tracesRows: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {
        let orphans: Int = try connection.query(
            """
            SELECT count(*) FROM items AS child
            WHERE \(name: column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM items WHERE id = child.\(name: column))
            """)
        try require(orphans == 0, "\(orphans) rows have a parent that does not exist")
    }
}

import Squall

/// A view through which items are renamed and deleted.
final class ViewFeature: FeatureParts {
    private let suffix: String

    init(_ suffix: String) { self.suffix = suffix }

    private var statements: String {
        """
        CREATE VIEW names_\(suffix) AS SELECT id, part, name, owner FROM items;
        CREATE TRIGGER rename_\(suffix) INSTEAD OF UPDATE ON names_\(suffix) BEGIN
        UPDATE items SET name = new.name WHERE id = old.id AND part = old.part; END;
        CREATE TRIGGER remove_\(suffix) INSTEAD OF DELETE ON names_\(suffix) BEGIN
        DELETE FROM items WHERE id = old.id AND part = old.part; END
        """
    }

    func setUp(_ world: World) throws {
        world.log("try db.blocking.write { try $0.execute(#\"\"\"\n\(statements)\n\"\"\"#) }")
        try world.database.blocking.write { try $0.execute("\(raw: statements)") }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        let part = Int64(dice.number(below: 3))
        let deletes = dice.once(in: 3)
        let name = "names_\(suffix)"
        let sql =
            deletes
            ? "DELETE FROM \(name) WHERE part = \(part)"
            : "UPDATE \(name) SET name = 'beta ' || part WHERE part = \(part)"
        var new = world.model
        for id in new.items.keys where id % 3 == part {
            if deletes { new.items[id] = nil } else { new.items[id]?.name = "beta \(part)" }
        }
        world.log(transaction: ["try c.execute(\"\(sql)\")"])
        try world.transaction { try $0.execute("\(raw: sql)") }
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ connection: Connection, _ model: Model) throws {
        let count: Int = try connection.query("SELECT count(*) FROM \(name: "names_\(suffix)")")
        try require(count == model.items.count, "a view has \(count) of \(model.items.count) rows")
    }
}

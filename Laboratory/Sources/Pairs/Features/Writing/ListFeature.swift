import Squall

/// Statements with a list of values.
final class ListFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        let codes = world.model.rows.compactMap(\.code).filter { _ in dice.once(in: 2) } + [1_000]
        world.log(transaction: ["try c.run(\"UPDATE items SET note = 'listed beta' WHERE code IN \\(in: \(codes))\")"])
        var new = world.model
        for (id, row) in new.items where row.code.map(codes.contains) == true { new.items[id]?.note = "listed beta" }
        try world.transaction { try $0.run("UPDATE items SET note = 'listed beta' WHERE code IN \(in: codes)") }
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}

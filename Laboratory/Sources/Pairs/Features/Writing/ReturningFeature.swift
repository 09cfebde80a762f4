import Squall

/// A row that is returned as it was inserted.
final class ReturningFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        var id = Int64(dice.number(below: 40))
        while world.model.items[id] != nil { id += 1 }
        let row = ItemRow(id: id, &dice)
        world.log(transaction: ["_ = try c.table(items).insertReturning(\(row.swift(world.shape)))"])
        try world.transaction { connection in
            let returned = try world.verbs.insertReturning(connection, row)
            try require(returned.fingerprint == row.fingerprint, "returned \(returned) for \(row)")
        }
        var new = world.model
        new.items[id] = row
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}

import Squall

/// Writes and reads by the names of tables and columns, as Squeal does.
final class SquealFeature: FeatureParts {
    private var nextKey: Int64

    init(_ suffix: String) { nextKey = suffix == "a" ? 9_000 : suffix == "b" ? 9_300 : 9_600 }

    func setUp(_ world: World) throws {}

    func resume(_ world: World, as former: any FeatureParts) throws {
        nextKey = (former as? SquealFeature)?.nextKey ?? nextKey
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        var new = world.model
        var row = ItemRow(id: nextKey, &dice)
        row.seen = nil
        if world.shape.hasJSON { row.data = nil }
        nextKey += 1
        let part = Int64(dice.number(below: 3))
        let gone = dice.element(of: new.rows)
        let key = world.shape.key.value(row.id)
        world.log(
            transaction: [
                "let row = \(row.swift(world.shape))",
                "let values: [String: (any Settable)?] = [\"id\": \(world.shape.key.literal(row.id)), \"part\": row.part, "
                    + "\"name\": row.name, \"price\": row.price, \"note\": row.note, \"owner\": row.owner, "
                    + "\"stars\": row.stars, \"data\": row.data]",
                "try c.insert(into: \"items\", values)",
                "try c.update(\"items\", set: [\"note\": \"'by name ' || part\" as SQL, \"price\": nil], where: \"part = \(part)\")",
                gone.map { "try c.delete(from: \"items\", where: \"\(world.shape.condition($0.id))\")" } ?? "",
            ])
        try world.transaction { connection in
            let values: [String: (any Settable)?] = [
                "id": key, "part": row.part, "name": row.name, "price": row.price, "note": row.note, "owner": row.owner,
                "stars": row.stars, "data": row.data,
            ]
            try connection.insert(into: "items", values)
            let count = try connection.update(
                "items", set: ["note": "'by name ' || part" as SQL, "price": nil], where: "part = \(part)")
            let expected = new.rows.count { $0.part == part } + (row.part == part ? 1 : 0)
            try require(count == expected, "an update by name has changed \(count) of \(expected) rows")
            if let gone {
                let count = try connection.delete(from: "items", where: "\(raw: world.shape.condition(gone.id))")
                try require(count == 1, "a deletion by name has deleted \(count) rows")
            }
        }
        new.items[row.id] = row
        for id in new.items.keys where id % 3 == part {
            new.items[id]?.note = "by name \(part)"
            new.items[id]?.price = nil
        }
        if let gone { new.items[gone.id] = nil }
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ connection: Connection, _ model: Model) throws {
        let count = try connection.count("items", where: "note IS NULL")
        let expected = model.rows.count { $0.note == nil }
        try require(count == expected, "a count by name is \(count), not \(expected)")
        let stars: [Int64] = try connection.select("stars", from: "items", where: "part = 2", orderBy: "stars")
        try require(
            stars == model.rows.filter { $0.part == 2 }.map(\.stars).sorted(), "a selection by name has \(stars)")
    }
}

import SQiftFace
import Squall

/// Writes and reads with the calls of SQift.
final class SQiftFeature: FeatureParts {
    private var nextKey: Int64

    init(_ suffix: String) { nextKey = suffix == "a" ? 7_000 : suffix == "b" ? 7_300 : 7_600 }

    func setUp(_ world: World) throws {}

    func resume(_ world: World, as former: any FeatureParts) throws {
        nextKey = (former as? SQiftFeature)?.nextKey ?? nextKey
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        var row = ItemRow(id: nextKey, &dice)
        row.seen = nil
        nextKey += 1
        var values: [String: (any Bindable)?] = [
            "id": world.shape.key.value(row.id), "part": row.part, "name": row.name, "stars": row.stars,
        ]
        if let price = row.price { values["price"] = price }
        if let note = row.note { values["note"] = note }
        if let data = row.data { values["data"] = data }
        world.log("try db.executeWrite { c in try c.transaction { try c.run(\"INSERT …\", \(values)) } }")
        try SQiftFace.insert(values, into: world.database)
        var new = world.model
        new.items[row.id] = row
        try world.commit(new, by: self)
        let part = Int64(dice.number(below: 3))
        world.log("try db.executeWrite { try $0.prepare(\"UPDATE … SET note = ? WHERE part = ?\").bind(…).run() }")
        let count = try SQiftFace.mark("marked by an update hook", part: part, in: world.database)
        let rows = new.rows.filter { $0.part == part }
        try require(
            count == rows.count || world.shape.isWithoutRowID,
            "the update hook was told of \(count) of \(rows.count) rows")
        for row in rows { new.items[row.id]?.note = "marked by an update hook" }
        try world.commit(new, by: self)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        let names = try SQiftFace.names(in: world.database).map { Array($0.utf8).description }
        try require(
            names.sorted(), equals: world.model.rows.map { Array($0.name.utf8).description }.sorted(), "names by SQift")
    }
}

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
        if world.shape.hasJSON { row.data = nil }
        nextKey += 1
        var values: [String: (any Bindable)?] = [
            "id": world.shape.key.value(row.id), "part": row.part, "name": row.name, "stars": row.stars,
        ]
        if let price = row.price { values["price"] = price }
        if let note = row.note { values["note"] = note }
        if let data = row.data { values["data"] = data }
        world.log("// With the calls of SQift:")
        world.log("try db.blocking.write { c in \(Change.insert([row], .sql).swift(world.shape)) }")
        try SQiftFace.insert(values, into: world.database)
        var new = world.model
        new.items[row.id] = row
        try world.commit(new, by: self)
        let part = Int64(dice.number(below: 3))
        world.log(
            """
            try db.blocking.write { try $0.execute("UPDATE items SET note = 'marked by an update hook' WHERE part = \(part)") }
            """)
        let count = try SQiftFace.mark("marked by an update hook", part: part, in: world.database)
        let rows = new.rows.filter { $0.part == part }
        // A trigger that updates the row again is told too, and no row without a rowid is.
        let isRepeated = world.shape.hasTouch && count >= rows.count
        try require(
            count == rows.count || isRepeated || world.shape.isWithoutRowID,
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

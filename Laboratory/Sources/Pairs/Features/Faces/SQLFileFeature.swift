import Squall

/// Queries of the file `items.sql`, from which squall-sql has written functions.
final class SQLFileFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        let part = Int64(dice.number(below: 3))
        let note = dice.once(in: 3) ? nil : ItemRow.text(&dice)
        var new = world.model
        for (id, row) in new.items where row.part == part {
            new.items[id]?.note = note
            if row.stars > 5 { new.items[id]?.price = nil }
        }
        // The queries of the file.
        let notes = "UPDATE items SET note = \(note?.sqlText ?? "NULL") WHERE part = \(part)"
        let prices = "UPDATE items SET price = NULL WHERE part = \(part) AND stars > 5"
        world.log(transaction: ["try c.execute(#\"\(notes); \(prices)\"#)"])
        try world.transaction { _ = try $0.noteItems(note: note, part: part, stars: 5) }
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ connection: Connection, _ model: Model) throws {
        func text(_ name: String, _ note: String?, _ price: Double, _ stars: Int64) -> String {
            "\(Array(name.utf8)) \(note.map { Array($0.utf8) } ?? [0, 0]) \(price) \(stars)"
        }
        let found = try connection.pricedItems(part: 1).map { text($0.name, $0.note, $0.price, Int64($0.stars)) }
        let expected = model.rows.compactMap { row in
            row.price.flatMap { row.part == 1 ? text(row.name, row.note, $0 + 0, row.stars) : nil }
        }
        try require(found.sorted(), equals: expected.sorted(), "rows of a query in a file")
        let codes = model.rows.compactMap(\.code).map { Int($0) }
        let count = try connection.countOfCodes(codes: codes + [-1])
        try require(count == codes.count, "a query in a file counts \(count) of \(codes.count) codes")
    }
}

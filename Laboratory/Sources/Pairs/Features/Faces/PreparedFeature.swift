import Squall

/// Rows that are inserted with a prepared statement of a declared table, as in SQLite.swiftly.
final class PreparedFeature: FeatureParts {
    private var nextKey: Int64

    init(_ suffix: String) { nextKey = suffix == "a" ? 10_000 : suffix == "b" ? 10_300 : 10_600 }

    func setUp(_ world: World) throws {}

    func resume(_ world: World, as former: any FeatureParts) throws {
        nextKey = (former as? PreparedFeature)?.nextKey ?? nextKey
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        let rows = (0..<3).map { ItemRow(id: nextKey + $0, &dice) }
        nextKey += 3
        let values = TableShape.columns.map { "row.\($0)" }.joined(separator: ", ")
        world.log(
            transaction: [
                "let insert = try c.prepareInsert(into: items)",
                "for row in [\(rows.map { $0.swift(world.shape) }.joined(separator: ", "))] { try insert.run(\(values)) }",
            ])
        try world.transaction { try world.verbs.insertPrepared($0, rows) }
        var new = world.model
        for row in rows { new.items[row.id] = row }
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}

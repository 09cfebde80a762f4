import Squall

/// Pages of `items`, which together are all rows.
final class PagingFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        try world.write([.mark(part: Int64(dice.number(below: 3)))], nil, &dice)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        let rows = try world.database.blocking.read { try world.verbs.pages($0, 2) }
        try require(rows.map(\.stars) == rows.map(\.stars).sorted(by: >), "the order of pages: \(rows.map(\.stars))")
        try require(
            rows.sorted { $0.id < $1.id }.map(\.fingerprint), equals: world.model.rows.map(\.fingerprint),
            "rows of pages")
    }
}

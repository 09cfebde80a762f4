import Squall

/// Updates, deletions and insertions by typed queries, and the rows that they return.
final class TypedQueryFeature: FeatureParts {
    private let suffix: String

    init(_ suffix: String) { self.suffix = suffix }

    private var types: (item: String, owner: String) { ("QueriedItem_\(suffix)", "QueriedOwner_\(suffix)") }

    func setUp(_ world: World) throws {
        world.log(QueriedItem.swift(types.item))
        let owner = types.owner
        world.log(
            """
            struct \(owner): TableRecord {
                let id: Int64
                static let table = Table("authors", \(owner).init) { Column("id", \\\(owner).id, .primaryKey) }
            }
            """)
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        let shape = world.shape
        var new = world.model
        let statement = TypedStatement.random(new, &dice)
        let rows = statement.apply(to: &new)
        world.log(transaction: statement.swift(types, shape, writing: rows))
        try world.transaction { try statement.run($0, shape, writing: rows) }
        try world.commit(new, by: self, .surrounded)
    }

    /// Reads with the conditions of the statements.
    func check(_ connection: Connection, _ model: Model) throws {
        let found = try connection.all(QueriedItem.where { $0.price > 0.05 || $0.note == nil }).map(\.part)
        let expected = model.rows.filter(ItemFilter.pricedOrUnnoted.includes).map(\.part)
        try require(found.sorted() == expected.sorted(), "a typed query finds \(found), not \(expected)")
    }
}

import Squall

/// Records that are read with their relations: to one, to many, through a table, nested, in a join and in pages.
final class RelationFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    /// Reads inside a transaction, before its commit.
    func step(_ world: World, _ dice: inout Dice) throws {
        var new = world.model
        let change = Change.random(new, world.shape, &dice)
        change.apply(to: &new, world.shape)
        if world.shape.reference == .deferred, !new.hasAllAuthors { return }
        // Only the lane has the relations.
        world.log(transaction: [change.swift(world.shape)])
        try world.transaction { connection in
            try change.run(connection, world.verbs, world.shape)
            try Self.check(connection, new, "in a transaction")
        }
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        try world.database.blocking.read { try Self.check($0, world.model, "through a reader") }
    }

    private static func check(_ connection: Connection, _ model: Model, _ subject: String) throws {
        let owned = model.rows.map { Owned(part: $0.part, name: $0.name, ownerID: $0.owner, stars: $0.stars) }
        let owners = model.owners
        func items(of id: Int64) -> [String] { owned.filter { $0.ownerID == id }.map(\.text).sorted() }
        func known(_ id: Int64?) -> Int64? { id.flatMap { model.authors[$0] == nil ? nil : $0 } }

        let many = try connection.all(
            Owner.self, including: Owner.items.including(Owned.owner), Owner.partners)
        try require(
            many.map { owner, items, partners in
                "\(owner.id) \(owner.name) \(items.map { "\($0.0.text) of \($0.1?.id ?? -1)" }.sorted()) \(partners.map(\.id).sorted())"
            }.sorted(),
            equals: owners.map { owner in
                let partners = owned.filter { $0.ownerID == owner.id }.compactMap { known($0.part) }.sorted()
                return
                    "\(owner.id) \(owner.name) \(items(of: owner.id).map { "\($0) of \(owner.id)" }.sorted()) \(partners)"
            }.sorted(), "owners with their items \(subject)")

        let ones = try connection.all(Owned.self, including: Owned.owner.including(Owner.items))
        try require(
            ones.map { "\($0.text) \($1?.0.id ?? -1) \(($1?.1 ?? []).map(\.text).sorted())" }.sorted(),
            equals: owned.map { item in
                let id = known(item.ownerID)
                return "\(item.text) \(id ?? -1) \(id.map(items(of:)) ?? [])"
            }.sorted(), "items with their owners \(subject)")

        let joined = try connection.all(Owner.join(Owner.items).select { ($0.id, $1.stars) })
        try require(
            joined.map { "\($0) \($1)" }.sorted(),
            equals: owned.compactMap { item in known(item.ownerID).map { "\($0) \(item.stars)" } }.sorted(),
            "a join of a relation \(subject)")

        let page = try connection.page(Owner.order { $0.id }, size: 2, including: Owner.items)
        try require(
            page.items.map { "\($0.id) \($1.map(\.text).sorted())" },
            equals: owners.prefix(2).map { "\($0.id) \(items(of: $0.id))" }, "a page with a relation \(subject)")
        if let owner = owners.last {
            let items = try connection.all(Owner.items.where { $0.stars > 0 }, of: owner).map(\.text).sorted()
            let expected = owned.filter { $0.ownerID == owner.id && $0.stars > 0 }.map(\.text).sorted()
            try require(items, equals: expected, "some items of an owner \(subject)")
        }
    }
}

import Squall

/// Arrays and records of the program as tables of a statement.
final class ArrayFeature: FeatureParts {
    private let suffix: String

    init(_ suffix: String) { self.suffix = suffix }

    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        var new = world.model
        let codes = new.rows.map(\.code).filter { _ in dice.once(in: 2) } + [nil, 1_000]
        for (id, row) in new.items where row.code != nil && codes.contains(row.code) {
            new.items[id]?.note = "arrayed gamma"
        }
        let incoming = (0..<3).map { _ in
            Owner(id: Int64(dice.number(below: 6)), name: dice.choice(of: [.owner, .renamed]))
        }
        for owner in incoming { new.authors[owner.id] = owner.name.rawValue }
        let table = "incoming_\(suffix)"
        world.log(
            """
            try db.blocking.write { c in
                try c.run("UPDATE items SET note = 'arrayed gamma' WHERE code IN \\(array: \(codes))")
                try c.withTable("\(table)", \(incoming)) { try $0.run("INSERT INTO authors SELECT … ON CONFLICT …") }
            }
            """)
        try world.transaction { connection in
            try connection.run("UPDATE items SET note = 'arrayed gamma' WHERE code IN \(array: codes)")
            try connection.withTable(table, incoming) {
                try $0.run(
                    """
                    INSERT INTO authors(id, name) SELECT id, name FROM \(name: table) WHERE true
                    ON CONFLICT(id) DO UPDATE SET name = excluded.name
                    """)
            }
        }
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ world: World) throws {
        let keys = world.model.rows.reversed().map(\.id) + [777]
        let found = try world.database.blocking.read { try world.verbs.find($0, keys) }
        try require(
            found.map(\.fingerprint), equals: world.model.rows.reversed().map(\.fingerprint),
            "rows that were found by keys")
    }

    func check(_ connection: Connection, _ model: Model) throws {
        let keys: [Int64] = [3, 99, 0, 5, 3]
        let found = try connection.find(Owner.self, keys: keys).map(\.id)
        let expected = keys.filter { model.authors[$0] != nil }
        try require(found == expected, "find(keys:) returns \(found), not \(expected)")
        let places: [Int] = try connection.query(
            "SELECT a.rowid FROM \(array: keys) AS a JOIN authors ON authors.id = a.value ORDER BY a.rowid")
        let positions = keys.indices.filter { model.authors[keys[$0]] != nil }.map { $0 + 1 }
        try require(places == positions, "an array joins at \(places), not \(positions)")
    }
}

import Squall
import StorageFace

/// Writes and reads with the storage of SQLiteORM.
final class StorageFeature: FeatureParts {
    private var nextKey: Int64

    init(_ suffix: String) { nextKey = suffix == "a" ? 8_000 : suffix == "b" ? 8_300 : 8_600 }

    func shape(_ shape: inout TableShape) { shape.readsBytes = true }

    func setUp(_ world: World) throws {}

    /// Deletes the row of a step that was killed, whose key other features may use.
    func resume(_ world: World, as former: any FeatureParts) throws {
        try world.database.blocking.write { try $0.run("DELETE FROM items WHERE note = 'replaced gamma'") }
        try world.takeRows()
        nextKey = (former as? StorageFeature)?.nextKey ?? nextKey
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        switch world.shape.key {
        case .text, .uuid: try write(ItemStorage<String>(world.database), world, &dice)
        case .integer, .autoincrement, .untyped, .composite:
            try write(
                ItemStorage<Int64>(world.database, hasTwoKeys: world.shape.key == .composite), world, &dice)
        }
    }

    /// Inserts, replaces, updates and deletes rows in one transaction, and reads all.
    private func write<Key>(_ storage: ItemStorage<Key>, _ world: World, _ dice: inout Dice) throws {
        var new = world.model
        var added = ItemRow(id: nextKey, &dice)
        added.seen = nil
        nextKey += 1
        let gone = dice.element(of: new.rows)
        var changed = dice.element(of: new.rows.filter { $0.id != gone?.id })
        changed?.name = "stored delta"
        changed?.price = 12.5
        changed?.data = nil
        log(added, gone, changed, world)
        try storage.transaction {
            if world.shape.hasRowIDKey {
                // SQLite assigns the key, on which another column of the model depends.
                added.id = try storage.insert(item(added, world))
                try require(
                    new.items[added.id] == nil, "a storage has inserted a row with the key \(added.id) of another")
            }
            added.note = "replaced gamma"
            try storage.replace(item(added, world))
            if let gone { try require(storage.delete(item(gone, world)), "a storage deletes no row") }
            if let changed { try require(storage.update(item(changed, world)), "a storage updates no row") }
        }
        new.items[added.id] = added
        if let gone { new.items[gone.id] = nil }
        if let changed { new.items[changed.id] = changed }
        try world.commit(new, by: self)
        let found = try storage.all().map {
            "\($0.id) \(Array($0.name.utf8)) \($0.stars) \($0.code ?? -1) \($0.data?.count ?? -1)"
        }
        let expected = try new.rows.map { row in
            let item: StoredItem<Key> = try item(row, world)
            return "\(item.id) \(Array(row.name.utf8)) \(row.stars) \(row.code ?? -1) \(row.data?.count ?? -1)"
        }
        try require(found.sorted(), equals: expected.sorted(), "rows of a storage")
        // The next key is one that other features may use.
        world.log("try db.blocking.write { c in \(Change.delete(added, .sql).swift(world.shape)) }")
        try require(storage.delete(item(added, world)), "a storage does not delete what it has inserted")
        new.items[added.id] = nil
        try world.commit(new, by: self)
    }

    /// Adds the changes of the storage to the Swift of the run, as SQL.
    private func log(_ added: ItemRow, _ gone: ItemRow?, _ changed: ItemRow?, _ world: World) {
        let shape = world.shape
        var replaced = added
        replaced.note = "replaced gamma"
        var lines: [String] = []
        if shape.hasRowIDKey {
            let columns = TableShape.columns.dropFirst(2).joined(separator: ", ")
            func values(_ row: ItemRow) -> String { row.sqlValues(shape).dropFirst(2).joined(separator: ", ") }
            lines = [
                "INSERT INTO items(part, \(columns)) VALUES(\(added.part), \(values(added)))",
                "REPLACE INTO items(id, part, \(columns)) SELECT max(id), max(id) % 3, \(values(replaced)) FROM items",
            ].map { "    try c.execute(#\"\($0)\"#)" }
        } else {
            lines = ["    " + Change.replace(replaced, .sql).swift(shape)]
        }
        if let gone { lines.append("    " + Change.delete(gone, .sql).swift(shape)) }
        if let changed { lines.append("    " + Change.update(changed, .sql).swift(shape)) }
        world.log("// With the calls of SQLiteORM:\ntry db.blocking.write { c in\n\(lines.joined(separator: "\n"))\n}")
    }

    private func item<Key>(_ row: ItemRow, _ world: World) throws -> StoredItem<Key> {
        var item = StoredItem<Key>()
        guard let key = world.shape.key.value(row.id) as? Key else {
            throw Violation(description: "the storage has keys of another type")
        }
        (item.id, item.part, item.name, item.price) = (key, row.part, row.name, row.price)
        (item.note, item.owner, item.stars, item.code, item.data) = (row.note, row.owner, row.stars, row.code, row.data)
        return item
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}

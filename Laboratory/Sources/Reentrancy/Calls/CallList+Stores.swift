import SquallStore
import Squall

extension CallList {
    /// Calls of a database as a store, and of its connections: tasks that begin in the situation.
    mutating func addStoreCalls() {
        begin("Database")
        task("read(deadline:_:)") { database, _ in
            try await database.read(deadline: .seconds(600)) { (connection: StoreConnection) in
                _ = try await connection.count(Item.self)
            }
        }
        task("write(deadline:_:)") { database, _ in
            try await database.write(deadline: .seconds(600)) { (connection: StoreConnection) in
                _ = try await connection.run("UPDATE items SET price = 4 WHERE id = 4")
            }
        }
        task("write(idempotencyKey:deadline:_:)") { database, _ in
            try await database.write(idempotencyKey: "key", deadline: .seconds(600)) {
                try await $0.run("UPDATE items SET price = 4 WHERE id = 4").changes
            }
        }
        task("migrate(_:)") { database, _ in
            func migrate(_ store: some SQLStore) async throws { try await store.migrate(Content.schema) }
            try await migrate(database)
        }
        begin("Schema")
        store("migrateNextVersion(_:withForeignKeysOff:)") {
            _ = try await Content.schema.migrateNextVersion($0, withForeignKeysOff: false)
        }
        begin("StoreConnection")
        addStoreQueries()
        addStoreRecords()
        begin("StoreConnection.TableAccess")
        addStoreTable()
    }

    private mutating func addStoreQueries() {
        store("init(_:)") { _ in _ = StoreConnection(NoRunner()) }
        store("run(_:_:)") { _ = try await $0.run("UPDATE items SET price = ? WHERE id = 4", 4) }
        store("run(_:_:)") { _ = try await $0.run("UPDATE items SET price = :price WHERE id = 4", ["price": 4]) }
        store("execute(_:)") { try await $0.execute("CREATE TABLE more(a); DROP TABLE more") }
        store("once(_:lifetime:_:)") { _ = try await $0.once("key") { _ in 1 } }
        store("decode(_:as:ofKey:)") { _ in _ = try? StoreConnection.decode(nil, as: Int.self, ofKey: "key") }
        store("query(_:_:)") { let _: Int = try await $0.query("SELECT count(*) FROM items") }
        store("query(_:_:)") { _ = try await $0.query("SELECT * FROM items") }
        store("query(_:_:)") {
            let _: [Int] = try await $0.query("SELECT id FROM items WHERE id > :id", ["id": 1])
        }
        store("query(_:_:of:)") {
            for _: String in try await $0.query("SELECT name FROM items") {}
        }
        store("query(_:_:as:)") { _ = try await $0.query("SELECT * FROM items", as: Row.self) }
        store("query(_:_:as:userInfo:)") { _ = try await $0.query("SELECT * FROM items", as: [Item].self) }
        store("query(_:_:body:)") { _ = try await $0.query("SELECT * FROM items") { try $0.get(0) as Int } }
        store("query(_:_:as:body:)") {
            _ = try await $0.query("SELECT * FROM items", as: Int.self) { try $0.get(0) }
        }
        store("forEach(_:_:body:)") { try await $0.forEach("SELECT * FROM items") { _ in } }
    }

    private mutating func addStoreRecords() {
        store("all(_:)") { _ = try await $0.all(Item.where { $0.price > 1 }) }
        store("all(_:where:)") { _ = try await $0.all(Item.self) }
        store("first(_:)") { _ = try await $0.first(Item.where { $0.price > 1 }) }
        store("first(_:where:)") { _ = try await $0.first(Item.self) }
        store("find(_:_:_:)") { _ = try await $0.find(Item.self, 1) }
        store("count(_:)") { _ = try await $0.count(Item.where { $0.price > 1 }) }
        store("count(_:where:)") { _ = try await $0.count(Item.self) }
        store("exists(_:)") { _ = try await $0.exists(Item.where { $0.price > 1 }) }
        store("exists(_:where:)") { _ = try await $0.exists(Item.self) }
        store("insert(_:)") { _ = try await $0.insert(Item(id: nil, name: "new", price: 1)) }
        store("insert(contentsOf:)") { _ = try await $0.insert(contentsOf: [Item(id: nil, name: "new", price: 1)]) }
        store("upsert(_:onConflict:)") { try await $0.upsert(Item(id: 4, name: "four", price: 4)) }
        store("update(_:_:)") { _ = try await $0.update(Item(id: 4, name: "four", price: 4)) }
        store("update(_:set:where:)") {
            _ = try await $0.update(Item.self, set: { $0.price.set(to: 4) }, where: { $0.id == 4 })
        }
        store("delete(_:)") { _ = try await $0.delete(Item(id: 99, name: "", price: 0)) }
        store("delete(_:where:)") { _ = try await $0.delete(Item.self) { $0.id == 99 } }
        store("table(_:)") { _ = $0.table(Item.table) }
    }

    private mutating func addStoreTable() {
        store("all(where:)") { _ = try await $0.table(Item.table).all() }
        store("first(where:)") { _ = try await $0.table(Item.table).first() }
        store("find(_:_:)") { _ = try await $0.table(Item.table).find(1) }
        store("count(where:)") { _ = try await $0.table(Item.table).count() }
        store("exists(where:)") { _ = try await $0.table(Item.table).exists() }
        store("insert(_:)") { _ = try await $0.table(Item.table).insert(Item(id: nil, name: "new", price: 1)) }
        store("insert(contentsOf:)") {
            _ = try await $0.table(Item.table).insert(contentsOf: [Item(id: nil, name: "new", price: 1)])
        }
        store("upsert(_:onConflict:)") { try await $0.table(Item.table).upsert(Item(id: 4, name: "four", price: 4)) }
        store("update(_:_:)") { _ = try await $0.table(Item.table).update(Item(id: 4, name: "four", price: 4)) }
        store("update(set:where:)") {
            _ = try await $0.table(Item.table).update(set: { $0.price.set(to: 4) }, where: { $0.id == 4 })
        }
        store("delete(_:)") { _ = try await $0.table(Item.table).delete(Item(id: 99, name: "", price: 0)) }
        store("delete(where:)") { _ = try await $0.table(Item.table).delete { $0.id == 99 } }
    }

    /// A call of a connection of a store, the database of the ground.
    private mutating func store(_ name: String, _ body: @escaping @Sendable (StoreConnection) async throws -> Void) {
        task(name) { database, _ in
            try await database.write(deadline: .seconds(600)) { (connection: StoreConnection) in
                try await body(connection)
            }
        }
    }

    /// The runner of a connection that runs nothing.
    private struct NoRunner: SQLRunner {
        func run(_ sql: SQL) async throws -> RunResult { RunResult(changes: 0, lastInsertRowID: 0) }

        func execute(_ script: SQL) async throws {}

        func query<Value: Sendable>(
            _ sql: SQL, rows: QueriedRows, _ read: @escaping @Sendable (Connection, SQL) throws -> Value
        ) async throws -> Value {
            try read(Connection(), sql)
        }
    }
}

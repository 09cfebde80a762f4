import SquallStore
import Squall

extension CallList {
    /// Calls of a database as a store, and of its sessions: tasks that begin in the situation.
    mutating func addStoreCalls() {
        begin("Database")
        task("read(deadline:_:)") { database, _ in
            try await database.read(deadline: .seconds(600)) { (session: SQLSession) in
                _ = try await session.count(Item.self)
            }
        }
        task("write(deadline:_:)") { database, _ in
            try await database.write(deadline: .seconds(600)) { (session: SQLSession) in
                _ = try await session.run("UPDATE items SET price = 4 WHERE id = 4")
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
        session("migrateNextVersion(_:withForeignKeysOff:)") {
            _ = try await Content.schema.migrateNextVersion($0, withForeignKeysOff: false)
        }
        begin("SQLSession")
        addSessionQueries()
        addSessionRecords()
        begin("SQLSession.TableAccess")
        addSessionTable()
    }

    private mutating func addSessionQueries() {
        session("init(_:)") { _ in _ = SQLSession(NoRunner()) }
        session("run(_:_:)") { _ = try await $0.run("UPDATE items SET price = ? WHERE id = 4", 4) }
        session("run(_:_:)") { _ = try await $0.run("UPDATE items SET price = :price WHERE id = 4", ["price": 4]) }
        session("execute(_:)") { try await $0.execute("CREATE TABLE more(a); DROP TABLE more") }
        session("once(_:lifetime:_:)") { _ = try await $0.once("key") { _ in 1 } }
        session("decode(_:as:ofKey:)") { _ in _ = try? SQLSession.decode(nil, as: Int.self, ofKey: "key") }
        session("query(_:_:)") { let _: Int = try await $0.query("SELECT count(*) FROM items") }
        session("query(_:_:)") { _ = try await $0.query("SELECT * FROM items") }
        session("query(_:_:)") {
            let _: [Int] = try await $0.query("SELECT id FROM items WHERE id > :id", ["id": 1])
        }
        session("query(_:_:of:)") {
            for _: String in try await $0.query("SELECT name FROM items") {}
        }
        session("query(_:_:as:)") { _ = try await $0.query("SELECT * FROM items", as: Row.self) }
        session("query(_:_:as:userInfo:)") { _ = try await $0.query("SELECT * FROM items", as: [Item].self) }
        session("query(_:_:body:)") { _ = try await $0.query("SELECT * FROM items") { try $0.get(0) as Int } }
        session("query(_:_:as:body:)") {
            _ = try await $0.query("SELECT * FROM items", as: Int.self) { try $0.get(0) }
        }
        session("forEach(_:_:body:)") { try await $0.forEach("SELECT * FROM items") { _ in } }
    }

    private mutating func addSessionRecords() {
        session("all(_:)") { _ = try await $0.all(Item.where { $0.price > 1 }) }
        session("all(_:where:)") { _ = try await $0.all(Item.self) }
        session("first(_:)") { _ = try await $0.first(Item.where { $0.price > 1 }) }
        session("first(_:where:)") { _ = try await $0.first(Item.self) }
        session("find(_:_:_:)") { _ = try await $0.find(Item.self, 1) }
        session("count(_:)") { _ = try await $0.count(Item.where { $0.price > 1 }) }
        session("count(_:where:)") { _ = try await $0.count(Item.self) }
        session("exists(_:)") { _ = try await $0.exists(Item.where { $0.price > 1 }) }
        session("exists(_:where:)") { _ = try await $0.exists(Item.self) }
        session("insert(_:)") { _ = try await $0.insert(Item(id: nil, name: "new", price: 1)) }
        session("insert(contentsOf:)") { _ = try await $0.insert(contentsOf: [Item(id: nil, name: "new", price: 1)]) }
        session("upsert(_:onConflict:)") { try await $0.upsert(Item(id: 4, name: "four", price: 4)) }
        session("update(_:_:)") { _ = try await $0.update(Item(id: 4, name: "four", price: 4)) }
        session("update(_:set:where:)") {
            _ = try await $0.update(Item.self, set: { $0.price.set(to: 4) }, where: { $0.id == 4 })
        }
        session("delete(_:)") { _ = try await $0.delete(Item(id: 99, name: "", price: 0)) }
        session("delete(_:where:)") { _ = try await $0.delete(Item.self) { $0.id == 99 } }
        session("table(_:)") { _ = $0.table(Item.table) }
    }

    private mutating func addSessionTable() {
        session("all(where:)") { _ = try await $0.table(Item.table).all() }
        session("first(where:)") { _ = try await $0.table(Item.table).first() }
        session("find(_:_:)") { _ = try await $0.table(Item.table).find(1) }
        session("count(where:)") { _ = try await $0.table(Item.table).count() }
        session("exists(where:)") { _ = try await $0.table(Item.table).exists() }
        session("insert(_:)") { _ = try await $0.table(Item.table).insert(Item(id: nil, name: "new", price: 1)) }
        session("insert(contentsOf:)") {
            _ = try await $0.table(Item.table).insert(contentsOf: [Item(id: nil, name: "new", price: 1)])
        }
        session("upsert(_:onConflict:)") { try await $0.table(Item.table).upsert(Item(id: 4, name: "four", price: 4)) }
        session("update(_:_:)") { _ = try await $0.table(Item.table).update(Item(id: 4, name: "four", price: 4)) }
        session("update(set:where:)") {
            _ = try await $0.table(Item.table).update(set: { $0.price.set(to: 4) }, where: { $0.id == 4 })
        }
        session("delete(_:)") { _ = try await $0.table(Item.table).delete(Item(id: 99, name: "", price: 0)) }
        session("delete(where:)") { _ = try await $0.table(Item.table).delete { $0.id == 99 } }
    }

    /// A call of a session of the database of the ground.
    private mutating func session(_ name: String, _ body: @escaping @Sendable (SQLSession) async throws -> Void) {
        task(name) { database, _ in
            try await database.write(deadline: .seconds(600)) { (session: SQLSession) in try await body(session) }
        }
    }

    /// The runner of a session that runs nothing.
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

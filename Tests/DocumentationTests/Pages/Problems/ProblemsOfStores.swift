// swift-format-ignore-file
import Foundation
import SQLiteORMCompatibility
import Squall
import SquallStore
import SquallTestSupport
import Testing

/// The `swift` blocks about problems of the pages "Beyond one machine" and "Coming from SQLiteORM".
struct StoreProblemSnippets {
    @Test func stores() async throws {
        let store = try Database()
        var messages: [String] = []
        func print(_ message: String) { messages.append(message) }
        try await store.write { try await $0.execute("CREATE TABLE orders(id INTEGER PRIMARY KEY, text TEXT)") }

        do {
            let kept = try await store.write { (connection: StoreConnection) in connection }
            try await kept.run("DELETE FROM orders")
        } catch let error as SQLiteError
            where error.problem(StoreProblem.self) == .connectionReturned
        {
            print(error.message)
            // the connection of a store is used after its closure has ended
        }

        // A key that another part of the app has used, whose result is a text.
        let name = try await store.write(idempotencyKey: "order 1") { (_) async in "Ada" }
        do {
            let id: Int = try await store.write(idempotencyKey: "order 1") { (_) async in 7 }
            print("order \(id)")
        } catch let error as SQLiteError {
            guard case .storedResult(let key, _)? = error.problem(StoreProblem.self) else {
                throw error
            }
            print("use another key than \(key)")
        }

        let schema = Schema("shop") { Version(1) { Execute("CREATE TABLE items(id)") } }
        do {
            try await store.write { (connection: StoreConnection) in
                try await connection.execute("""
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET sql = 'DROP TABLE orders' WHERE name = 'orders'
                    """)
                _ = try await schema.migrateNextVersion(
                    connection, withForeignKeysOff: false)
            }
        } catch SchemaError.damagedSchema(let reason) {
            print(reason)
            // the definition of table "orders" is: DROP TABLE orders
        }
        #expect(name == "Ada")
        #expect(messages == ["the connection of a store is used after its closure has ended", "use another key than order 1", #"the definition of table "orders" is: DROP TABLE orders"#])
    }

    private struct User: Initializable { var id = 0, name = "" }
    private struct Group: Initializable { var id = 0 }

    private let users = Table("users", User.self) {
        Column("id", \User.id, .primaryKey)
        Column("name", \User.name)
    }

    @Test func storages() throws {
        let storage = try Storage(":memory:", users)
        expect(StorageProblem.unknownRecord(type: "Group"), """
            the storage has no table of Group
            """) {
            try storage.insert(Group(id: 1))
        }
        // A table of the same records is declared with another record type.
        expect(StorageProblem.declaredTwice, """
            the table "users" is the second one of its record type
            """) {
            try Storage(":memory:", users, users)
        }
    }
}

import SquallTestSupport
import Testing

import Squall

@testable import SquallStore

/// The verbs of a connection of a store, which return what those of a database's return.
struct StoreConnectionTests {
    private let database: Database
    private var store: PatientStore { PatientStore(database: database) }

    init() throws {
        database = try Database()
        try database.blocking.writeWithoutTransaction { connection in
            try connection.create(User.table)
            for (name, age) in [("Ada", 36), ("Bo", 17), ("Cy", 3)] {
                try connection.insert(User(id: nil, name: name, email: nil, age: age))
            }
        }
    }

    private struct Person: Decodable, Equatable, Sendable {
        let name: String
        let age: Int
    }

    @Test func eachFormOfAQuery() async throws {
        try await store.read { (connection: StoreConnection) async throws -> Void in
            let count: Int = try await connection.query("SELECT count(*) FROM users")
            #expect(count == 3)
            let limit = 10
            let names: [String] = try await connection.query("SELECT name FROM users WHERE age > \(limit)")
            #expect(names == ["Ada", "Bo"])
            let none: String? = try await connection.query("SELECT name FROM users WHERE age > ?", 99)
            #expect(none == nil)
            #expect(try await connection.query("SELECT name FROM users WHERE age > ? ORDER BY age", 17) == "Ada")
            let second = try await connection.query("SELECT name FROM users WHERE id = ?", 2) {
                try $0.get(0) as String + "!"
            }
            #expect(second == "Bo!")
            let third = try await connection.query("SELECT name FROM users WHERE id = ?", 9) { try $0.get(0) as String }
            #expect(third == nil)
            let ages: [String: Int] = try await connection.query("SELECT name, age FROM users")
            #expect(ages == ["Ada": 36, "Bo": 17, "Cy": 3])
            let people: [Person] = try await connection.query("SELECT * FROM users WHERE name = :name", ["name": "Bo"])
            #expect(people == [Person(name: "Bo", age: 17)])
            let first: Person = try await connection.query("SELECT * FROM users ORDER BY age", as: Person.self)
            #expect(first == Person(name: "Cy", age: 3))
            let row = try await connection.query("SELECT name, email FROM users WHERE id = ?", 1)
            #expect(try row?.get("name") == "Ada")
            let rows = try await connection.query("SELECT name FROM users ORDER BY id", as: Row.self)
            #expect(try rows.map { try $0.get(0) as String } == ["Ada", "Bo", "Cy"])
            let upper: [String] = try await connection.query("SELECT name FROM users") { try $0.get(0) as String + "!" }
            #expect(upper == ["Ada!", "Bo!", "Cy!"])
            let sum = Shared(0)
            try await connection.forEach("SELECT age FROM users") { row in
                let age: Int = try row.get(0)
                sum.update { $0 += age }
            }
            #expect(sum.value == 56)
            var list: [String] = []
            for name: String in try await connection.query("SELECT name FROM users") { list.append(name) }
            #expect(list == ["Ada", "Bo", "Cy"])
        }
    }

    @Test func theRecordsOfATable() async throws {
        try await database.write { try $0.create(points) }
        try await store.write { (connection: StoreConnection) async throws -> Void in
            let table = connection.table(points)
            #expect(try await table.insert(Point(x: 1, y: 1, label: "a")) == 1)
            try await table.insert(contentsOf: [Point(x: 2, y: 1, label: "b"), Point(x: 3, y: 1, label: "c")])
            try await table.upsert(Point(x: 3, y: 1, label: "d"))
            #expect(try await table.find(3, 1)?.label == "d")
            #expect(try await table.update(Point(x: 1, y: 1, label: "A")))
            #expect(try await table.update(Point(x: 9, y: 1), \.label) == false)
            #expect(try await table.update(set: { $0.label.set(to: "B") }, where: { $0.x == 2 }) == 1)
            #expect(try await table.all { $0.x < 3 }.map(\.label) == ["A", "B"])
            #expect(try await table.first { $0.x > 1 }?.label == "B")
            #expect(try await table.delete(Point(x: 1, y: 1)))
            #expect(try await table.delete { $0.x == 2 } == 1)
            #expect(try await table.count() == 1)
            #expect(try await table.exists { $0.x == 2 } == false)
        }
    }

    @Test func aResultThatDoesNotFitThrows() async throws {
        await #expect(throws: ConversionError.self) {
            try await store.read { (connection: StoreConnection) async throws -> Void in
                let _: Int = try await connection.query("SELECT name FROM users")
            }
        }
        await #expect(throws: ConversionError.self) {
            try await store.read { (connection: StoreConnection) async throws -> Void in
                let _: Int = try await connection.query("SELECT age FROM users WHERE id = 99")
            }
        }
        let error = await #expect(throws: SQLiteError.self) {
            try await store.read { try await $0.run("DELETE FROM users") }
        }
        #expect(error?.resultCode == .readOnly)
    }

    @Test func recordsAreWrittenAndRead() async throws {
        let id = try await store.write { (connection: StoreConnection) async throws -> Int64 in
            let id = try await connection.insert(User(id: nil, name: "Di", email: "d@x", age: 50))
            let isChanged = try await connection.update(User(id: id, name: "Dee", email: nil, age: 51), \.name, \.email)
            #expect(isChanged)
            return id
        }
        let expected = User(id: id, name: "Dee", email: nil, age: 50)
        try await store.read { (connection: StoreConnection) async throws -> Void in
            #expect(try await connection.find(User.self, id) == expected)
            #expect(try await connection.first(User.self) { $0.name == "Dee" } == expected)
            #expect(
                try await connection.all(User.where { $0.age > 17 }.order { $0.age.descending }).map(\.name) == [
                    "Dee", "Ada",
                ])
            #expect(try await connection.first(User.where { $0.age < 4 }.select { $0.name }) == "Cy")
            #expect(try await connection.all(User.self) { $0.age < 20 }.count == 2)
            #expect(try await connection.count(User.self) { $0.age < 20 } == 2)
            #expect(try await connection.count(User.where { $0.age < 4 }) == 1)
            #expect(try await connection.exists(User.self) { $0.age == 3 })
            #expect(try await connection.exists(User.where { $0.age == 4 }) == false)
        }
        try await store.write { (connection: StoreConnection) async throws -> Void in
            try await connection.upsert(User(id: id, name: "Ed", email: nil, age: 52))
            #expect(try await connection.find(User.self, id)?.name == "Ed")
            #expect(try await connection.update(User(id: 99, name: "", email: nil, age: 0)) == false)
            #expect(
                try await connection.update(User.self, set: { $0.age.set(to: $0.age + 1) }, where: { $0.age < 20 }) == 2
            )
            #expect(try await connection.delete(User(id: id, name: "", email: nil, age: 0)))
            #expect(try await connection.delete(User.self) { $0.age == 4 } == 1)
            #expect(try await connection.count(User.self) == 2)
        }
    }

    @Test func manyRecordsAreInserted() async throws {
        let users = (0..<1000).map { User(id: nil, name: "user \($0)", email: nil, age: $0) }
        try await store.write { (connection: StoreConnection) async throws -> Void in
            try await connection.insert(contentsOf: users)
            try await connection.insert(contentsOf: [] as [User])
        }
        let ages: [Int] = try await store.read { try await $0.query("SELECT age FROM users WHERE id > 3 ORDER BY id") }
        #expect(ages == Array(0..<1000))
    }

    @Test func aRecordWithoutAKeyIsRefused() async throws {
        let user = User(id: nil, name: "", email: nil, age: 0)
        for verb in [
            { @Sendable (connection: StoreConnection) in _ = try await connection.update(user) },
            { @Sendable (connection: StoreConnection) in _ = try await connection.delete(user) },
        ] {
            let error = await #expect(throws: SQLiteError.self) {
                try await store.write { (connection: StoreConnection) in try await verb(connection) }
            }
            #expect(error?.kind == .problem(TableProblem.missingKey(column: "id"), of: .table("users")))
        }
    }

    @Test func aRunTellsWhatItChanged() async throws {
        try await store.write { (connection: StoreConnection) async throws -> Void in
            let update = try await connection.run("UPDATE users SET age = age + ? WHERE age > ?", 1, 10)
            #expect(update.changes == 2)
            let insert = try await connection.run(
                "INSERT INTO users(name, age) VALUES(:name, :age)", ["name": "Fay", "age": 1])
            #expect(insert == RunResult(changes: 1, lastInsertRowID: 4))
            try await connection.execute("DELETE FROM users WHERE id = 4; CREATE TABLE more(x)")
            #expect(try await connection.query("SELECT count(*) FROM more") == 0)
        }
    }

    @Test func resultsOfManyRowsDemandAllRows() {
        #expect(QueriedRows(for: [Int].self) == .all)
        #expect(QueriedRows(for: [Person]?.self) == .all)
        #expect(QueriedRows(for: Int?.self) == .first)
    }

    @Test func longListsAreFittedForAnotherPlace() throws {
        let list = Array(1...200)
        let (text, parameters) = try ("SELECT \(in: list)" as SQL).portable(parameterLimit: 255)
        #expect(text.hasPrefix("SELECT (?, ?") && parameters.count == 200)
        let long = try ("SELECT \(in: Array(1...300))" as SQL).portable(parameterLimit: 255)
        #expect(long.parameters.count == 1)
    }

    @Test func aValueThatCannotBeStoredIsNotSent() {
        #expect(throws: SQLiteError.self) { try ("SELECT \(Double.nan)" as SQL).portable() }
    }

    private struct Tag: Equatable {
        let name: String
    }

    /// There is nothing to set: the row is looked for.
    @Test func anUpdateOfAKeyAlone() async throws {
        let tags = Table("tags", Tag.init) { Column("name", \Tag.name, .primaryKey) }
        try await database.write { try $0.create(tags) }
        try await store.write { (connection: StoreConnection) async throws -> Void in
            let table = connection.table(tags)
            try await table.insert(Tag(name: "red"))
            #expect(try await table.update(Tag(name: "red")))
            #expect(try await table.update(Tag(name: "blue")) == false)
            #expect(try await table.all() == [Tag(name: "red")])
        }
    }
}

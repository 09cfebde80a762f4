import Foundation
import SquallTestSupport
import Testing

@testable import Squall

struct ByNameTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.createTable(
            "contacts", ["id INTEGER PRIMARY KEY", "name TEXT", "email TEXT UNIQUE", "hits INTEGER DEFAULT 0"]
        )
        try connection.insert(into: "contacts", ["name": "Amelia Grey", "email": "amelia@gastrobot.xyz"])
        try connection.insert(into: "contacts", ["name": "Bo", "email": nil, "hits": 3])
    }

    struct Contact: ExpressibleByRow, Equatable {
        let id: Int
        let name: String?

        init(row: Row) throws {
            id = try row.get("id")
            name = try row.get("name")
        }
    }

    @Test func anIndexThatExistsIsAnErrorUnlessItMay() throws {
        let connection = try Connection()
        try connection.run("CREATE TABLE t(a)")
        try connection.createIndex("t_a", on: "t", "a")
        #expect(try sqliteError { try connection.createIndex("t_a", on: "t", "a") }.message.contains("already exists"))
        try connection.createIndex("t_a", on: "t", "a", ifNotExists: true)
    }

    @Test func insertReturnsTheRowID() throws {
        #expect(try connection.insert(into: "contacts", ["id": 7, "name": "Cy"]) == 7)
        #expect(try connection.insert(into: "contacts", ["id": 7, "name": "Dee"], or: .replace) == 7)
        #expect(try connection.insert(into: "contacts", ["id": 7, "name": "Eve"], or: .ignore) == 0)
        #expect(try connection.insert(into: "contacts", [:]) == 8)
        let values: [String: String] = ["name": "Flo", "email": "f@x.org"]
        #expect(try connection.insert(into: "contacts", values) == 9)
        let names: [String] = try connection.select("name", from: "contacts", where: "id = 7")
        #expect(names == ["Dee"])
    }

    @Test func selectDecodes() throws {
        struct Hits: Decodable, Equatable {
            let name: String
            let hits: Int
        }
        let all: [Hits] = try connection.select("name", "hits", from: "contacts", orderBy: "name")
        #expect(all == [Hits(name: "Amelia Grey", hits: 0), Hits(name: "Bo", hits: 3)])
        let first: Hits? = try connection.select(from: "contacts", where: "hits > 1")
        #expect(first == Hits(name: "Bo", hits: 3))
        let none: Hits? = try connection.select(from: "contacts", where: "hits > 9")
        #expect(none == nil)
    }

    @Test func select() throws {
        let least = 1
        let names = try connection.select(
            "name", from: "contacts", where: "id >= \(least)", orderBy: "name DESC", limit: 10
        ) { try $0.get("name", as: String.self) }
        #expect(names == ["Bo", "Amelia Grey"])
        let contacts: [Contact] = try connection.select(from: "contacts", where: "name IS NOT NULL")
        #expect(contacts.map(\.id) == [1, 2])
        let first: Contact? = try connection.select(from: "contacts", orderBy: "id DESC")
        #expect(first?.name == "Bo")
        let counts: [Int] = try connection.select("hits", from: "contacts", orderBy: "hits", limit: 1, offset: 1)
        #expect(counts == [3])
        #expect(try connection.selectIDs(from: "contacts", where: "hits > 0") == [2])
        #expect(try connection.selectIDs(from: "contacts", orderBy: "name", offset: 1) == [2])
        #expect(throws: SQLiteError.self) {
            let _: [String] = try connection.select("nmae", from: "contacts")
        }
    }

    @Test func updateAndDelete() throws {
        let id = 2
        let set = try connection.update(
            "contacts", set: ["hits": "hits + 1" as SQL, "name": "Bob"], where: "id = \(id)")
        #expect(set == 1)
        #expect(try connection.select("hits", from: "contacts", orderBy: "id") == [0, 4])
        #expect(try connection.update("contacts", rowIDs: [1, 2, 99], set: ["hits": 9]) == 2)
        #expect(try connection.update("contacts", rowIDs: [], set: ["hits": 9]) == 0)
        #expect(try connection.count("contacts", where: "hits = 9") == 2)
        #expect(try connection.delete(from: "contacts", where: "name = \("Bob")") == 1)
        #expect(try connection.delete(from: "contacts", rowIDs: 1...5000) == 1)
        #expect(try connection.count("contacts") == 0)
        #expect(try sqliteError { try connection.update("contacts", set: [:]) }.message == "the update sets no column")
    }

    @Test func upsert() throws {
        try connection.upsert(
            into: "contacts", ["email": "amelia@gastrobot.xyz", "name": "A. Grey", "hits": 5], onConflict: "email"
        )
        #expect(try connection.count("contacts") == 2)
        #expect(try connection.select("name", from: "contacts", where: "hits = 5") == ["A. Grey"])
        try connection.upsert(into: "contacts", ["email": "amelia@gastrobot.xyz"], onConflict: "email")
        #expect(try connection.count("contacts") == 2)
    }

    @Test func count() throws {
        #expect(try connection.count("contacts", where: "name IS NOT NULL") == 2)
        #expect(try connection.count("contacts", column: "email") == 1)
    }

    @Test func definitions() throws {
        let least = 18
        try connection.createTable("order", ["\(name: "group") TEXT", "age INT CHECK (age > \(least))"], strict: true)
        try connection.createIndex("i", on: "order", "group", "age", unique: true, where: "age > \(20)")
        let info = try #require(try connection.tableInfo("order"))
        #expect(info.sql.text == #"CREATE TABLE "order"("group" TEXT, "age" INT CHECK (age > 18)) STRICT"#)
        #expect(info.indexes.map(\.sql.text) == [#"CREATE UNIQUE INDEX "i" ON "order"("group", "age") WHERE age > 20"#])
        try connection.addColumn("url TEXT DEFAULT \("it's")", to: "order")
        try connection.renameTable("order", to: "orders")
        #expect(try connection.tableInfo("orders")?.columns.map(\.name) == ["group", "age", "url"])
        try connection.createTable("orders", ["a"], ifNotExists: true)
        try connection.dropIndex("i")
        try connection.dropTable("orders")
        try connection.dropTable("orders", ifExists: true)
        #expect(try connection.tableNames() == ["contacts"])
    }

    @Test func userVersion() throws {
        #expect(try connection.userVersion == 0)
        try connection.setUserVersion(-3)
        #expect(try connection.userVersion == -3)
    }

    @Test func theSQL() throws {
        #expect(
            SQL.insert(into: "a\"b", [("x", 1), ("y", "f(?)" as SQL), ("z", nil)], or: .fail).text
                == #"INSERT OR FAIL INTO "a""b"("x", "y", "z") VALUES(?, f(?), NULL)"#
        )
        #expect(
            SQL.upsert(into: "t", [("a", 1), ("b", 2)], onConflict: ["a"]).text
                == #"INSERT INTO "t"("a", "b") VALUES(?, ?) ON CONFLICT("a") DO UPDATE SET "b" = excluded."b""#
        )
        #expect(
            SQL.update("t", set: [("a", 1), ("b", "b + \(2)" as SQL)], where: "c = \(3)")
                == SQL("UPDATE \(name: "t") SET \(name: "a") = \(1), \(name: "b") = b + \(2) WHERE c = \(3)")
        )
        let select = SQL.select(
            ["a"], from: "t", where: "b = \(1)", groupBy: "c", having: "count(*) > \(2)", orderBy: "d", limit: nil,
            offset: 3
        )
        #expect(
            select.text
                == #"SELECT "t"."a" FROM "t" WHERE b = ? GROUP BY c HAVING count(*) > ? ORDER BY d LIMIT ? OFFSET ?"#
        )
        #expect(select.parameters == [.integer(1), .integer(2), .integer(-1), .integer(3)])
    }

    @Test func whatIsNeitherBindableNorSQLThrows() throws {
        struct Other: Settable {}
        let error = try sqliteError { try connection.insert(into: "contacts", ["name": Other()]) }
        #expect(error.message == "a value of type Other cannot be bound to a parameter")
    }

    @Test func namesWithANULAreRefused() throws {
        #expect(throws: SQLiteError.self) { try connection.insert(into: "a\0b", ["x": 1]) }
        #expect(throws: SQLiteError.self) { try connection.insert(into: "contacts", ["na\0me": 1]) }
    }

    @Test func anUpdateWithoutAConditionIsOfAllRows() throws {
        #expect(try connection.update("contacts", set: ["hits": 9]) == 2)
        #expect(try connection.query("SELECT hits FROM contacts") == [9, 9])
    }
}

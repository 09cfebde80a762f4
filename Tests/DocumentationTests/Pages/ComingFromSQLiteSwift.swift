// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Coming from SQLite.swift".
struct ComingFromSQLiteSwift {
    // The block has relative paths: it runs in a process of its own, in a directory of its own.
    @Test func aProgram() async {
        await #expect(processExitsWith: .success) {
            try SQLiteSwiftPage.runProgram()
        }
    }

    @Test func withoutARecord() throws {
        let connection = try Connection(":memory:")
        try connection.createTable("users", ["id INTEGER PRIMARY KEY", "name TEXT NOT NULL"])
        let id = try connection.insert(into: "users", ["name": "Ada"])
        try connection.update("users", set: ["name": "Ada L."], where: "id = \(id)")
        let names: [String] = try connection.select(
            "name", from: "users", where: "name LIKE \("A%")", orderBy: "name DESC")
        try connection.delete(from: "users", where: "id = \(id)")
        #expect(names == ["Ada L."])
        #expect(try connection.count("users") == 0)
    }

    /// The forms in the tables of the page.
    @Test func tables() throws {
        typealias User = SQLiteSwiftPage.Person
        let connection = try Connection(":memory:")
        try connection.create(User.table)
        let users = [User(id: nil, name: "Ada", email: "a@b.org", hits: 1, balance: 10, manager: nil), User(id: nil, name: "Bo", email: nil, hits: 2, balance: 20, manager: 1)]
        try connection.insert(contentsOf: users)
        #expect(try connection.first(User.where { $0.id == 1 })?.name == "Ada")
        #expect(try connection.count(User.self) { $0.email != nil } == 1)
        #expect(try connection.max(\User.id) == 2)
        #expect(try connection.sum(\User.balance) == 30)
        #expect(try connection.average(\User.balance) == 15)
        #expect(try connection.total(\User.balance) == 30)
        try connection.update(User.self) { $0.hits.set(to: $0.hits + 1) } where: { $0.id == 1 }
        #expect(try connection.all(User.select { $0.hits }) == [2, 2])
        try connection.upsert(User(id: nil, name: "Ada L.", email: "a@b.org", hits: 0, balance: 0, manager: nil), onConflict: \.email)
        // An upsert of some columns leaves the others as they are.
        try connection.update(User.self) { $0.hits.set(to: 7); $0.balance.set(to: 8) } where: { $0.id == 1 }
        try connection.upsert(User(id: nil, name: "Ada N.", email: "a@b.org", hits: 0, balance: 0, manager: 1), onConflict: \.email) { $0.name.set(to: $0.excluded.name) }
        try connection.upsert(into: "people", ["name": "Ada O.", "email": "a@b.org", "hits": 9, "balance": 9], onConflict: "email")
        #expect(try connection.query("SELECT name, hits, balance, manager FROM people WHERE id = 1", as: (String, Int, Double, Int?).self).map { "\($0)" } == [#"("Ada O.", 9, 9.0, nil)"#])
        try connection.upsert(into: "people", ["id": 1, "name": "Ada M.", "hits": 0, "balance": 0], onConflict: "id")
        try connection.insert(into: "people", ["id": 1, "name": "Ada", "hits": 0, "balance": 0], or: .replace)
        #expect(try connection.count(User.where { $0.id.in([1, 2, 3]) }) == 2)
        #expect(try connection.count(User.where { $0.hits.between(0, and: 5) && $0.name.like("A%") }) == 1)
        #expect(try connection.all(User.order { ($0.email.descending, $0.name) }.limit(5, offset: 0)).count == 2)
        let managers = User.as("managers")
        #expect(try connection.all(User.join(managers) { $0.manager == $1.id }.select { ($0.name, $1.name) }).map { $0.1 } == ["Ada"])
        #expect(try connection.all(User.leftJoin(User.self) { $0.manager == $1.id }).count == 2)
        #expect(try connection.all(User.group { $0.manager }.select { ($0.manager, $0.id.count(distinct: true)) }.having { $0.id.count() > 0 }).count == 2)
        #expect(try connection.count(User.select { $0.name }.union(User.select { $0.name })) == 2)
        #expect(try connection.all(User.select { $0.email.default($0.name) }).count == 2)
        #expect(try connection.count(User.where { $0.email.isSame(as: $0.name) }) == 0)
        #expect(try connection.count(User.where { !$0.email.isSame(as: $0.name) }) == 2)
        #expect(try connection.all(User.order { _ in "random()" }).count == 2)
        #expect(try connection.all(User.select { ($0.record, Expr.rowNumber().over(order: $0.name.ascending)) }).map { "\($0.0.name) \($0.1)" } == ["Ada 1", "Bo 2"])
        #expect(try connection.all(User.select { _ in Expr<Int>("1") }) == [1, 1])
        let text = "UPDATE people SET hits = hits"
        try connection.execute(SQL(raw: text))
        let missing = #expect(throws: ConversionError.self) { try connection.query("SELECT 1 AS a") { try $0.get("b") as Int } as Int? }
        #expect(missing?.reason == .noSuchColumn)
        #expect(try connection.tableInfo("people")?.columns.count == 6)
        // A record is written with all its columns, also those that are nil.
        let whole = try #require(try connection.find(User.self, 2))
        try connection.update(User(id: 2, name: whole.name, email: nil, hits: 2, balance: 20, manager: nil))
        #expect(try connection.find(User.self, 2)?.manager == nil)
        try connection.update(whole)
        let scalar: Int = try connection.query("SELECT count(*) FROM people")
        #expect(scalar == 2)
        try connection.addColumn("suffix TEXT", to: "people")
        try connection.createIndex("people_name", on: "people", "name", unique: true)
        try connection.attachDatabase(from: .inMemory, withName: "other")
        try connection.detachDatabase(named: "other")
        try connection.addAggregate("joined", initial: "") { (text: inout String, value: String) in text += value } final: { $0 }
        #expect(try connection.query("SELECT joined(name) FROM people WHERE id = 1") == "Ada")
        connection.addProfileObserver { print($0.expandedSQL) }
        connection.addUpdateObserver { _, _, _, _ in }
        connection.addCommitObserver { false }
        connection.addRollbackObserver {}
        try connection.busyHandler(.timeout(5))
        try connection.busyHandler(.custom { tries in tries < 3 })
        connection.interrupt()
        do {
            try connection.insert(User(id: 1, name: "x", email: nil, hits: 0, balance: 0, manager: nil))
            Issue.record("the key exists")
        } catch ResultCode.constraint {
        }
        #expect(throws: ConversionError.self) { try connection.query("SELECT name FROM people") as [Int] }
        // Dates in JSON of SQLite.swift are numbers, and `write` of a database nests.
        #expect(throws: ConversionError.self) { try connection.query("SELECT '{\"day\":0}'") as JSONBinding<[String: Date]> }
        let database = try Database(":memory:")
        #expect(try database.blocking.write { _ in try database.blocking.write { $0.isInTransaction } })
        try connection.dropTable("people", ifExists: true)
    }

    @Test func file() throws {
        let connection = try Connection(":memory:")
        try connection.execute("""
            CREATE TABLE "users" ("id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "name" TEXT NOT NULL, "email" TEXT UNIQUE, "added" TEXT NOT NULL, "token" TEXT NOT NULL);
            INSERT INTO users VALUES(1, 'Ada', NULL, '2026-11-22T20:15:00.000', 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F');
            PRAGMA user_version = 2
            """)
        let history = Schema("app") {
            Version(1) { CreateTable("users") { ColumnDef("id", Int64.self, .primaryKey(autoincrement: true)); ColumnDef("name", String.self) } }
            Version(2) { AlterTable("users") { AddColumn("email", String?.self) } }
            Version(3) { AlterTable("users") { AddColumn("visits", Int.self, .default(0)) } }
        }
        #expect(try history.migrate(connection))
        #expect(try connection.userVersion == 3)
        #expect(try connection.query("SELECT visits FROM users") == 0)
        let user = try #require(try connection.find(SQLiteSwiftPage.Stored.self, 1) as SQLiteSwiftPage.Stored?)
        #expect(user.token.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(bindingDateFormatter.string(from: user.added) == "2026-11-22T20:15:00.000")
        #expect(try connection.count(SQLiteSwiftPage.Stored.self) { $0.token == user.token } == 1)
        // A UUID that is interpolated has 16 bytes.
        #expect(try connection.query("SELECT count(*) FROM users WHERE token = \(user.token)") == 0)
        #expect(try connection.query("SELECT count(*) FROM users WHERE token = \(user.token.uuidString)") == 1)
    }
}

private enum SQLiteSwiftPage {
    struct User: TableRecord {
        let id: Int64?
        let name: String
        let email: String?
        let added: Date

        static let table = Table("users", User.init) {
            Column("id", \User.id, .primaryKey(autoincrement: true))
            Column("name", \User.name)
            Column("email", \User.email, .unique)
            Column("added", \User.added)
        }
    }

    struct Person: TableRecord {
        let id: Int64?
        let name: String
        let email: String?
        let hits: Int
        let balance: Double
        let manager: Int64?

        static let table = Table("people", Person.init) {
            Column("id", \Person.id, .primaryKey)
            Column("name", \Person.name)
            Column("email", \Person.email, .unique)
            Column("hits", \Person.hits)
            Column("balance", \Person.balance)
            Column("manager", \Person.manager)
        }
    }

    struct Stored: TableRecord {
        let id: Int64
        let added: Date
        let token: UUID

        static let table = Table("users", Stored.init) {
            Column("id", \Stored.id, .primaryKey)
            Column("added", \Stored.added)
            Column("token", \Stored.token, as: .text)
        }
    }

    static func runProgram() throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))

        let connection = try Connection("app.db")
        try connection.create(User.table, ifNotExists: true)

        let id = try connection.insert(
            User(id: nil, name: "Ada", email: "ada@example.org", added: Date()))
        try connection.update(User.self) {
            $0.name.set(to: "Ada L.")
        } where: {
            $0.id == id
        }
        // UPDATE "users" SET "name" = 'Ada L.' WHERE "users"."id" = 1

        let query = User.where { $0.name.like("A%") }.order { $0.name.descending }
        for user in try connection.all(query) {
            print(user.id ?? 0, user.name)              // 1 Ada L.
        }
        #expect(try connection.all(query).map(\.name) == ["Ada L."])
    }
}

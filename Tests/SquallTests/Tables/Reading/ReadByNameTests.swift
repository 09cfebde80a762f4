import Foundation
import Squall
import SquallTestSupport
import Testing

/// Records from SQL: its columns are found by their names.
struct ReadByNameTests {
    let connection: Connection

    struct Event: TableRecord, Equatable {
        let id: Int64?
        let at: Date
        let tags: [String]
        let note: String?

        static let table = Table("events", Event.init) {
            Column("id", \Event.id, .primaryKey)
            Column("at", \Event.at, as: .unixMilliseconds)
            Column("tags", \Event.tags, as: .json)
            Column("note", \Event.note)
        }
    }

    let ada = User(id: 1, name: "Ada", email: "ada@example.org", age: 36)
    let bo = User(id: 2, name: "Bo", email: nil, age: 7)
    let event = Event(id: 1, at: Date(timeIntervalSince1970: 1_000.25), tags: ["a", "b"], note: nil)

    init() throws {
        connection = try Connection()
        try connection.create(User.table)
        try connection.create(Event.table)
        try connection.create(points)
        try connection.insert(contentsOf: [ada, bo])
        try connection.insert(event)
        try connection.table(points).insert(Point(x: 1, y: 2, label: "p"))
    }

    @Test func rowsBecomeRecordsInEveryOrderOfTheColumns() throws {
        let pattern = "A*"
        #expect(try connection.all(User.self, "SELECT * FROM users WHERE name GLOB \(pattern)") == [ada])
        #expect(try connection.all(User.self, "SELECT age, email, name, id FROM users ORDER BY id") == [ada, bo])
        #expect(
            try connection.all(User.self, "SELECT *, 1 AS more FROM (SELECT 5 AS other, * FROM users)") == [ada, bo])
        #expect(try connection.all(User.self, "SELECT ID, Name, eMail, AGE FROM users ORDER BY id") == [ada, bo])
        #expect(try connection.all(User.self, "SELECT * FROM users WHERE 0") == [])
        #expect(
            try connection.table(points).all("SELECT label, y, x FROM points") == [Point(x: 1, y: 2, label: "p")])
    }

    @Test func aListOfValues() throws {
        let list: [any Bindable] = [1, "p"]
        let point = Point(x: 1, y: 2, label: "p")
        #expect(
            try connection.table(points).all("SELECT * FROM points WHERE x = ? AND label = ?", list) == [point])
        #expect(
            try connection.table(points).first("SELECT * FROM points WHERE x = ? AND label = ?", list) == point)
        #expect(try connection.table(points).first("SELECT * FROM points WHERE x = ? + 1", [1]) == nil)
        #expect(try connection.first(User.self, "SELECT * FROM users WHERE id = ?", [1]) == ada)
    }

    @Test func anExactNameComesBeforeOneInAnotherCase() throws {
        let users = try connection.all(
            User.self, "SELECT id, 'wrong' AS NAME, name, email, age, 'wrong' AS Name FROM users WHERE id = 1")
        #expect(users == [ada])
    }

    @Test func theFirstRowOrNil() throws {
        #expect(try connection.first(User.self, "SELECT * FROM users ORDER BY age") == bo)
        #expect(try connection.first(User.self, "SELECT * FROM users WHERE id = 9") == nil)
        #expect(try connection.table(points).first("SELECT * FROM points")?.label == "p")
        // Its statement holds no lock.
        try connection.execute("DROP TABLE users")
    }

    @Test func valuesAreGivenInEveryForm() throws {
        let (name, missing) = ("Ada", nil as String?)
        let lists = [
            try connection.all(User.self, "SELECT * FROM users WHERE name = \(name)"),
            try connection.all(User.self, "SELECT * FROM users WHERE name = ?", name),
            try connection.all(User.self, "SELECT * FROM users WHERE name = ? AND ? IS NULL", name, nil),
            try connection.all(User.self, "SELECT * FROM users WHERE name = ? AND ? IS NULL", name, missing),
            try connection.all(User.self, "SELECT * FROM users WHERE name = ?", ["Ada"]),
            try connection.all(User.self, "SELECT * FROM users WHERE name = :n", ["n": "Ada"]),
            try connection.first(User.self, "SELECT * FROM users WHERE name = ?", name).map { [$0] },
            try connection.first(User.self, "SELECT * FROM users WHERE name = :n", ["n": "Ada"]).map { [$0] },
        ]
        for users in lists { #expect(users == [ada]) }
    }

    @Test func valuesAreReadInTheFormsOfTheTable() throws {
        #expect(try connection.query("SELECT at FROM events") == 1_000_250)
        #expect(try connection.all(Event.self, "SELECT note, tags, at, id FROM events") == [event])
        let error = try conversionError {
            _ = try connection.all(Event.self, "SELECT id, note, '[1' AS tags, at FROM events")
        }
        #expect(error.columnName == "tags" && error.columnIndex == 2 && error.tableName == "events")
    }

    @Test func aMissingColumnIsAnErrorBeforeTheStatementRuns() throws {
        let error = try conversionError { _ = try connection.all(User.self, "SELECT id, name, email FROM users") }
        #expect(error.reason == .noSuchColumn && error.columnName == "age" && error.tableName == "users")
        #expect(
            error.description == """
                column "age" of table "users": expected Int, but there is no such column in: SELECT id, name, email FROM users
                """)
        for sql: SQL in ["SELECT 1 AS id", "SELECT 1 AS id WHERE 0", "DELETE FROM users RETURNING id"] {
            #expect(try conversionError { _ = try connection.all(User.self, sql) }.reason == .noSuchColumn)
            #expect(try conversionError { _ = try connection.first(User.self, sql) }.reason == .noSuchColumn)
            #expect(try conversionError { _ = try connection.rows(sql, as: User.self) }.reason == .noSuchColumn)
        }
        #expect(try connection.count(User.self) == 2)
    }

    @Test func aWriteReturnsRecords() throws {
        let updated = try connection.all(User.self, "UPDATE users SET age = age + ? WHERE id = 2 RETURNING *", 1)
        #expect(updated == [User(id: 2, name: "Bo", email: nil, age: 8)])
        let inserted = try connection.first(
            User.self, "INSERT INTO users(name) VALUES('Cy') RETURNING age, name, id, email")
        #expect(inserted == User(id: 3, name: "Cy", email: nil, age: 0))
    }

    @Test func aCachedSelectOfAnAlteredTableHasItsNewColumns() throws {
        let sql: SQL = "SELECT * FROM users ORDER BY id"
        #expect(try connection.all(User.self, sql) == [ada, bo])
        try connection.execute("ALTER TABLE users RENAME COLUMN age TO years")
        #expect(try conversionError { _ = try connection.all(User.self, sql) }.columnName == "age")
        try connection.execute("ALTER TABLE users ADD COLUMN age INTEGER DEFAULT 5")
        #expect(try connection.all(User.self, sql).map(\.age) == [5, 5])
    }

    @Test func cursorsReadRecordsAndTypedQueries() throws {
        var users = try connection.rows("SELECT age, name, email, id FROM users ORDER BY id", as: User.self)
        #expect(try users.next() == ada)
        #expect(try users.next() == bo)
        #expect(try users.next() == nil)
        var one = try connection.rows("SELECT * FROM users WHERE name = :n", ["n": "Bo"], as: User.self)
        #expect(try one.next() == bo)
        var typed = try connection.rows(User.where { $0.age > 10 })
        #expect(try typed.next() == ada)
        #expect(try typed.next() == nil)
        var pairs = try connection.rows(User.order { $0.id.ascending }.select { ($0.name, $0.age) })
        while let (name, age) = try pairs.next() {
            #expect(name == "Ada" && age == 36)
            break
        }
        var places = try connection.table(points).rows("SELECT * FROM points")
        #expect(try places.next()?.label == "p")
        var events = try connection.rows("SELECT * FROM events", as: Event.self)
        #expect(try events.next() == event)
    }
}

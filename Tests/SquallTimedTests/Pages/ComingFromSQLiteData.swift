// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Coming from SQLiteData".
@Suite(.timeLimit(.minutes(10)))
struct ComingFromSQLiteData {
    @Test @MainActor func aProgram() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.create(SQLiteDataPage.Reminder.table) }
        let list = SQLiteDataPage.ReminderList(database)
        try await SQLiteDataPage.runProgram(database)
        while list.titles != ["Bread"] { await Task.yield() }
        while list.count.value != 2 { await Task.yield() }
    }

    /// The forms in the tables of the page.
    @Test func tables() async throws {
        typealias Reminder = SQLiteDataPage.Reminder
        typealias Task = SQLiteDataPage.Task
        let connection = try Connection(":memory:")
        try connection.create(SQLiteDataPage.List.table)
        try connection.create(Task.table)
        try connection.insert(contentsOf: [SQLiteDataPage.List(id: 1, title: "Home"), SQLiteDataPage.List(id: 2, title: "Work")])
        let id = try connection.insert(Task(id: nil, list: 1, title: "Milk", isCompleted: false, priority: nil, tags: ["food"]))
        try connection.insert(Task(id: nil, list: 1, title: "Bread", isCompleted: true, priority: .high, tags: []))
        #expect(try connection.find(Task.self, id)?.title == "Milk")
        #expect(try connection.count(Task.where { $0.isCompleted.isTrue }) == 1)
        #expect(try connection.count(Task.where { $0.isCompleted.isFalse && $0.priority == nil }) == 1)
        #expect(try connection.all(Task.order { ($0.priority.descending.nullsLast, $0.title) }.limit(10, offset: 0)).map(\.title) == ["Bread", "Milk"])
        let counts = SQLiteDataPage.List.leftJoin(Task.self) { $0.id == $1.list }.group { list, _ in list.id }.select { ($0.title, $1.id.count()) }
        #expect(try connection.all(counts).map { $0.1 } == [2, 0])
        struct Pair { let task: String; let list: String }
        let pairs = Task.join(SQLiteDataPage.List.self) { $0.list == $1.id }.select(into: Pair.init) { ($0.title, $1.title) }
        #expect(try connection.all(pairs).map(\.list) == ["Home", "Home"])
        #expect(try connection.count(Task.where { $0.tags.contains("food") }) == 1)
        let pattern = "mi%"
        #expect(try connection.all(Task.where { "\($0.title) COLLATE NOCASE LIKE \(pattern)" }).map(\.title) == ["Milk"])
        #expect(try connection.all(Task.self, "SELECT * FROM tasks WHERE title LIKE \(pattern)").count == 1)
        try connection.update(Task.self) { $0.isCompleted.set(to: true) } where: { $0.id == id }
        try connection.update(Task(id: id, list: 2, title: "Milk", isCompleted: true, priority: .low, tags: []))
        try connection.upsert(Task(id: id, list: 2, title: "Oat milk", isCompleted: true, priority: .low, tags: []))
        let stored = try connection.insertReturning(Task(id: nil, list: 2, title: "Tea", isCompleted: false, priority: nil, tags: []))
        #expect(stored.id == 3)
        let done = try connection.updateReturning(Task.self) { $0.priority.set(to: .high) } where: { $0.list == 2 }
        #expect(done.count == 2)
        #expect(try connection.delete(stored))
        #expect(try connection.delete(Task.self) { $0.id == id } == 1)
        let cases = Task.select { Expr.when($0.isCompleted.isTrue, then: "done").else("open") }
        #expect(try connection.all(cases) == ["done"])
        #expect(try connection.all(SQLiteDataPage.List.self, including: Task.list.inverse()).map { $0.1.count } == [1, 0])
        #expect(Task.where { $0.title == "x" }.sql.debugDescription.hasSuffix(#"WHERE "tasks"."title" = 'x'"#))
        let both: (Int, [Task]) = try await {
            let database = try Database.temporary()
            try await database.write { try $0.create(SQLiteDataPage.List.table); try $0.create(Task.table) }
            return try await database.read { try ($0.count(Task.self), $0.all(Task.self)) }
        }()
        #expect(both.0 == 0)
    }

    @Test func file() throws {
        typealias Reminder = SQLiteDataPage.Reminder
        let other = try Connection(":memory:")
        try SQLiteDataPage.addUUID(other)
        try other.execute("""
            CREATE TABLE "reminders" ("id" TEXT PRIMARY KEY NOT NULL ON CONFLICT REPLACE DEFAULT (uuid()), "title" TEXT NOT NULL DEFAULT '', "isCompleted" INTEGER NOT NULL DEFAULT 0, "dueAt" TEXT) STRICT;
            INSERT INTO reminders VALUES('e621e1f8-c36c-495a-93fc-0c247a3e6e5f', 'Milk', 0, '2026-11-22 20:15:00.000')
            """)
        let connection = try Connection(":memory:")
        try connection.deserialize(other.serialize())
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let milk = try connection.find(Reminder.self, id)
        #expect(milk?.title == "Milk")
        #expect(try connection.count(Reminder.self) { $0.id == id } == 1)
        #expect(try connection.update(Reminder(id: id, title: "Oat milk", isCompleted: true, dueAt: milk?.dueAt)))
        #expect(try connection.query("SELECT dueAt FROM reminders") == "2026-11-22 20:15:00.000")
        #expect(try connection.query("SELECT id FROM reminders") == "e621e1f8-c36c-495a-93fc-0c247a3e6e5f")
        // The default of the key calls a function that SQLiteData adds.
        let error = try sqliteError { try connection.run("INSERT INTO reminders(title) VALUES('Tea')") }
        #expect(error.message.contains("uuid"))
        try SQLiteDataPage.addUUID(connection)
        try connection.run("INSERT INTO reminders(title) VALUES('Tea')")
        #expect(try connection.all(Reminder.self).map(\.title).sorted() == ["Oat milk", "Tea"])
        #expect(throws: (any Error).self) { try connection.upsert(SQLiteDataPage.Task(id: nil, list: 1, title: "", isCompleted: false, priority: nil, tags: [])) }
    }
}

private enum SQLiteDataPage {
    struct Reminder: TableRecord, Equatable {
        let id: UUID
        var title: String
        var isCompleted: Bool
        var dueAt: Date?

        static let table = Table("reminders", Reminder.init) {
            Column("id", \Reminder.id, as: .lowercaseText, .primaryKey)
            Column("title", \Reminder.title, .default(""))
            Column("isCompleted", \Reminder.isCompleted, .default(false))
            Column("dueAt", \Reminder.dueAt, as: .spaced)
        }
    }

    @MainActor final class ReminderList {
        let open: Live<[Reminder]>
        let count: Live<Int>

        init(_ database: Database) {
            open = Live(database) { connection in
                let reminders = Reminder.where { $0.isCompleted.isFalse }
                return try connection.all(reminders.order { $0.title })
            }
            count = Live(database) { try $0.count(Reminder.self) }
        }

        var titles: [String] { open.value?.map(\.title) ?? [] }
    }

    static func runProgram(_ database: Database) async throws {
        let milk = Reminder(id: UUID(), title: "Milk", isCompleted: false, dueAt: nil)
        let bread = Reminder(id: UUID(), title: "Bread", isCompleted: false, dueAt: .now)
        try await database.write { connection in
            try connection.insert(contentsOf: [milk, bread])
            try connection.update(Reminder.self) {
                $0.isCompleted.set(to: true)
            } where: {
                $0.id == milk.id
            }
        }
        #expect(try await database.read { try $0.find(Reminder.self, milk.id)?.isCompleted } == true)
    }

    static func addUUID(_ connection: Connection) throws {
        try connection.addFunction("uuid", directOnly: false, innocuous: true) {
            UUID().uuidString.lowercased()
        }
    }

    struct List: TableRecord {
        let id: Int64
        let title: String

        static let table = Table("lists", List.init) {
            Column("id", \List.id, .primaryKey)
            Column("title", \List.title)
        }
    }

    enum Priority: Int, Binding { case low, high }

    struct Task: TableRecord {
        let id: Int64?
        let list: Int64
        let title: String
        let isCompleted: Bool
        let priority: Priority?
        let tags: [String]

        static let list = Relation(\Task.list, to: \List.id)
        static let table = Table("tasks", Task.init, .foreignKey(list)) {
            Column("id", \Task.id, .primaryKey)
            Column("list", \Task.list)
            Column("title", \Task.title)
            Column("isCompleted", \Task.isCompleted)
            Column("priority", \Task.priority)
            Column("tags", \Task.tags, as: .json)
        }
    }
}

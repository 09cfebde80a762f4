import Squall
import SquallTesting
import Testing

@testable import Reminders

@Suite(.reminders()) struct SearchTests {
    @Test func titlesAreBetterHitsThanNotes() async throws {
        let database = try TestDatabase.current
        let hits = try await database.read { try $0.search("milk") }
        #expect(hits.map(\.title) == ["Buy milk", "Water the plants"])
        #expect(hits.map(\.snippet) == ["Buy [milk]", "The fern needs much [milk]!"])
    }

    @Test func theLastWordCanBeABeginning() async throws {
        let database = try TestDatabase.current
        #expect(try await database.read { try $0.search("the rep") }.map(\.title) == ["Write the report"])
    }

    @Test func theIndexFollowsChangesAndDeletions() async throws {
        let database = try TestDatabase.current
        let titles = try await database.write { connection in
            try connection.update(Reminder.self) {
                $0.title.set(to: "Buy bread")
            } where: {
                $0.title == "Buy milk"
            }
            try connection.delete(Reminder.self) { $0.title == "Water the plants" }
            return (try connection.search("milk").map(\.title), try connection.search("bread").map(\.title))
        }
        #expect(titles.0 == [])
        #expect(titles.1 == ["Buy bread"])
    }

    @Test(arguments: [
        "\"", "\"\"", "'", "*", "milk*", "milk\"", "AND", "milk AND", "NOT milk", "NEAR(milk", "title:milk", "(", ")",
        "^milk", "milk -buy", "{title notes}: milk", "'; DROP TABLE reminders; --", "\0", "mi\0lk", "%", "_", "\\",
        ":", "+", "", "   ", "\n\t", "💧", "e\u{301}", String(repeating: "milk ", count: 5_000),
        String(repeating: "x", count: 100_000),
    ])
    func noTextOfAUserIsAnError(text: String) async throws {
        let database = try TestDatabase.current
        _ = try await database.read { try $0.search(text) }
        #expect(try await database.read { try $0.count(Reminder.self) } == 3)
    }
}

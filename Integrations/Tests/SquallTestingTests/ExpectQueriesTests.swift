import IntegrationSupport
import Squall
import SquallTesting
import TestSupport
import Testing

@Suite(.database(migratedBy: Library.history, seed: Library.fill))
struct ExpectQueriesTests {
    private struct Failure: Error {}

    @Test func theResultIsReturned() async throws {
        let database = try TestDatabase.current
        let shelves = try await expectQueries(3) { try await database.read { try Library.shelves(on: $0) } }
        #expect(shelves == [["Momo"], ["Ulysses", "Dubliners"]])
        try await database.write { connection in
            let titles: [String] = try expectQueries(1, on: connection) {
                try connection.savepoint(named: "here") { try connection.query("SELECT title FROM books") }
            }
            #expect(titles.count == 3)
        }
    }

    @Test func theIssueNamesAnNPlusOne() async throws {
        let reports = Locked<[String]>([])
        let line = #line + 2
        try await withKnownIssue {
            try await expectQueries(1) {
                try await TestDatabase.current.read { connection in
                    _ = try Library.shelves(on: connection)
                    for _ in 1...2 { _ = try connection.query("SELECT 1") as Int }
                }
            }
        } matching: { issue in
            reports.append(issue.text)
            #expect(issue.sourceLocation?.line == line)
            return true
        }
        #expect(
            reports.value == [
                """
                1 query expected, but 5 ran:
                1. SELECT id FROM authors ORDER BY id
                2. SELECT title FROM books WHERE author = 1 ORDER BY id
                3. SELECT title FROM books WHERE author = 2 ORDER BY id
                4. SELECT 1
                5. SELECT 1
                Ran 2 times with different values (N + 1): SELECT title FROM books WHERE author = ? ORDER BY id
                Ran 2 times with the same values: SELECT 1
                """
            ])
    }

    @Test func afterAnErrorNothingIsCompared() async throws {
        await #expect(throws: Failure.self) { try await expectQueries(5) { throw Failure() } }
        let connection = try Connection(":memory:")
        #expect(throws: Failure.self) { try expectQueries(5, on: connection) { throw Failure() } }
        // The observer is gone: what runs now is not counted by the next.
        expectQueries(0, on: connection) {}
    }

    @Test func queriesInsideAnotherAreCounted() async throws {
        try await TestDatabase.current.read { connection in
            try expectQueries(3, on: connection) {
                try connection.forEach("SELECT id FROM authors") { row in
                    let id: Int64 = try row.get("id")
                    _ = try connection.query("SELECT count(*) FROM books WHERE author = \(id)") as Int
                }
            }
        }
    }

    @Test func otherTestsAreNotCounted() async throws {
        try await expectQueries(1) {
            try await Database(":memory:").read { _ = try $0.query("SELECT 1") as Int }
            try await TestDatabase.current.read { _ = try $0.query("SELECT 2") as Int }
        }
    }

    @MainActor @Test func anActorCanCount() async throws {
        var counted = 0
        try await expectQueries(1) {
            counted = try await TestDatabase.current.read { try $0.query("SELECT count(*) FROM books") }
        }
        #expect(counted == 3)
    }
}

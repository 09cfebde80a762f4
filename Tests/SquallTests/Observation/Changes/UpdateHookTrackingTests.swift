import SquallTestSupport
import Testing

@testable import Squall

/// Observers where SQLite was built without the pre-update hook: the columns are not compared, and what SQLite only counts concerns
/// everything.
struct UpdateHookTrackingTests {
    enum Outcome { case nothing, table, everything }

    @Test(
        .enabled(if: SQLiteFeatures.fullTextSearch),
        arguments: [
            ("SELECT count(*) FROM cars", "INSERT INTO u VALUES(1)", .nothing),
            ("SELECT count(*) FROM cars", "INSERT INTO cars(name) VALUES('x')", .table),
            ("SELECT sum(price) FROM cars", "UPDATE cars SET name = 'x'", .table),
            ("SELECT rowid FROM u", "UPDATE u SET rowid = 9", .table),
            ("SELECT count(*) FROM cars", "DELETE FROM cars WHERE id = 1", .table),
            ("SELECT id FROM orders", "REPLACE INTO cars VALUES(1, 'x', 1)", .nothing),
            ("SELECT id FROM cars", "INSERT INTO orders VALUES(7, 7)", .table),
            ("SELECT id FROM cars", "BEGIN; DELETE FROM cars WHERE id = 1; ROLLBACK", .nothing),
            (
                "SELECT id FROM cars", "BEGIN; SAVEPOINT a; DELETE FROM cars WHERE id = 1; ROLLBACK TO a; COMMIT",
                .nothing
            ),
            ("SELECT count(*) FROM cars", "DELETE FROM cars", .table),
            ("SELECT id FROM orders", "DELETE FROM cars", .nothing),
            // Virtual tables, and tables WITHOUT ROWID.
            ("SELECT rowid FROM f WHERE f MATCH 'x'", "INSERT INTO f VALUES('x')", .everything),
            ("SELECT v FROM w", "UPDATE w SET v = 5", .everything),
            ("SELECT c.w FROM c", "DELETE FROM w", .everything),
            ("SELECT id FROM cars", "CREATE TABLE t(a)", .everything),
        ] as [(SQL, SQL, Outcome)])
    func concerns(query: SQL, write: SQL, outcome: Outcome) async throws {
        let tables: SQL = """
            CREATE TABLE w(k INTEGER PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES(1, 1);
            CREATE TABLE c(w REFERENCES w ON DELETE CASCADE ON UPDATE CASCADE); INSERT INTO c VALUES(1);
            CREATE TABLE u(a); INSERT INTO u VALUES(1);
            CREATE TRIGGER t AFTER INSERT ON orders BEGIN INSERT INTO cars(name) VALUES('t'); END;
            CREATE VIRTUAL TABLE f USING fts5(text);
            """
        let expected: ObservationState.Phase =
            switch outcome {
            case .nothing: .watching
            case .table: .changed(isCertain: true)
            case .everything: .changed(isCertain: false)
            }
        let phase = try await ObservedDatabase.phase(of: query, after: write, with: tables, usesPreUpdateHook: false)
        #expect(phase == expected)
    }

    @Test func theBytesOfAValueAreObserved() async throws {
        let cars = try ObservedDatabase()
        _ = cars.database.companions.companion { ObservationCenter(usesPreUpdateHook: false) }
        try cars.write("UPDATE cars SET name = 'abc'")
        var names = cars.database.observe("SELECT name FROM cars WHERE id = 1", as: String.self).makeAsyncIterator()
        #expect(try await names.next() == "abc")
        try blocking {
            try cars.database.blocking.writeWithoutTransaction { connection in
                try connection.withBlob(in: "cars", column: "name", row: 1, mode: .readWrite) { name in
                    try name.write([UInt8(ascii: "x")], at: 1)
                }
            }
        }
        #expect(try await names.next() == "axc")
    }

    @Test func theRowsOfAChangeAreNotKnown() async throws {
        let cars = try ObservedDatabase()
        _ = cars.database.companions.companion { ObservationCenter(usesPreUpdateHook: false) }
        var changes = cars.database.changes(in: .table("cars", columns: "price"), .table("orders")).makeAsyncIterator()
        try cars.write("UPDATE cars SET name = 'x' WHERE id = 1")
        let change = try #require(await changes.next())
        #expect(change.tables == ["cars"])
        #expect(change.rowIDs("cars") == nil)
        #expect(change.rowIDs("orders") == [])
    }
}

import SquallTestSupport
import Testing

@testable import Squall

struct DatabaseChangesTests {
    let cars: ObservedDatabase
    var database: Database { cars.database }

    init() throws {
        cars = try ObservedDatabase()
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func theTablesAndTheRowIDs() async throws {
        var changes = database.changes(in: .table("cars", columns: "price"), .table("ORDERS")).makeAsyncIterator()
        try cars.write(
            "UPDATE cars SET price = price + 1 WHERE id > 1; DELETE FROM cars WHERE id = 1; INSERT INTO orders VALUES(5, 1)"
        )
        let change = try #require(await changes.next())
        #expect(change.tables == ["cars", "ORDERS"])
        #expect(change.rowIDs("cars") == [1, 2, 3])
        #expect(change.rowIDs("Orders") == [5])
        #expect(change.rowIDs("other") == [])
        #expect(!change.isExternal)
        try cars.write("UPDATE cars SET name = 'x'; UPDATE cars SET id = 9 WHERE id = 2")
        let next = try #require(await changes.next())
        #expect(next.tables == ["cars"])
        #expect(next.rowIDs("cars") == [2, 9])
        #expect(next.rowIDs("orders") == [])
    }

    /// The observer is newer than the interest with which the transaction began that was rolled back.
    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func afterARollback() async throws {
        var first = database.changes(in: .table("cars")).makeAsyncIterator()
        try cars.write("UPDATE cars SET price = 2 WHERE id = 2")
        #expect(await first.next()?.rowIDs("cars") == [2])
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try database.blocking.write { connection in
                try connection.run("UPDATE cars SET price = 1")
                throw Stop()
            }
        }
        var second = database.changes(in: .table("orders")).makeAsyncIterator()
        try cars.write("INSERT INTO orders VALUES(5, 1); UPDATE cars SET price = 3 WHERE id = 3")
        let change = try #require(await second.next())
        #expect(change.tables == ["orders"])
        #expect(change.rowIDs("orders") == [5])
        #expect(await first.next()?.rowIDs("cars") == [3])
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func otherColumns() async throws {
        var changes = database.changes(in: .table("cars", columns: "price")).makeAsyncIterator()
        try cars.write("UPDATE cars SET price = 1 WHERE id = 1")
        #expect(await changes.next()?.rowIDs("cars") == [1])
        try cars.write("UPDATE cars SET name = 'x'; INSERT INTO orders VALUES(1, 1)")
        #expect(cars.phase == .watching)
        try cars.write("UPDATE cars SET price = 1")
        #expect(await changes.next()?.rowIDs("cars") == [2, 3])
    }

    @Test func theSchemaAndManyRows() async throws {
        var changes = database.changes(in: .table("cars"), .table("later")).makeAsyncIterator()
        try cars.write("CREATE TABLE later(a)")
        let change = try #require(await changes.next())
        #expect(change.tables == ["cars", "later"])
        #expect(change.rowIDs("cars") == nil)
        #expect(!change.isExternal)
        try cars.write(
            "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001) INSERT INTO later SELECT i FROM n")
        let next = try #require(await changes.next())
        #expect(next.tables == ["later"])
        #expect(next.rowIDs("later") == nil)
        #expect(next.rowIDs("cars") == [])
    }

    /// The consumer has not asked again since the columns got other positions.
    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func columnsThatMove() async throws {
        try cars.write("CREATE TABLE t(a, b, c); INSERT INTO t VALUES(1, 2, 3)")
        var changes = database.changes(in: .table("t", columns: "c")).makeAsyncIterator()
        try cars.write("UPDATE t SET c = 4")
        #expect(await changes.next()?.rowIDs("t") == [1])
        try cars.write("ALTER TABLE t DROP COLUMN a")
        #expect(await changes.next()?.tables == ["t"])
        try cars.write("UPDATE t SET c = 5")
        #expect(await changes.next()?.rowIDs("t") == [1])
        try cars.write("UPDATE t SET b = 5")
        #expect(cars.phase == .watching)
    }

    /// All columns count until the schema can be read.
    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func aFirstReadThatFails() async throws {
        let database = try Database(cars.directory.file("cars.db"))
        var changes = database.changes(in: .table("cars", columns: "price")).makeAsyncIterator()
        try await database.write { try $0.run("UPDATE cars SET name = 'x' WHERE id = 3") }
        let refusal = database.addAuthorizer { action, _, _, _, _ in action == .transaction ? .deny : .ok }
        await #expect(throws: SQLiteError.self) { try await database.read { _ in } }
        #expect(await changes.next()?.rowIDs("cars") == [3])
        refusal.cancel()
        try await database.write { try $0.run("UPDATE cars SET price = 2 WHERE id = 1") }
        #expect(await changes.next()?.rowIDs("cars") == [1])
        try await database.write { try $0.run("UPDATE cars SET name = 'y'") }
        try await database.write { try $0.run("UPDATE cars SET price = 3 WHERE id = 2") }
        #expect(await changes.next()?.rowIDs("cars") == [2])
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func anAttachedDatabase() async throws {
        let database = try Database(
            cars.directory.file("other.db"),
            preparation: { [path = cars.directory.file("cars.db")] connection in
                try connection.attachDatabase(from: .onDisk(path), withName: "archive")
            })
        var changes = database.changes(in: .table("cars", database: "archive")).makeAsyncIterator()
        try await database.write { try $0.run("DELETE FROM archive.cars WHERE id = 3") }
        let change = try #require(await changes.next())
        #expect(change.tables == ["archive.cars"])
        #expect(change.rowIDs("archive.cars") == [3])
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func aVirtualTable() async throws {
        try cars.write("CREATE VIRTUAL TABLE f USING fts5(text)")
        var changes = database.changes(in: .table("f")).makeAsyncIterator()
        // Before its first look at the schema, and after it.
        for text in ["x", "y"] {
            try await database.write { try $0.run("INSERT INTO f VALUES(?)", text) }
            #expect(await changes.next()?.tables == ["f"])
        }
    }

    @Test func itEndsWhenTheDatabaseIsClosed() async throws {
        var changes = database.changes(in: .table("cars")).makeAsyncIterator()
        try await database.close()
        #expect(await changes.next()?.tables == nil)
    }
}

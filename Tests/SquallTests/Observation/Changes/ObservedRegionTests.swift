import SquallTestSupport
import Testing

@testable import Squall

/// Which writes concern which queries: SQLite's names of what is read, and the rows and columns that a write changes.
struct ObservedRegionTests {
    @Test(
        arguments: [
            ("SELECT count(*) FROM cars", "UPDATE cars SET price = price + 1"),
            ("SELECT count(*) FROM cars", "INSERT INTO orders(car) VALUES(1)"),
            ("SELECT sum(id) FROM cars", "UPDATE cars SET price = price + 1"),
            ("SELECT sum(price) FROM cars", "UPDATE cars SET name = 'x'"),
            ("SELECT sum(price) FROM cars", "UPDATE cars SET price = price"),
            ("SELECT sum(price) FROM cars", "UPDATE cars SET price = 1 WHERE id = 99"),
            ("SELECT sum(price) FROM cars", "REPLACE INTO orders VALUES(1, 1)"),
            ("SELECT count(*) FROM orders", "DELETE FROM cars"),
            ("SELECT sum(price) FROM cars", "SELECT * FROM cars"),
            ("SELECT sum(price) FROM cars", "CREATE TEMP TABLE cars(price); INSERT INTO temp.cars VALUES(1)"),
            ("SELECT id FROM cars", "INSERT INTO cars(id) VALUES(1)"),
        ] as [(SQL, SQL)])
    func doesNotConcern(query: SQL, write: SQL) async throws {
        #expect(try await ObservedDatabase.phase(of: query, after: write) == .watching)
    }

    @Test(
        .enabled(if: SQLiteFeatures.preUpdateHook),
        arguments: [
            ("SELECT count(*) FROM cars", "DELETE FROM cars"),
            ("SELECT count(*) FROM cars", "INSERT INTO cars(name) SELECT name FROM cars"),
            ("SELECT rowid FROM cars", "UPDATE cars SET id = 99 WHERE id = 1"),
            ("SELECT id FROM cars", "REPLACE INTO cars VALUES(1, 'Audi', 50000)"),
            ("SELECT id FROM cars ORDER BY price", "UPDATE cars SET price = 1 WHERE id = 1"),
            ("SELECT price FROM cars", "UPDATE cars SET price = NULL WHERE id = 1"),
            ("SELECT price FROM cars", "UPDATE cars SET price = 9000.0 + 0.5 WHERE id = 2"),
            (
                "SELECT id FROM orders WHERE car IN (SELECT id FROM cars WHERE name = 'x')",
                "UPDATE cars SET name = 'y' WHERE id = 1"
            ),
            ("WITH c AS (SELECT price FROM cars) SELECT price FROM c", "UPDATE cars SET price = 1 WHERE id = 1"),
            ("SELECT id FROM cars", "DELETE FROM cars WHERE id = 1 RETURNING name"),
        ] as [(SQL, SQL)])
    func concerns(query: SQL, write: SQL) async throws {
        #expect(try await ObservedDatabase.phase(of: query, after: write) == .changed(isCertain: true))
    }

    @Test(
        .enabled(if: SQLiteFeatures.preUpdateHook),
        arguments: [
            ("BEGIN; DELETE FROM cars; ROLLBACK", false),
            ("BEGIN; SAVEPOINT a; DELETE FROM cars; ROLLBACK TO a; RELEASE a; COMMIT", false),
            (
                "SAVEPOINT \"a \"\"b\"; SAVEPOINT [b]; DELETE FROM cars; rollback transaction TO savepoint B; release savepoint 'a \"b'",
                false
            ),
            ("SAVEPOINT a; SAVEPOINT a; DELETE FROM cars; ROLLBACK TO a; COMMIT", false),
            ("SAVEPOINT a; DELETE FROM cars; SAVEPOINT a; ROLLBACK TO a; COMMIT", true),
            ("SAVEPOINT a; SAVEPOINT b; DELETE FROM cars; RELEASE b; ROLLBACK TO a; COMMIT", false),
            ("SAVEPOINT a; SAVEPOINT b; DELETE FROM cars; RELEASE a", true),
            ("BEGIN; SAVEPOINT a; DELETE FROM cars; ROLLBACK TO a; INSERT INTO cars(name) VALUES('x'); COMMIT", true),
            ("SAVEPOINT a; DELETE FROM cars; ROLLBACK TO nowhere", false),
        ] as [(SQL, Bool)])
    func savepoints(write: SQL, concerns: Bool) async throws {
        #expect(
            try await ObservedDatabase.phase(of: "SELECT id FROM cars", after: write)
                == (concerns ? .changed(isCertain: true) : .watching))
    }

    /// The outermost savepoint commits when it is released.
    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func anOutermostSavepointWhoseClosureThrows() async throws {
        struct Failure: Error {}
        let cars = try ObservedDatabase()
        var ids = cars.database.observe("SELECT id FROM cars", as: [Int].self).makeAsyncIterator()
        _ = try await ids.next()
        try await cars.database.writeWithoutTransaction { connection in
            try? connection.savepoint(named: "s") {
                try connection.run("DELETE FROM cars")
                throw Failure()
            }
        }
        #expect(cars.phase == .watching)
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func aSavepointWhoseClosureThrows() async throws {
        struct Failure: Error {}
        let cars = try ObservedDatabase()
        var ids = cars.database.observe("SELECT id FROM cars", as: [Int].self).makeAsyncIterator()
        _ = try await ids.next()
        try await cars.database.write { connection in
            try? connection.savepoint(named: "s") {
                try connection.run("DELETE FROM cars")
                throw Failure()
            }
        }
        #expect(cars.phase == .watching)
        try await cars.database.write { connection in
            try connection.savepoint(named: "s") { try connection.run("DELETE FROM cars") }
        }
        #expect(try await ids.next() == [])
    }

    /// A commit that fails on a deferred foreign key publishes nothing.
    @Test func aCommitThatFails() async throws {
        let write: SQL = "BEGIN; INSERT INTO b VALUES(9); COMMIT"
        let tables: SQL = "CREATE TABLE b(a REFERENCES cars DEFERRABLE INITIALLY DEFERRED)"
        #expect(try await ObservedDatabase.phase(of: "SELECT a FROM b", after: write, with: tables) == .watching)
    }

    @Test(
        .enabled(if: SQLiteFeatures.fullTextSearch),
        arguments: [
            // Tables WITHOUT ROWID.
            ("SELECT k FROM w", "INSERT INTO w VALUES(2, 2)", true),
            ("SELECT k FROM w", "UPDATE w SET v = 5", false),
            ("SELECT v FROM w", "UPDATE w SET v = 5", true),
            ("SELECT k FROM w", "UPDATE w SET k = 5", true),
            ("SELECT k FROM w", "DELETE FROM w", true),
            // Changes by foreign keys and triggers.
            ("SELECT c.w FROM c", "DELETE FROM w", true),
            ("SELECT id FROM cars", "INSERT INTO orders VALUES(7, 7)", true),
            // Views. Where one joins by names, the columns of all are unknown.
            ("SELECT id FROM v", "UPDATE cars SET name = 'x'", true),
            ("SELECT id FROM v", "UPDATE cars SET price = 1", true),
            // Columns beside a generated one are not compared.
            ("SELECT g FROM g", "UPDATE g SET a = 2", true),
            ("SELECT b FROM g", "UPDATE g SET b = 5", true),
            ("SELECT b FROM g", "UPDATE g SET a = 5", true),
            // SQLite does not report the columns of USING and NATURAL.
            ("SELECT a FROM g JOIN p USING(b)", "UPDATE p SET b = 9", true),
            ("SELECT a FROM g NATURAL JOIN p", "UPDATE g SET b = 9", true),
            ("SELECT a FROM joined", "UPDATE p SET b = 9", true),
            ("SELECT count(*) FROM g JOIN p USING(b)", "UPDATE p SET b = 9", true),
            ("SELECT count(*) FROM joined", "UPDATE p SET b = 9", true),
            ("SELECT count(*) FROM \"v\"\"w\"", "UPDATE p SET b = 9", true),
            // Words in a default value.
            ("SELECT x FROM noted WHERE rowid = 1", "UPDATE noted SET rowid = 9", true),
            ("SELECT x FROM noted WHERE rowid = 1", "UPDATE noted SET note = 9", false),
            // A generated column before the key, and rows that are older than a column.
            ("SELECT added FROM p", "UPDATE p SET added = NULL", true),
            ("SELECT a FROM early", "UPDATE early SET a = 9", true),
            // A virtual table stores its rows in others.
            ("SELECT rowid FROM f WHERE f MATCH 'x'", "INSERT INTO f VALUES('x')", true),
            ("SELECT id FROM orders", "INSERT INTO f VALUES('x')", false),
        ] as [(SQL, SQL, Bool)])
    func otherTables(query: SQL, write: SQL, concerns: Bool) async throws {
        let tables: SQL = """
            CREATE TABLE w(k INTEGER PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES(1, 1);
            CREATE TABLE c(w REFERENCES w ON DELETE CASCADE ON UPDATE CASCADE); INSERT INTO c VALUES(1);
            CREATE TRIGGER t AFTER INSERT ON orders BEGIN INSERT INTO cars(name) VALUES('t'); END;
            CREATE VIEW v AS SELECT id FROM cars WHERE name <> 'x';
            CREATE TABLE g(a, g AS (a * 2), b); INSERT INTO g VALUES(1, 2);
            CREATE TABLE p(b, c); INSERT INTO p VALUES(2, 2); ALTER TABLE p ADD COLUMN added DEFAULT 5;
            CREATE VIEW joined AS SELECT a FROM g JOIN p USING(b); CREATE VIEW "v""w" AS SELECT * FROM joined;
            CREATE TABLE noted(x, note DEFAULT 'without a rowid'); INSERT INTO noted(x) VALUES(1);
            CREATE TABLE early(g AS (b + 1), id INTEGER PRIMARY KEY, a, b); INSERT INTO early VALUES(1, 2, 3);
            CREATE VIRTUAL TABLE f USING fts5(text);
            """
        let phase = try await ObservedDatabase.phase(of: query, after: write, with: tables)
        #expect(phase == (concerns ? .changed(isCertain: true) : .watching))
    }

    /// SQLite does not report the database of a table that is named without it, if no column is read.
    @Test(
        arguments: [
            "SELECT count(*) FROM r", "SELECT EXISTS(SELECT 1 FROM r)", "SELECT count(name) FROM cars, r",
            "WITH k AS (SELECT 1 FROM r) SELECT count(*) FROM k", "SELECT count(*) FROM aux.r",
        ] as [SQL])
    func aTableOfAnAttachedDatabase(query: SQL) async throws {
        let directory = try TemporaryDirectory()
        let archive = directory.file("archive.db")
        try Connection(archive).execute("CREATE TABLE r(id INTEGER PRIMARY KEY)")
        let database = try Database(
            directory.file("cars.db"),
            preparation: { try $0.attachDatabase(from: .onDisk(archive), withName: "aux") })
        try await database.writeWithoutTransaction { try $0.execute(ObservedDatabase.tables) }
        var counts = database.observe(query, as: Int.self).makeAsyncIterator()
        #expect(try await counts.next() == 0)
        try await database.write { try $0.run("INSERT INTO orders VALUES(1, 1)") }
        #expect(database.observationCenter.phase(of: 1) == .watching)
        try await database.write { try $0.run("INSERT INTO r VALUES(1)") }
        #expect(try await counts.next() == (query.text.contains("cars") ? 3 : 1))
    }

    /// A database in memory has one connection, whose temporary tables the observers read.
    @Test func temporaryTablesInMemory() async throws {
        let database = try Database(":memory:")
        try await database.writeWithoutTransaction { try $0.execute(ObservedDatabase.tables) }
        var counts = database.observe("SELECT count(*) FROM cars", as: Int.self).makeAsyncIterator()
        #expect(try await counts.next() == 3)
        for (write, count) in [
            ("CREATE TEMP VIEW cars AS SELECT 1", 1), ("DROP VIEW temp.cars", 3), ("CREATE TEMP TABLE cars(a)", 0),
            ("INSERT INTO temp.cars VALUES(1)", 1), ("DROP TABLE temp.cars", 3),
        ] as [(SQL, Int)] {
            try await database.writeWithoutTransaction { try $0.run(write) }
            #expect(try await counts.next() == count)
        }
    }

    @Test func theColumnsOfAView() async throws {
        let view: SQL = "CREATE VIEW v AS SELECT id FROM cars WHERE name <> 'x'"
        #expect(
            try await ObservedDatabase.phase(of: "SELECT id FROM v", after: "UPDATE cars SET price = 1", with: view)
                == .watching)
    }

    /// A change of the schema may change anything.
    @Test(arguments: ["ALTER TABLE cars ADD COLUMN year", "DROP TABLE orders", "CREATE VIEW v AS SELECT 1"] as [SQL])
    func theSchema(write: SQL) async throws {
        #expect(try await ObservedDatabase.phase(of: "SELECT id FROM cars", after: write) == .changed(isCertain: false))
    }

    /// A `DELETE` without `WHERE` calls no hook if it was prepared without one. The first observer makes SQLite prepare it again.
    @Test func aStatementThatWasPreparedBefore() async throws {
        let cars = try ObservedDatabase()
        try await cars.database.writeWithoutTransaction { connection in
            try connection.transaction { try connection.run("DELETE FROM cars") }
            try connection.execute("INSERT INTO cars VALUES(1, 'Audi', 50000)")
        }
        var count = cars.database.observe("SELECT count(*) FROM cars", as: Int.self).makeAsyncIterator()
        #expect(try await count.next() == 1)
        try await cars.database.writeWithoutTransaction { try $0.run("DELETE FROM cars") }
        #expect(try await count.next() == 0)
    }

    /// The plan of a query is kept with its statement. A changed view makes SQLite prepare it again.
    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func aViewThatIsReplaced() async throws {
        let cars = try ObservedDatabase(
            "CREATE VIEW v AS SELECT id FROM cars; CREATE TABLE bills(id INTEGER PRIMARY KEY)")
        var ids = cars.database.observe("SELECT id FROM v", as: [Int].self).makeAsyncIterator()
        #expect(try await ids.next() == [1, 2, 3])
        try cars.write("DROP VIEW v; CREATE VIEW v AS SELECT id FROM orders")
        #expect(try await ids.next() == [])
        try cars.write("INSERT INTO orders VALUES(4, 4)")
        #expect(try await ids.next() == [4])
        try cars.write("DELETE FROM cars")
        #expect(cars.phase == .watching)
        try cars.write("DROP VIEW v; CREATE VIEW v AS SELECT id FROM bills")
        #expect(try await ids.next() == [])
        try cars.write("INSERT INTO bills VALUES(5)")
        #expect(try await ids.next() == [5])
        try cars.write("DELETE FROM orders")
        #expect(cars.phase == .watching)
    }

    /// Also later changes are noticed, whose columns have other positions.
    @Test(.enabled(if: SQLiteFeatures.preUpdateHook), arguments: [true, false]) func aDatabaseInMemoryThatIsReplaced(
        byBackup: Bool
    ) async throws {
        let database = try Database(":memory:")
        try await database.write { try $0.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES('a1', 'b1')") }
        let source = try Connection()
        try source.execute("CREATE TABLE t(b, a); INSERT INTO t VALUES('b2', 'a2')")
        let data = try source.serialize()
        var values = database.observe("SELECT a FROM t", as: String.self).makeAsyncIterator()
        #expect(try await values.next() == "a1")
        try await database.writeWithoutTransaction { connection in
            if byBackup {
                let copy = try Connection()
                try copy.deserialize(data)
                try copy.backup(to: connection).run()
            } else {
                try connection.deserialize(data)
            }
        }
        #expect(try await values.next() == "a2")
        try await database.write { try $0.run("UPDATE t SET a = 'a3'") }
        #expect(try await values.next() == "a3")
    }

    @Test func aThousandObserversOfAHundredTables() async throws {
        let cars = try ObservedDatabase()
        try await cars.database.writeWithoutTransaction { connection in
            for number in 0..<100 { try connection.execute("CREATE TABLE \(name: "t\(number)")(a)") }
        }
        var iterators: [ObservedValues<Int>.AsyncIterator] = []
        for number in 0..<1000 {
            var next = cars.database.observe("SELECT count(*) FROM \(name: "t\(number % 100)")", as: Int.self)
                .makeAsyncIterator()
            _ = try await next.next()
            iterators.append(next)
        }
        try cars.write("INSERT INTO t7 VALUES(1)")
        let center = cars.database.observationCenter
        let woken = withExtendedLifetime(iterators) {
            (1...3000).filter { center.phase(of: $0) == .changed(isCertain: true) }
        }
        #expect(woken.count == 10)
    }
}

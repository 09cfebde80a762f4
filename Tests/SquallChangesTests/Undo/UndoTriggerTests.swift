import SquallChanges
import Squall
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteFeatures.sessions))
struct UndoTriggerTests {
    private static func database(_ sql: String) throws -> Database {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction { try $0.execute("\(raw: sql)") }
        return database
    }

    @Test func changesOfTriggersAreUndoneAndTriggersDoNotRun() throws {
        let database = try Self.database(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY, price);
            CREATE TABLE totals(id INTEGER PRIMARY KEY, sum, changes);
            CREATE TABLE log(text);
            INSERT INTO totals VALUES(1, 0, 0);
            CREATE TRIGGER added AFTER INSERT ON cars BEGIN
                UPDATE totals SET sum = sum + new.price, changes = changes + 1;
                INSERT INTO log VALUES('added ' || new.id);
            END;
            CREATE TRIGGER removed AFTER DELETE ON cars BEGIN
                UPDATE totals SET sum = sum - old.price, changes = changes + 1;
                INSERT INTO log VALUES('removed ' || old.id);
            END;
            """)
        let history = try UndoHistory(database, tables: ["cars", "totals"])
        func totals() throws -> [Int] {
            try database.blocking.read { try $0.query("SELECT sum FROM totals UNION ALL SELECT changes FROM totals") }
        }
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO cars VALUES(1, 10), (2, 20)") }
        try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM cars WHERE id = 1") }
        #expect(try totals() == [20, 3])
        try history.blocking.undo()
        #expect(try totals() == [30, 2])
        try history.blocking.undo()
        #expect(try totals() == [0, 0])
        try history.blocking.redo()
        try history.blocking.redo()
        #expect(try totals() == [20, 3])
        // A table that is not in the history keeps what triggers have written.
        let log: [String] = try database.blocking.read { try $0.query("SELECT text FROM log") }
        #expect(log == ["added 1", "added 2", "removed 1"])
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO cars VALUES(3, 30)") }
        #expect(try totals() == [50, 4])
    }

    @Test func actionsOfForeignKeysDoNotRunTwice() throws {
        let database = try Self.database(
            """
            CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE);
            CREATE TABLE cars(id INTEGER PRIMARY KEY, owner REFERENCES owners ON DELETE CASCADE ON UPDATE CASCADE, price);
            CREATE TABLE notes(id INTEGER PRIMARY KEY, name REFERENCES owners(name) ON DELETE SET NULL ON UPDATE CASCADE);
            CREATE TABLE fines(id INTEGER PRIMARY KEY, car REFERENCES cars ON DELETE RESTRICT);
            INSERT INTO owners VALUES(1, 'Ada'), (2, 'Bob');
            INSERT INTO cars VALUES(1, 1, 10), (2, 1, 20), (3, 2, 30);
            INSERT INTO notes VALUES(1, 'ADA'), (2, 'bob');
            INSERT INTO fines VALUES(1, 3);
            """)
        let history = try UndoHistory(database)
        func dump() throws -> [String] {
            try database.blocking.read {
                try $0.query(
                    """
                    SELECT 'owner ' || id || name FROM owners UNION ALL SELECT 'car ' || id || ' ' || owner || ' ' || price FROM cars
                    UNION ALL SELECT 'note ' || id || ifnull(name, '-') FROM notes UNION ALL SELECT 'fine ' || id FROM fines
                    """)
            }
        }
        var dumps = [try dump()]
        for sql in [
            "UPDATE cars SET price = 11, owner = 2 WHERE id = 1; DELETE FROM owners WHERE id = 1",
            "UPDATE owners SET id = 7, name = 'Bea' WHERE id = 2",
            "DELETE FROM fines; DELETE FROM cars; DELETE FROM owners",
        ] {
            try database.blocking.write { try $0.execute("\(raw: sql)") }
            dumps.append(try dump())
        }
        for dump_ in dumps.dropLast().reversed() {
            #expect(try history.blocking.undo())
            #expect(try dump() == dump_)
        }
        for dump_ in dumps.dropFirst() {
            #expect(try history.blocking.redo())
            #expect(try dump() == dump_)
        }
        let enforces: Int = try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA foreign_keys") }
        #expect(enforces == 1)
        #expect(try database.blocking.read { try $0.query("PRAGMA foreign_key_check") { _ in 1 } }.isEmpty)
    }

    @Test func rowsThatExchangeUniqueValues() throws {
        let database = try Self.database(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, price, data BLOB);
            INSERT INTO cars VALUES(1, 'a', 10, x'00ff'), (2, 'b', 20, NULL), (3, 'c', 30, zeroblob(3));
            CREATE TRIGGER fail BEFORE DELETE ON cars BEGIN SELECT raise(ABORT, 'no'); END;
            """)
        let history = try UndoHistory(database, tables: ["cars"])
        func dump() throws -> [String] {
            try database.blocking.read { try $0.query("SELECT id || name || price || quote(data) FROM cars ORDER BY id") }
        }
        let before = try dump()
        try database.blocking.write {
            try $0.execute(
                """
                UPDATE cars SET name = 'x' WHERE id = 1; UPDATE cars SET name = 'a' WHERE id = 2;
                UPDATE cars SET name = 'b', price = 31 WHERE id = 3; UPDATE cars SET name = 'c' WHERE id = 1;
                """)
        }
        let after = try dump()
        #expect(after == ["1c10X'00FF'", "2a20NULL", "3b31X'000000'"])
        try history.blocking.undo()
        #expect(try dump() == before)
        try history.blocking.redo()
        #expect(try dump() == after)
    }
}

import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteFeatures.sessions))
struct UndoErrorTests {
    private static func database(_ more: String = "") throws -> Database {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                """
                CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price REAL);
                INSERT INTO cars VALUES(1, 'Audi', 10), (2, 'Fiat', 20);
                \(raw: more)
                """)
        }
        return database
    }

    @Test func tablesThatCannotBeRecorded() throws {
        let database = try Self.database(
            """
            CREATE TABLE plain(a); CREATE VIEW names AS SELECT name FROM cars;
            CREATE TABLE sums(id INTEGER PRIMARY KEY, a, b AS (a + 1));
            """)
        let problems: [(String, RecordingProblem)] = [
            ("trucks", .unknownTable), ("plain", .noPrimaryKey), ("names", .notATable), ("sums", .generatedColumns),
        ]
        for (table, problem) in problems {
            let kind = try errorKind { _ = try UndoHistory(database, tables: ["cars", table]) }
            #expect(kind == .problem(problem, of: .table(table)))
        }
        #expect(
            try errorKind { _ = try UndoHistory(database) }
                == .problem(RecordingProblem.noPrimaryKey, of: .table("plain")))
        let kind = try errorKind { _ = try UndoHistory(database, tables: ["cars"], limit: 0) }
        #expect(kind == .problem(UndoProblem.limit(0)))
    }

    @Test func insideClosures() throws {
        let database = try Self.database()
        let history = try UndoHistory(database, tables: ["cars"])
        try history.blocking.write("Edit") { try $0.run("UPDATE cars SET price = 11 WHERE id = 1") }
        try database.blocking.read { (_: Connection) throws in
            #expect(try errorKind { try history.blocking.undo() } == .problem(UndoProblem.insideClosure))
            #expect(try errorKind { try history.blocking.write("A") { _ in } } == .insideRead(.write))
        }
        try database.blocking.write { (_: Connection) throws in
            let error = try sqliteError { try history.blocking.redo() }
            #expect(error.kind == .problem(UndoProblem.insideClosure) && error.resultCode == .misuse)
            #expect(
                try errorKind { _ = try UndoHistory(database, tables: ["cars"]) } == .problem(UndoProblem.insideClosure)
            )
        }
        #expect(history.undoName == "Edit")
    }

    @Test func aClosedDatabase() throws {
        let database = try Self.database()
        let history = try UndoHistory(database, tables: ["cars"])
        try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM cars") }
        try database.blocking.close()
        #expect(try errorKind { try history.blocking.undo() } == .closed(.database))
        #expect(try errorKind { try history.blocking.write("A") { _ in } } == .closed(.database))
        #expect(try errorKind { _ = try UndoHistory(database, tables: ["cars"]) } == .closed(.database))
    }

    @Test(arguments: [
        "ALTER TABLE cars ADD COLUMN year", "ALTER TABLE cars DROP COLUMN price", "DROP TABLE cars",
        "ALTER TABLE cars RENAME COLUMN price TO cost", "ALTER TABLE cars RENAME TO trucks",
    ]) func aTableThatWasAltered(_ sql: String) throws {
        let database = try Self.database()
        let history = try UndoHistory(database, tables: ["cars"])
        try history.blocking.write("Edit") { try $0.run("UPDATE cars SET name = 'Opel' WHERE id = 1") }
        try database.blocking.write { try $0.execute("\(raw: sql)") }
        let error = try sqliteError { try history.blocking.undo() }
        #expect(error.kind == .problem(UndoProblem.altered, of: .table("cars")) && error.resultCode == .schema)
        #expect(history.undoName == "Edit")
    }

    @Test func aTableThatWasAlteredIsRecordedAgain() throws {
        let database = try Self.database()
        let history = try UndoHistory(database, tables: ["cars"])
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = 11 WHERE id = 1") }
        try database.blocking.writeWithoutTransaction { try $0.execute("ALTER TABLE cars ADD COLUMN year") }
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET year = 1999 WHERE id = 1") }
        #expect(try history.blocking.undo())
        #expect(try database.blocking.read { try $0.query("SELECT count(year) FROM cars") } == 0)
        #expect(try errorKind { try history.blocking.undo() } == .problem(UndoProblem.altered, of: .table("cars")))
        // Changes of rows beside an alteration are no step.
        try database.blocking.write {
            try $0.run("UPDATE cars SET price = 12 WHERE id = 1")
            try $0.execute("ALTER TABLE cars ADD COLUMN owner")
        }
        #expect(!history.canRedo)
        history.removeAll()
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET owner = 'Ada' WHERE id = 1") }
        #expect(try history.blocking.undo())
    }

    /// SQLite deletes the rows of a parent before it drops the table.
    @Test func aParentThatIsDropped() throws {
        let database = try Self.database("CREATE TABLE wheels(id INTEGER PRIMARY KEY, car REFERENCES cars)")
        let history = try UndoHistory(database, tables: ["cars", "wheels"])
        try database.blocking.writeWithoutTransaction { try $0.execute("DROP TABLE cars") }
        try database.blocking.write {
            try $0.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY); INSERT INTO wheels VALUES(1, NULL)")
        }
        try history.blocking.undo()
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM wheels") } == 0)
        try database.blocking.write { try $0.execute("INSERT INTO wheels VALUES(2, NULL); DROP TABLE wheels") }
    }

    /// An interrupt that comes too late for the commit does not lose its step.
    @Test func anInterruptDuringACommit() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("cars.db"))
        try database.blocking.write {
            try $0.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, price); INSERT INTO cars VALUES(1, 10)")
        }
        let history = try UndoHistory(database, tables: ["cars"])
        let isInterrupted = Shared(false)
        try history.blocking.write("Edit") { connection in
            try connection.addWALObserver { [unowned connection] _, _ in
                isInterrupted.update { $0 = true }
                connection.interrupt()
            }
            try connection.run("UPDATE cars SET price = 11")
        }
        #expect(isInterrupted.value && history.undoName == "Edit")
        #expect(try history.blocking.undo())
        #expect(try database.blocking.read { try $0.query("SELECT price FROM cars") } == 10)
    }
}

import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteFeatures.sessions))
struct RecordChangesTests {
    private static func cars() throws -> Connection {
        let connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price REAL);
            CREATE TABLE tags(car INTEGER, tag TEXT, PRIMARY KEY(car, tag)) WITHOUT ROWID;
            INSERT INTO cars VALUES(1, 'Audi', 10.5), (2, 'Fiat', 20);
            INSERT INTO tags VALUES(1, 'red');
            """)
        return connection
    }

    @Test func theDifferenceOfAllChanges() throws {
        let connection = try Self.cars()
        let changes = try connection.recordChanges(in: "cars", "TAGS") {
            try $0.run("UPDATE cars SET price = price + 1 WHERE id = 1")
            try $0.run("UPDATE cars SET price = price + 1 WHERE id = 1")
            try $0.run("INSERT INTO cars VALUES(3, 'Mini', NULL)")
            try $0.run("INSERT INTO cars VALUES(4, 'Seat', 1)")
            try $0.run("DELETE FROM cars WHERE id IN (2, 4)")
            try $0.run("INSERT INTO tags VALUES(1, 'big')")
        }
        let elements = try changes.elements
        #expect(
            Set(elements.map(\.description)) == [
                "update cars: (id = 1, price = 10.5) to (price = 12.5)",
                "insert into cars: (id = 3, name = 'Mini', price = NULL)",
                "delete from cars: (id = 2, name = 'Fiat', price = 20.0)",
                "insert into tags: (car = 1, tag = 'big')",
            ])
        let update = try #require(elements.first { $0.operation == .update })
        #expect(update.table == "cars" && update.keyColumns == [0] && !update.isIndirect)
        #expect(update.old["price"] == .real(10.5) && update.new["PRICE"] == .real(12.5))
        #expect(update.old["name"] == nil && update.new["id"] == nil && update.new["nothing"] == nil)
        #expect(update.new[2] == .real(12.5) && update.new[9] == nil)
        #expect(try update.new.get("price") == 12.5)
        #expect(throws: ConversionError.self) { try update.new.get("price", as: Int.self) }
        let tag = try #require(elements.first { $0.table == "tags" })
        #expect(tag.keyColumns == [0, 1])
    }

    @Test func nothingIsRecordedOutsideAndAfterARollback() throws {
        let connection = try Self.cars()
        let changes = try connection.recordChanges(in: "cars") { connection in
            try? connection.transaction {
                try connection.run("DELETE FROM cars")
                throw CancellationError()
            }
            try connection.run("INSERT INTO tags VALUES(2, 'small')")
        }
        #expect(changes.isEmpty && changes.data.isEmpty)
        #expect(try changes.elements == [])
        #expect(try connection.recordChanges { _ in }.isEmpty)
    }

    @Test func theErrorOfTheClosure() throws {
        let connection = try Self.cars()
        #expect(throws: CancellationError.self) {
            try connection.recordChanges(in: "cars") { _ in throw CancellationError() }
        }
        let next = try connection.recordChanges(in: "cars") { try $0.run("DELETE FROM cars WHERE id = 1") }
        #expect(try next.elements.count == 1)
    }

    @Test func allTablesThatAFilterChooses() throws {
        let connection = try Self.cars()
        let recorder = try connection.startRecording { $0 != "tags" }
        try connection.execute(
            """
            UPDATE cars SET name = 'x' WHERE id = 1;
            DELETE FROM tags;
            CREATE TABLE later(id INTEGER PRIMARY KEY);
            INSERT INTO later VALUES(1);
            """)
        let changes = try recorder.changeset()
        #expect(try Set(changes.elements.map(\.table)) == ["cars", "later"])
        recorder.stop()
        #expect(try errorKind { _ = try recorder.changeset() } == .problem(RecordingProblem.stopped))
    }

    @Test func tablesOfVirtualTablesAreLeftOut() throws {
        let connection = try Self.cars()
        try connection.execute(
            """
            CREATE VIRTUAL TABLE notes USING fts5(text);
            CREATE TABLE notes_more(id INTEGER PRIMARY KEY, a);
            DROP TABLE tags;
            """)
        #expect(
            try errorKind { _ = try connection.recordChanges(in: "notes") { _ in } }
                == .problem(RecordingProblem.notATable, of: .table("notes")))
        let changes = try connection.recordChanges {
            try $0.execute("INSERT INTO notes VALUES('y'); INSERT INTO notes_more VALUES(2, 2)")
        }
        #expect(try changes.elements.map(\.table) == ["notes_more"])
        let recorder = try connection.startRecording { !$0.hasPrefix("notes") || $0 == "notes_more" }
        try connection.execute("INSERT INTO notes VALUES('x'); INSERT INTO notes_more VALUES(1, 2)")
        #expect(try recorder.changeset().elements.map(\.table) == ["notes_more"])
    }

    @Test func theFilterCannotUseTheConnection() throws {
        let connection = try Self.cars()
        var kinds: [SQLiteError.Kind] = []
        var recorder: ChangeRecorder?
        recorder = try connection.startRecording { name in
            if recorder != nil {
                do { try connection.run("DELETE FROM tags") } catch {
                    kinds += [(error as? SQLiteError)?.kind].compactMap { $0 }
                }
                recorder?.stop()
            }
            return true
        }
        try connection.run("DELETE FROM cars")
        #expect(kinds == [.hookReentrancy(hook: "filter of recorded tables")])
        #expect(try connection.query("SELECT count(*) FROM tags") == 1)
        #expect(try errorKind { _ = try recorder?.changeset() } == .problem(RecordingProblem.stopped))
    }

    @Test func tablesThatCannotBeRecorded() throws {
        let connection = try Self.cars()
        try connection.execute(
            """
            CREATE TABLE keyless(a);
            CREATE VIEW cheap AS SELECT * FROM cars;
            CREATE TABLE generated(id INTEGER PRIMARY KEY, a INTEGER, b INTEGER AS (a + 1) STORED);
            CREATE TABLE computed(id INTEGER PRIMARY KEY, a INTEGER, b INTEGER AS (a + 1));
            """)
        var ran = false
        for (table, problem) in [
            ("keyless", RecordingProblem.noPrimaryKey), ("cheap", .notATable), ("nothing", .unknownTable),
            ("generated", .generatedColumns), ("computed", .generatedColumns), ("ca\"rs;--", .unknownTable),
            ("a\0b", .unknownTable),
        ] {
            let kind = try errorKind { _ = try connection.recordChanges(in: "cars", table) { _ in ran = true } }
            #expect(kind == .problem(problem, of: .table(table)))
        }
        #expect(
            try errorKind { _ = try connection.recordChanges { _ in ran = true } }
                == .problem(RecordingProblem.generatedColumns, of: .table("computed")))
        #expect(!ran)
        #expect(try sqliteError { _ = try connection.recordChanges(database: "other") { _ in } }.code == 1)
    }

    @Test func changesOfTriggersAndForeignKeysAreIndirect() throws {
        let connection = try Connection()
        try connection.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE a(id INTEGER PRIMARY KEY);
            CREATE TABLE b(id INTEGER PRIMARY KEY, a REFERENCES a ON DELETE CASCADE);
            CREATE TABLE log(id INTEGER PRIMARY KEY, text);
            CREATE TRIGGER t AFTER DELETE ON a BEGIN INSERT INTO log(text) VALUES('a'); END;
            INSERT INTO a VALUES(1); INSERT INTO b VALUES(1, 1);
            """)
        let changes = try connection.recordChanges { try $0.run("DELETE FROM a") }
        let indirect = Dictionary(uniqueKeysWithValues: try changes.elements.map { ($0.table, $0.isIndirect) })
        #expect(indirect == ["a": false, "b": true, "log": true])
    }

    @Test func aRecorderPausesAndMarksChanges() throws {
        let connection = try Self.cars()
        let recorder = try connection.startRecording(in: ["cars"])
        #expect(recorder.isEmpty && !recorder.isPaused && !recorder.isIndirect)
        recorder.isPaused = true
        try connection.run("DELETE FROM cars WHERE id = 1")
        #expect(recorder.isPaused && recorder.isEmpty)
        recorder.isPaused = false
        recorder.isIndirect = true
        try connection.run("DELETE FROM cars WHERE id = 2")
        #expect(!recorder.isEmpty && recorder.isIndirect)
        #expect(recorder.memoryUsed > 0)
        let elements = try recorder.changeset().elements
        #expect(elements.map(\.isIndirect) == [true])
        #expect(elements[0].old["id"] == .integer(2))
    }

    @Test func memoryHasALimit() throws {
        let connection = try Self.cars()
        var wasRun = false
        let kind = try errorKind {
            _ = try connection.recordChanges(in: "cars", memoryLimit: 20_000) {
                for id in 10..<2_000 { try $0.run("INSERT INTO cars VALUES(?, 'some text', 1)", id) }
                wasRun = true
            }
        }
        #expect(kind == .problem(RecordingProblem.memoryLimit(20_000)))
        #expect(wasRun)
        let recorder = try connection.startRecording(in: ["cars"], memoryLimit: 20_000)
        try connection.run("UPDATE cars SET price = 0")
        #expect(recorder.memoryUsed < 40_000)
        recorder.isPaused = false
        try connection.run("UPDATE cars SET name = 'y'")
        #expect(throws: SQLiteError.self) { try recorder.changeset() }
    }

    @Test func recordersAndObserversBesideOneAnother() throws {
        let connection = try Self.cars()
        var hooked = 0, observed = 0
        let earlier = try connection.addPreUpdateObserver { _ in hooked += 1 }
        let first = try connection.startRecording(in: ["cars"])
        let token = try connection.addPreUpdateObserver { _ in observed += 1 }
        let second = try connection.startRecording(in: ["cars"])
        try connection.run("UPDATE cars SET price = 1")
        #expect((hooked, observed) == (2, 2))
        first.stop()
        try connection.run("UPDATE cars SET price = 2")
        #expect((hooked, observed) == (4, 4))
        token.cancel()
        earlier.cancel()
        try connection.run("DELETE FROM cars")
        #expect((hooked, observed) == (4, 4))
        #expect(try second.changeset().elements.map(\.operation) == [.delete, .delete])
        second.stop()
        var updates = 0
        connection.addUpdateObserver { _, _, _, _ in updates += 1 }
        try connection.run("INSERT INTO cars VALUES(5, 'x', 1)")
        #expect(updates == 1 && observed == 4)
    }

    @Test func theTruncateOptimisationIsSeen() throws {
        let connection = try Self.cars()
        try connection.run("DELETE FROM cars")
        try connection.execute("INSERT INTO cars VALUES(1, 'Audi', 10.5), (2, 'Fiat', 20)")
        let changes = try connection.recordChanges(in: "cars") { try $0.run("DELETE FROM cars") }
        #expect(try changes.elements.count == 2)
    }

    @Test func theConnectionIsClosedInside() throws {
        let connection = try Self.cars()
        let error = try sqliteError {
            _ = try connection.recordChanges(in: "cars") {
                try $0.run("DELETE FROM cars")
                $0.close()
            }
        }
        #expect(error.kind == .closed(.connection))
        let other = try Self.cars()
        let recorder = try other.startRecording(in: ["cars"])
        other.close()
        #expect(recorder.isEmpty && recorder.isPaused && recorder.memoryUsed == 0)
        #expect(try errorKind { _ = try recorder.changeset() } == .closed(.connection))
        recorder.stop()
    }

    @Test func anAlteredTable() throws {
        let connection = try Self.cars()
        let recorder = try connection.startRecording(in: ["cars"])
        try connection.run("UPDATE cars SET price = 1")
        try connection.run("ALTER TABLE cars ADD COLUMN wheels INTEGER DEFAULT 4")
        if SQLiteFeatures.version < 3_046_000 {
            #expect(try errorKind { _ = try recorder.changeset() } == .problem(RecordingProblem.altered))
        } else {
            // A newer SQLite records on, and fills the rows that it has with the default.
            try connection.run("UPDATE cars SET wheels = 3 WHERE id = 1")
            let changes = try recorder.changeset()
            let wheels = try changes.elements.map { ($0.old["id"], $0.new["wheels"]) }
            #expect(wheels.contains { $0 == .integer(1) && $1 == .integer(3) })
            #expect(wheels.contains { $0 == .integer(2) && $1 == nil } && wheels.count == 2)
            let other = try Self.cars()
            #expect(throws: SQLiteError.self) { try other.apply(changes) }
            try other.run("ALTER TABLE cars ADD COLUMN wheels INTEGER DEFAULT 4")
            try other.apply(changes)
            #expect(try other.query("SELECT wheels FROM cars ORDER BY id") == [3, 4])
            #expect(try other.query("SELECT sum(price) FROM cars") == 2)
        }
    }

    /// A newer SQLite records on after a column is added: rows that were changed, inserted or deleted before and after it.
    @Test(.enabled(if: SQLiteFeatures.version >= 3_046_000)) func rowsThatAreChangedBeforeAndAfterAColumnIsAdded()
        throws
    {
        let (connection, twin) = (try Self.cars(), try Self.cars())
        let recorder = try connection.startRecording(in: ["cars"])
        let before: SQL = """
            UPDATE cars SET price = 1 WHERE id = 1; INSERT INTO cars VALUES(7, 'New', 7), (8, 'Gone', 8), (9, 'Kept', 9);
            UPDATE cars SET name = 'x' WHERE id = 2
            """
        let column: SQL = "ALTER TABLE cars ADD COLUMN wheels INTEGER DEFAULT 4"
        let after: SQL = """
            UPDATE cars SET wheels = 3 WHERE id = 1; UPDATE cars SET price = 70 WHERE id = 7; DELETE FROM cars WHERE id = 8;
            UPDATE cars SET name = 'Fiat', wheels = NULL WHERE id = 2
            """
        try connection.execute(before)
        try connection.run(column)
        try connection.execute(after)
        try twin.run(column)
        try twin.apply(recorder.changeset())
        let rows: SQL = "SELECT * FROM cars ORDER BY id"
        #expect(
            try twin.query(rows, as: Row.self).map(\.quotedText)
                == connection.query(rows, as: Row.self).map(\.quotedText))
        try twin.apply(recorder.changeset().inverted())
        #expect(try twin.query(rows, as: Row.self).map(\.quotedText) == ["1, 'Audi', 10.5, 4", "2, 'Fiat', 20.0, 4"])
    }

    @Test func aTableThatLosesAColumn() throws {
        let connection = try Self.cars()
        let recorder = try connection.startRecording(in: ["cars"])
        try connection.run("UPDATE cars SET price = 1")
        try connection.run("ALTER TABLE cars DROP COLUMN name")
        #expect(try errorKind { _ = try recorder.changeset() } == .problem(RecordingProblem.altered))
    }

    @Test func attachedAndTemporaryDatabases() throws {
        let connection = try Self.cars()
        try connection.execute("ATTACH ':memory:' AS other; CREATE TABLE other.cars(id INTEGER PRIMARY KEY, a)")
        try connection.execute("CREATE TEMP TABLE notes(id INTEGER PRIMARY KEY, text)")
        let changes = try connection.recordChanges(database: "other") {
            try $0.execute("INSERT INTO other.cars VALUES(1, 2); DELETE FROM main.cars")
        }
        #expect(try changes.elements.map { $0.new["a"] } == [.integer(2)])
        let notes = try connection.recordChanges(in: "notes", database: "temp") {
            try $0.run("INSERT INTO notes VALUES(1, 'x')")
        }
        #expect(try notes.elements.count == 1)
    }

    @Test func insideTheClosuresOfADatabase() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a)") }
        let changes = try await database.write { connection in
            try connection.recordChanges(in: "t") { try $0.run("INSERT INTO t VALUES(1, 2)") }
        }
        #expect(try changes.elements.count == 1)
        let again = try JSONDecoder().decode(Changeset.self, from: JSONEncoder().encode(changes))
        #expect(again == changes)
        #expect(try again.elements[0].new["a"] == nil)
        #expect(try again.elements[0].new[1] == .integer(2))
    }

    @Test func aStoppedRecorderIsNotIndirect() throws {
        let recorder = try Connection().startRecording()
        recorder.isIndirect = true
        #expect(recorder.isIndirect)
        recorder.stop()
        #expect(!recorder.isIndirect)
    }
}

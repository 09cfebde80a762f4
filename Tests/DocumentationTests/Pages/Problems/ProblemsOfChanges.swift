// swift-format-ignore-file
import Foundation
import Squall
import SquallChanges
import SquallTestSupport
import Testing

private func garage(_ more: SQL = "") throws -> Connection {
    let connection = try Connection(":memory:")
    try connection.execute("""
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
        INSERT INTO cars VALUES(1, 'Audi', 52642), (2, 'Saab', 21000);
        \(more)
        """)
    return connection
}

/// The `swift` blocks of the page "Problems of changes".
@Suite(.enabled(if: SQLiteLibrary.has("ENABLE_SESSION")))
struct ChangesProblemSnippets {
    private let connection: Connection

    init() throws {
        connection = try garage("""
            CREATE TABLE lines(text TEXT);
            CREATE VIEW names AS SELECT 1 AS id;
            CREATE TABLE sums(id INTEGER PRIMARY KEY, a, b AS (a + 1));
            CREATE TABLE words(text TEXT PRIMARY KEY COLLATE NOCASE);
            """)
    }

    @Test func recording() throws {
        expect(RecordingProblem.unknownTable, "no such table: boats") {
            try connection.startRecording(in: ["boats"])
        }
        expect(RecordingProblem.notATable, """
            changes of names cannot be recorded: it is a view or a virtual table
            """) {
            try connection.startRecording(in: ["names"])
        }
        expect(RecordingProblem.noPrimaryKey, """
            changes of lines cannot be recorded: it has no declared PRIMARY KEY
            """) {
            try connection.startRecording(in: ["lines"])
        }
        expect(RecordingProblem.generatedColumns, """
            changes of sums cannot be recorded: it has generated columns
            """) {
            try connection.startRecording(in: ["sums"])
        }
        expect(RecordingProblem.inexactKey(column: "text"), """
            changes of words cannot be recorded: values of its primary key, text, can \
            be equal and have other bytes; declare it INTEGER, TEXT or BLOB, with the \
            collation BINARY
            """) {
            try connection.startRecording(in: ["words"])
        }
        // Record fewer changes at once, or raise the limit.
        expect(RecordingProblem.memoryLimit(20_000), """
            the recorded changes take more than 20000 bytes of memory
            """) {
            try connection.recordChanges(in: "cars", memoryLimit: 20_000) {
                for id in 10..<2_000 {
                    try $0.run("INSERT INTO cars VALUES(\(id), 'Fiat', 1)")
                }
            }
        }
        let recorder = try connection.startRecording(in: ["cars"])
        try connection.run("UPDATE cars SET price = 1")
        try connection.run("ALTER TABLE cars DROP COLUMN name")
        // Stop the recorder before a migration, and start another one after it.
        expect(RecordingProblem.altered, """
            a table was altered while its changes were recorded
            """) {
            try recorder.changeset()
        }
        recorder.stop()
        expect(RecordingProblem.stopped, "the recorder was stopped") {
            try recorder.changeset()
        }
    }

    @Test func changesets() throws {
        let changes = try connection.recordChanges(in: "cars") {
            try $0.run("DELETE FROM cars WHERE id = 1")
        }
        let patch = try connection.recordPatchset(in: "cars") {
            try $0.run("DELETE FROM cars WHERE id = 2")
        }
        // The bytes were cut or changed on their way.
        expect(ChangesetProblem.damaged, "the bytes are not those of a changeset") {
            try Changeset(changes.data.dropLast(3)).inverted()
        }
        // Record a changeset.
        expect(ChangesetProblem.patchsetInverted, """
            a patchset cannot be inverted: it does not have the old values
            """) {
            try patch.inverted()
        }
        expect(ChangesetProblem.mixedKinds, """
            a changeset cannot be combined with a patchset
            """) {
            try changes.appending(patch)
        }
        try connection.run("ALTER TABLE cars ADD COLUMN colour TEXT")
        let later = try connection.recordChanges(in: "cars") {
            try $0.run("INSERT INTO cars VALUES(1, 'Audi', 52642, 'red')")
        }
        // Apply each of them by itself.
        expect(ChangesetProblem.differentTables, """
            a table has other columns or another primary key in the other changeset
            """) {
            try later.appending(changes)
        }
    }

    @Test func applying() throws {
        let changes = try garage().recordChanges {
            try $0.run("UPDATE cars SET price = 50000 WHERE id = 1")
        }
        // Migrate both databases to one version first.
        let empty = try Connection(":memory:")
        expect(ChangesetProblem.missingTable, """
            the changes are of a table that does not exist here: cars
            """) {
            try empty.apply(changes)
        }
        try empty.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)")
        expect(ChangesetProblem.missingColumns(expected: 3, found: 2), """
            the changes of cars have 3 columns, and the table has 2
            """) {
            try empty.apply(changes)
        }
        try empty.execute("DROP TABLE cars; CREATE TABLE cars(id, name PRIMARY KEY, price)")
        expect(ChangesetProblem.otherPrimaryKey, """
            the primary key of cars is another one than that of its changes
            """) {
            try empty.apply(changes)
        }
        // Give `apply` a closure that answers the conflict.
        let other = try garage("UPDATE cars SET price = 1")
        expect(ChangesetProblem.aborted(conflict: "data"), """
            a conflict (data) in cars has ended the changes
            """) {
            try other.apply(changes)
        }
        // Only a conflict of the kind `.data` or `.conflict` has a row to replace.
        let sold = try garage("DELETE FROM cars")
        expect(ChangesetProblem.invalidReplace, """
            a change that conflicts with nothing that can be replaced cannot replace \
            it
            """) {
            try sold.apply(changes) { _ in .replace }
        }
        // The column stores other values than the recorded one: here it is TEXT.
        let priced = try Connection(":memory:")
        try priced.execute("""
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price TEXT);
            INSERT INTO cars VALUES(1, 'Audi', '52642');
            """)
        expect(ChangesetProblem.differentRow(key: "1", column: "price"), """
            the row 1 of cars is not stored as it was to be: its price is another \
            value
            """) {
            try priced.apply(changes) { _ in .replace }
        }
        try other.execute("""
            PRAGMA foreign_keys = ON;
            CREATE TABLE wheels(car REFERENCES cars DEFERRABLE INITIALLY DEFERRED);
            """)
        expect(ChangesetProblem.pendingForeignKeys, """
            foreign keys are violated in this transaction: write the missing parents \
            before changes are applied
            """) {
            try other.transaction {
                try other.run("INSERT INTO wheels VALUES(9)")
                try other.apply(changes)
            }
        }
    }

    @Test func undo() throws {
        let database = try Database(":memory:")
        try database.blocking.write {
            try $0.execute("""
                CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT);
                INSERT INTO cars VALUES(1, 'Audi');
                """)
        }
        expect(UndoProblem.limit(0), "an undo history keeps at least one step, not 0") {
            try UndoHistory(database, tables: ["cars"], limit: 0)
        }
        // Call it after the closure has returned.
        let history = try UndoHistory(database, tables: ["cars"])
        expect(UndoProblem.insideClosure, """
            an undo history cannot begin, undo or redo inside a closure of its \
            database
            """) {
            try database.blocking.read { _ in try history.blocking.undo() }
        }
        try history.blocking.write("Sell") { try $0.run("DELETE FROM cars") }
        try database.blocking.write { try $0.execute("ALTER TABLE cars ADD COLUMN price") }
        // Call `removeAll()` after a migration.
        expect(UndoProblem.altered, """
            cars was altered or dropped after the step was recorded
            """) {
            try history.blocking.undo()
        }
    }

    @Test func answersToUndo() throws {
        /// Returns what a menu does after undo has failed.
        func answer(to error: SQLiteError) -> String {
            switch error.problem(UndoProblem.self) {
            case .altered: "forget the history"
            case .insideClosure, .insideEarlierWrite: "try again after the write"
            case .limit, nil: "show the error"
            }
        }
        #expect(answer(to: SQLiteError(UndoProblem.altered, of: .table("cars"))) == "forget the history")
        #expect(answer(to: SQLiteError(UndoProblem.insideEarlierWrite)) == "try again after the write")
        #expect(answer(to: SQLiteError(code: 5, message: "")) == "show the error")
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func triggers() throws {
        let database = try Database(":memory:")
        try database.blocking.write {
            try $0.execute("""
                CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT);
                CREATE TABLE log(text TEXT);
                CREATE VIRTUAL TABLE words USING fts5(text);
                CREATE TRIGGER notes_words AFTER INSERT ON notes BEGIN
                    INSERT INTO words(rowid, text) VALUES(new.id, new.text);
                    INSERT INTO log VALUES(new.text);
                END;
                """)
        }
        let history = try UndoHistory(database, tables: ["notes"])
        try history.blocking.write("Add") { try $0.run("INSERT INTO notes VALUES(1, 'a')") }
        // The trigger also writes to the table `log`.
        expect(TriggerProblem.inseparable("notes_words"), """
            the trigger notes_words cannot run alone to keep an index in step: it \
            writes to other tables or views too, or a TEMP table or view has a name \
            that it uses; split the trigger, or rename that table
            """) {
            try history.blocking.undo()
        }
    }
}

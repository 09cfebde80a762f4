import SquallChanges
import Squall
import SquallTestSupport
import Testing

/// Foreign keys of several columns that change hands, and those that SQLite cannot check.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct KeyOwnerTests {
    private static let violation = SQLiteError.Kind.problem(ChangesetProblem.aborted(conflict: "foreignKey"))

    /// A changeset does not have the column that has kept its value, which is read from the row.
    @Test func aKeyChangesHandsByOneOfItsColumns() throws {
        let schema: SQL = """
            PRAGMA foreign_keys = ON; CREATE TABLE p(id INTEGER PRIMARY KEY, a INTEGER, b TEXT, UNIQUE(a, b));
            CREATE TABLE c(k INTEGER PRIMARY KEY, a INTEGER, b TEXT,
                FOREIGN KEY(a, b) REFERENCES p(a, b) ON DELETE CASCADE ON UPDATE CASCADE);
            INSERT INTO p VALUES(1, 1, 'x'), (2, 2, 'x'), (3, 3, NULL); INSERT INTO c VALUES(1, 1, 'x'), (3, 3, NULL)
            """
        let (connection, twin, whole, more) = (
            try Connection(), try Connection(), try Connection(), try Connection()
        )
        for connection in [connection, twin, whole, more] { try connection.execute(schema) }
        let recorder = try connection.startRecording(in: ["p"])
        let all = try connection.recordChanges {
            try $0.execute("UPDATE p SET a = 9 WHERE id = 1; UPDATE p SET a = 1 WHERE id = 2")
            try $0.execute("UPDATE p SET a = 4 WHERE id = 3")
        }
        let rows: SQL = "SELECT group_concat(k || ' ' || a || ifnull(b, '-')) FROM c"
        #expect(try connection.query(rows) == "1 9x,3 3-")
        #expect(try errorKind { try twin.apply(recorder.changeset()) } == Self.violation)
        #expect(try twin.query(rows) == "1 1x,3 3-")
        try whole.apply(all)
        #expect(try whole.query(rows) == "1 9x,3 3-")
        // A child of which the changes do not say to which parent it belongs.
        try more.run("INSERT INTO c VALUES(8, 1, 'x')")
        #expect(try errorKind { try more.apply(all) } == Self.violation)
        #expect(try more.query(rows) == "1 1x,3 3-,8 1x")
    }

    /// SQLite refuses to write the child of a parent without a primary key, and other tables are not affected.
    @Test func aForeignKeyThatNamesNoColumnOfItsParent() throws {
        let schema: SQL = """
            CREATE TABLE p(v); CREATE TABLE x(id INTEGER PRIMARY KEY, p REFERENCES p);
            CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE b(id INTEGER PRIMARY KEY, a REFERENCES a ON DELETE CASCADE);
            INSERT INTO a VALUES(1), (2); INSERT INTO b VALUES(1, 1), (2, 2)
            """
        let (connection, twin) = (try Connection(), try Connection())
        for connection in [connection, twin] { try connection.execute(schema) }
        try connection.run("PRAGMA foreign_keys = OFF")
        let recorder = try connection.startRecording(in: ["a", "b"])
        let all = try connection.recordChanges(in: "a", "b", "x") {
            try $0.execute("DELETE FROM b WHERE a = 1; DELETE FROM a WHERE id = 1; INSERT INTO x VALUES(1, 7)")
        }
        try twin.run("PRAGMA foreign_keys = ON")
        let rows: SQL = "SELECT (SELECT group_concat(id) FROM a) || ' ' || (SELECT group_concat(id) FROM b)"
        #expect(throws: SQLiteError.self) { try twin.apply(all) }
        #expect(try twin.query(rows) == "1,2 1,2")
        try twin.apply(recorder.changeset())
        #expect(try twin.query(rows) == "2 2" && twin.query("SELECT count(*) FROM x") == 0)
    }
}

import Foundation
import Squall
import SquallTestSupport
import Testing

struct IntegrityTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A file of which a page was overwritten.
    private func damaged(page: Int, of rows: Int = 20) throws -> Connection {
        let path = directory.file("a.db")
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.fill(rows: rows)
        try connection.execute("CREATE INDEX ti ON t(length(bytes))")
        connection.close()
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in (page - 1) * 4096..<(page - 1) * 4096 + 200 { data[index] = 0xff }
        try data.write(to: URL(fileURLWithPath: path))
        return try Connection(storageLocation: .onDisk(path))
    }

    @Test func aSoundDatabaseHasNoProblems() throws {
        let connection = try Connection(directory.file("a.db"))
        #expect(try connection.integrityCheck() == [])
        try connection.fill()
        #expect(try connection.integrityCheck() == [])
        #expect(try connection.quickCheck() == [])
        #expect(try connection.integrityCheck(maxErrors: 0) == [])
        #expect(try connection.integrityCheck(maxErrors: .max) == [])
    }

    @Test func damagedPagesAreNamed() throws {
        let connection = try damaged(page: 10)
        #expect(try connection.integrityCheck().joined().contains("age 10"))
        #expect(try connection.quickCheck().joined().contains("age 10"))
    }

    @Test func indexesAreComparedByTheFullCheckOnly() throws {
        let connection = try Connection(storageLocation: .onDisk(directory.file("a.db")))
        try connection.execute(
            """
            CREATE TABLE t(x, y); INSERT INTO t VALUES(1, 2), (3, 3); CREATE INDEX ti ON t(x);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = 'CREATE INDEX ti ON t(y)' WHERE name = 'ti';
            PRAGMA writable_schema = RESET;
            """)
        #expect(try connection.quickCheck() == [])
        #expect(try connection.integrityCheck() == ["row 1 missing from index ti"])
    }

    @Test func asManyProblemsAsAskedFor() throws {
        let connection = try Connection(storageLocation: .inMemory)
        try connection.execute(
            """
            CREATE TABLE t(x); INSERT INTO t VALUES(NULL), (NULL), (NULL);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = 'CREATE TABLE t(x NOT NULL)';
            PRAGMA writable_schema = RESET;
            """)
        #expect(try connection.integrityCheck() == Array(repeating: "NULL value in t.x", count: 3))
        #expect(try connection.integrityCheck(maxErrors: 2).count == 2)
    }

    @Test func aDamagedSchemaThrows() throws {
        let connection = try damaged(page: 1)
        #expect(try sqliteError { _ = try connection.integrityCheck() }.code == 26)
        #expect(try sqliteError { _ = try connection.foreignKeyCheck() }.code == 26)
    }

    @Test func foreignKeys() throws {
        let connection = try Connection(storageLocation: .inMemory)
        try connection.execute(
            """
            CREATE TABLE "the parent"(id INTEGER PRIMARY KEY);
            CREATE TABLE other(id INTEGER PRIMARY KEY);
            CREATE TABLE "a ""child"" table"(id INTEGER PRIMARY KEY, o REFERENCES other(id), p REFERENCES "the parent"(id));
            CREATE TABLE keyed(id TEXT PRIMARY KEY, o REFERENCES other(id)) WITHOUT ROWID;
            INSERT INTO "the parent" VALUES(1);
            INSERT INTO "a ""child"" table" VALUES(1, NULL, 1), (7, NULL, 2);
            """)
        let violation = ["a \"child\" table", "7", "the parent", "0"]
        func texts(_ violations: [ForeignKeyViolation]) -> [[String]] {
            violations.map { [$0.table, $0.rowID.map { "\($0)" } ?? "-", $0.parent, "\($0.constraintIndex)"] }
        }
        #expect(try texts(connection.foreignKeyCheck()) == [violation])
        try connection.run("INSERT INTO keyed VALUES('x', 5)")
        #expect(try texts(connection.foreignKeyCheck()).contains(["keyed", "-", "other", "0"]))
        #expect(try texts(connection.foreignKeyCheck(table: "a \"child\" table")) == [violation])
        #expect(try connection.foreignKeyCheck(table: "other") == [])
        #expect(try sqliteError { _ = try connection.foreignKeyCheck(table: "nope") }.message == "no such table: nope")
    }
}

import Foundation
import Squall
import SquallTestSupport
import Testing

struct ExecuteTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    @Test func runsScriptsAndDropsRows() throws {
        try connection.execute(
            """
            -- a comment
            CREATE TABLE t(a);; /* another; one */
            INSERT INTO t VALUES(1); SELECT * FROM t;
            INSERT INTO t VALUES('a;b'); -- the end
            """)
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
        try connection.execute(SQL(raw: "DELETE FROM t; INSERT INTO t VALUES(3)"))
        #expect(try connection.query("SELECT a FROM t") == 3)
    }

    @Test(arguments: ["", " \n\t", ";", ";;;", "-- x", "/* x */", "-- x\n;"]) func emptyScriptsDoNothing(text: String)
        throws
    {
        try connection.execute(SQL(raw: text))
    }

    @Test func eachStatementTakesItsShareOfTheValues() throws {
        try connection.execute(
            "CREATE TABLE t(a, b); INSERT INTO t VALUES(\(1), \(2)); INSERT INTO t VALUES(\(3), NULL)")
        #expect(try connection.query("SELECT group_concat(a || ':' || ifnull(b, '-')) FROM t") == "1:2,3:-")
    }

    @Test func aWrongNumberOfValuesIsRefused() throws {
        #expect(
            try sqliteError { try connection.execute("SELECT ?") }.message
                == "Bind expected 1 parameters, instead received 0")
    }

    @Test func aScriptWithAMisplacedValueRunsNothing() throws {
        try connection.execute("CREATE TABLE t(a, b)")
        let quoted = "an interpolated value is inside quotes or a comment of the SQL"
        let own = "the SQL has both a written parameter and interpolated values"
        for (sql, message, offset) in [
            ("INSERT INTO t VALUES('\("A")', 0); INSERT INTO t VALUES(\("B"), 1)", quoted, 22),
            ("INSERT INTO t VALUES('\("A")', 0); INSERT INTO t VALUES(?, 1)", quoted, 22),
            ("INSERT INTO t VALUES(\(1), 2); INSERT INTO t VALUES(?, 1)", own, 49),
            ("INSERT INTO t VALUES(1, 2); -- \(1)\nINSERT INTO t VALUES(\(1), 1)", quoted, 31),
        ] as [(SQL, String, Int)] {
            let error = try sqliteError { try connection.execute(sql) }
            #expect(error.message == message)
            #expect(error.offset == offset)
            #expect(error.hint != nil)
        }
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
    }

    @Test func whatCameBeforeAnErrorHasBeenRun() throws {
        #expect(throws: SQLiteError.self) { try connection.execute("CREATE TABLE t(a); nonsense") }
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
    }

    @Test func aNULCharacterIsRefused() throws {
        let error = try sqliteError { try connection.execute("CREATE TABLE t(a);\0DROP TABLE t") }
        #expect(error.message == "the SQL has a NUL character")
        #expect(error.offset == 18)
    }
}

struct ScriptFileTests {
    let connection: Connection
    let directory: TemporaryDirectory

    init() throws {
        connection = try Connection()
        directory = try TemporaryDirectory()
    }

    private func file(_ bytes: Data) throws -> URL {
        let url = URL(fileURLWithPath: directory.file("script.sql"))
        try bytes.write(to: url)
        return url
    }

    @Test func runsTheStatementsOfAFile() throws {
        let script = "CREATE TABLE t(a TEXT); -- größe\nINSERT INTO t VALUES('größe'), ('?');\n"
        try connection.execute(contentsOf: file(Data(script.utf8)))
        #expect(try connection.query("SELECT a FROM t") as [String] == ["größe", "?"])
    }

    @Test func aByteOrderMarkAndAFileWithoutStatementsAreRead() throws {
        try connection.execute(contentsOf: file(Data("\u{FEFF}CREATE TABLE t(a)".utf8)))
        try connection.execute(contentsOf: file(Data("-- nothing\n".utf8)))
        #expect(try connection.tableNames() == ["t"])
    }

    @Test func aMissingFileIsNamed() throws {
        let url = URL(fileURLWithPath: directory.file("missing.sql"))
        let error = try #require(throws: ScriptFileError.self) { try connection.execute(contentsOf: url) }
        guard case .unreadable(url, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(error.description.hasPrefix("cannot read the script \(url.path): "))
        #expect(error.localizedDescription == error.description)
    }

    @Test(arguments: [([0xff] as [UInt8], 26), ([0xc3], 26), ([0xe2, 0x82], 26), ([0x61, 0xed, 0xa0, 0x80], 27)])
    func invalidUTF8IsRefusedBeforeAnythingRuns(bytes: [UInt8], offset: Int) throws {
        let url = try file(Data("CREATE TABLE t(a); -- fünf".utf8.dropLast() + bytes))
        let error = try #require(throws: ScriptFileError.self) { try connection.execute(contentsOf: url) }
        #expect(error.description == "the script \(url.path) is not valid UTF-8 at byte \(offset)")
        #expect(try connection.tableNames() == [])
    }

    @Test func aNULCharacterIsRefusedBeforeAnythingRuns() throws {
        let url = try file(Data("CREATE TABLE t(a); \0DROP TABLE t".utf8))
        let error = try #require(throws: ScriptFileError.self) { try connection.execute(contentsOf: url) }
        #expect(error.description == "the script \(url.path) has a NUL character at byte 19")
        #expect(try connection.tableNames() == [])
    }

    @Test func aWrongStatementIsNamedWithItsPlace() throws {
        let url = try file(Data("CREATE TABLE t(a);\nSELECT b FROM t".utf8))
        let error = try sqliteError { try connection.execute(contentsOf: url) }
        #expect(error.message == "no such column: b")
        #expect(error.location?.line == 2)
    }
}

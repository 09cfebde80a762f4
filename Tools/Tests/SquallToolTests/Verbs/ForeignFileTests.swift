import Foundation
import Squall
import Testing

/// Files with a collation, a function and a module that only their program adds to SQLite.
@Suite struct ForeignFileTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("test.db")
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.addCollation("german") {
            $0 < $1 ? .orderedAscending : $0 > $1 ? .orderedDescending : .orderedSame
        }
        try connection.addFunction("slug", deterministic: true, directOnly: false) { (_: [BindingValue]) in 0 }
        try connection.execute(
            """
            CREATE TABLE names(id INTEGER PRIMARY KEY, name TEXT COLLATE german);
            CREATE INDEX names_name ON names(name);
            CREATE TABLE posts(id INTEGER PRIMARY KEY, title TEXT, CHECK(slug(title) = 0));
            CREATE INDEX posts_slug ON posts(slug(title));
            CREATE TABLE keys(k TEXT COLLATE german PRIMARY KEY, name REFERENCES names) WITHOUT ROWID;
            CREATE TABLE plain(id INTEGER PRIMARY KEY, name REFERENCES names);
            INSERT INTO names VALUES(1, 'ä');
            INSERT INTO posts VALUES(1, 'x');
            INSERT INTO keys VALUES('k', 1);
            INSERT INTO plain VALUES(1, 1)
            """)
        connection.close()
    }

    private static let header = "check,table,message,cure\n"

    @Test func whatCanBeCheckedIs() async throws {
        let notes = """
            integrity,names,"not checked, because only its program knows the collation german",
            integrity,posts,"not checked, because only its program knows the function slug",
            integrity,keys,"not checked, because only its program knows the collation german",

            """
        let sorted = { (text: String) in text.split(separator: "\n").sorted() }
        let sound = try await Tool.run("check", path, "--format", "csv")
        #expect(sound.error == "" && sound.exitCode == 0)
        #expect(sorted(sound.output).filter { $0.hasPrefix("integrity") } == sorted(notes))
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.run("INSERT INTO plain VALUES(2, 9)")
        connection.close()
        let outcome = try await Tool.run("check", path)
        #expect(outcome.exitCode == 1 && outcome.output.hasSuffix("\n1 problem\n"))
        #expect(outcome.output.contains("problem  foreign key  plain: row 2 refers to a row that does not exist"))
        let doctor = try await Tool.run("doctor", path)
        #expect(doctor.error == "" && doctor.output.contains("no such collation sequence: german"))
    }

    @Test func copiesAreMadeAndSayWhatWasNotChecked() async throws {
        let end = ", checked except for what only its program knows: "
        for (verb, name, extra) in [
            ("backup", "copy.db", []), ("restore", "restored.db", []), ("restore", "restored.db", ["--force"]),
        ] {
            let outcome = try await Tool.shell(
                "\"$SQUALL\" \"$@\"", [verb, path, directory.path(name)] + extra)
            #expect(outcome.error == "" && outcome.exitCode == 0)
            #expect(outcome.output.contains(end) && outcome.output.contains("names (collation german)"), "\(outcome)")
            let copy = try Connection(storageLocation: .onDisk(directory.path(name)))
            #expect(try copy.query("SELECT title FROM posts") == "x")
        }
        try await expect(
            Tool.run("backup", path, directory.path("small.db"), "--vacuum"),
            fails: """
                error: only the program of the database knows the collation german, which --vacuum needs
                hint: copy it without --vacuum

                """,
            exitCode: 2)
    }

    @Test func anOrderByItsCollationHasAHint() async throws {
        try await expect(
            Tool.run("query", path, "SELECT title FROM posts ORDER BY title COLLATE german"),
            fails: """
                error: \(path): no such collation sequence: german (SQLITE_ERROR_MISSING_COLLSEQ)
                hint: only the program of the database knows the collation; 'squall doctor' lists what needs it

                """, exitCode: 2)
    }

    @Test func theOtherTablesAreCompared() async throws {
        let outcome = try await Tool.run("diff", path, path, "--data", "--summary", "--format", "csv")
        #expect(outcome.output.contains("\nplain,id,0,0,0,1\n") && outcome.output.contains("\nposts,id,0,0,0,1\n"))
        #expect(outcome.exitCode == 2)
        #expect(
            outcome.error
                == "error: the rows of the table 'keys' cannot be compared: only its program knows the collation 'german'\n"
        )
    }

    @Test func aModuleIsNamed() async throws {
        let path = try directory.database("CREATE TABLE t(a)", name: "module.db")
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.execute(
            """
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_master VALUES('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING others(a)')
            """)
        connection.close()
        try await expect(
            Tool.run("check", path),
            prints: """
                note     virtual table  v: not checked, because only its program knows the module others
                ok  no problems found

                """)
        let copy = try await Tool.run("backup", path, directory.path("copy.db"))
        #expect(copy.exitCode == 0 && copy.error == "")
    }
}

import Foundation
import Squall
import SquallSearch
import Testing

/// Files with what only Squall adds to SQLite: its tokenizer and its functions.
@Suite struct LibraryFileTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func database(_ name: String = "test.db") throws -> String {
        let path = directory.path(name)
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.addCJKTokenizer()
        try connection.addVectorFunctions()
        try connection.execute(
            """
            CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, v BLOB);
            INSERT INTO notes VALUES(1, '日本語の検索', x'0000803f'), (2, 'Swift', x'00000040');
            CREATE VIEW near AS SELECT id, vec_distance_l2(v, x'0000803f') AS distance FROM notes
            """)
        let search = SearchTableDefinition(
            "found", of: .init(table: "notes", rowID: "id"), columns: .init("title"), tokenizer: .cjk)
        try connection.create(search)
        connection.close()
        return path
    }

    @Test func everyVerbKnowsThem() async throws {
        let path = try database()
        let doctor = try await Tool.run("doctor", path)
        #expect(doctor.error == "" && !doctor.output.contains("DROP TABLE") && !doctor.output.contains("problem"))
        let check = try await Tool.run("check", path)
        #expect(check.exitCode == 0 && check.error == "", "\(check)")
        let search = try await Tool.run("search", path, "notes", "検索", "--format", "csv")
        #expect(search.output.contains("[検索]") && search.exitCode == 0, "\(search)")
        let rows = try await Tool.run(
            "query", path, "SELECT rowid FROM found('日本') UNION SELECT id FROM near", "--format", "csv")
        #expect(rows.output == "rowid\n1\n2\n" && rows.error == "", "\(rows)")
        let written = try await Tool.shell(
            "echo \"INSERT INTO notes(title) VALUES('新しい');\" | \"$SQUALL\" shell --write \"$1\"", [path])
        #expect(written.exitCode == 0 && written.error == "", "\(written)")
        for (verb, name) in [("backup", "copy.db"), ("restore", "restored.db")] {
            let outcome = try await Tool.run(verb, path, directory.path(name))
            #expect(outcome.exitCode == 0 && outcome.error == "", "\(verb): \(outcome)")
        }
        let difference = try await Tool.run("diff", path, directory.path("copy.db"), "--data")
        #expect(difference.exitCode == 0 && difference.output == "", "\(difference)")
    }

    @Test(arguments: ["backup", "restore"]) func aNameOfOneCharacter(_ verb: String) async throws {
        _ = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES(1)", name: "a.db")
        let outcome = try await Tool.run(verb, "a.db", "b", in: directory.url)
        #expect(outcome.exitCode == 0 && outcome.error == "", "\(outcome)")
        #expect(try directory.files() == ["a.db", "b"])
    }

    /// An unset variable of a script.
    @Test func anEmptyName() async throws {
        let csv = try directory.file("rows.csv", "a\n1\n")
        let folder = directory.path("Migrations")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try directory.file("Migrations/1_t.sql", "CREATE TABLE t(a);")
        for arguments in [
            ["import", "", csv, "--table", "t"], ["migrate", "up", "", folder], ["shell", "--write", ""],
        ] {
            let outcome = try await Tool.shell("\"$SQUALL\" \"$@\" < /dev/null", arguments)
            #expect(outcome.exitCode != 0 && outcome.output == "" && outcome.error.hasPrefix("error: "), "\(outcome)")
        }
    }

    /// Rows whose parents are imported later, or never.
    @Test func anImportTellsOfForeignKeys() async throws {
        let path = try directory.database(
            "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(id INTEGER PRIMARY KEY, p INTEGER REFERENCES p)")
        let one = try directory.file("one.csv", "id,p\n1,7\n")
        try await expect(
            Tool.shell("\"$SQUALL\" import \"$1\" \"$2\" --table c 2>&1", [path, one]),
            prints: """
                1 row into c
                warning: 1 row of c refers to a row that is not there; 'squall check' lists what is missing

                """)
        let parents = try directory.file("p.csv", "id\n7\n")
        try await expect(Tool.run("import", path, parents, "--table", "p"), prints: "1 row into p\n")
        let more = try directory.file("more.csv", "id,p\n2,7\n3,8\n4,9\n")
        let outcome = try await Tool.run("import", path, more, "--table", "c")
        #expect(
            outcome.exitCode == 0 && outcome.error.hasPrefix("warning: 2 rows of c refer to rows that are not there"))
    }
}

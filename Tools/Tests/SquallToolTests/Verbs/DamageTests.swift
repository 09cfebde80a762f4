import Foundation
import Squall
import Testing

/// A file of which one table is damaged. What can be found and read of the others is printed.
@Suite struct DamageTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.database(
            """
            PRAGMA page_size = 1024;
            CREATE TABLE parents(id INTEGER PRIMARY KEY);
            CREATE TABLE broken(id INTEGER PRIMARY KEY, parent REFERENCES parents, a);
            CREATE TABLE children(id INTEGER PRIMARY KEY, parent REFERENCES parents);
            INSERT INTO children VALUES(1, 7);
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO broken SELECT i, NULL, zeroblob(100) FROM n
            """)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.seek(toOffset: 59 * 1024)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 500))
        try handle.close()
    }

    @Test func theWholeListIsPrinted() async throws {
        let outcome = try await Tool.run("check", path, "--types", "--format", "csv")
        #expect(outcome.error == "" && outcome.exitCode == 1)
        #expect(outcome.output.contains("\nintegrity,,Page 60: btreeInitPage() returns error code 11,\n"))
        #expect(outcome.output.contains("\nforeign key,broken,database disk image is malformed,\n"))
        #expect(
            outcome.output.contains(
                "\nforeign key,children,row 1 refers to a row that does not exist (parent → parents),\n"))
        #expect(outcome.output.contains("\ntype,broken,database disk image is malformed,\n"))
    }

    @Test func oneTableDoesNotEndTheList() async throws {
        try await expect(
            Tool.run("tables", path, "--counts", "--format", "csv"),
            prints: """
                name,type,columns,rows,indexes,options
                broken,table,3,,0,""
                children,table,2,1,0,""
                parents,table,1,0,0,""

                """,
            fails: "warning: cannot count the rows of broken: database disk image is malformed\n")
        for verb in ["doctor", "size", "describe", "schema"] {
            let outcome = try await Tool.run(verb, path)
            #expect(outcome.error == "" && outcome.output.contains("children"), "\(verb): \(outcome)")
        }
    }

    @Test func theOtherTablesAreCompared() async throws {
        let other = directory.path("other.db")
        try FileManager.default.copyItem(atPath: path, toPath: other)
        let connection = try Connection(storageLocation: .onDisk(other))
        try connection.run("INSERT INTO children VALUES(2, 8)")
        connection.close()
        let outcome = try await Tool.run("diff", path, other, "--data")
        #expect(outcome.output == "~ rows of children by id\n    + 2: parent 8\n" && outcome.exitCode == 65)
        let error =
            "error: the rows of the table 'broken' cannot be compared: \(path): database disk image is malformed"
        #expect(outcome.error == error + " (SQLITE_CORRUPT)\n")
        let summary = try await Tool.run("diff", path, other, "--data", "--summary", "--format", "csv")
        #expect(summary.output == "table,key,inserted,deleted,changed,same\nparents,id,0,0,0,0\nchildren,id,1,0,0,1\n")
    }

    @Test func rowsBeforeTheDamageArePrinted() async throws {
        let outcome = try await Tool.run("query", path, "SELECT id FROM broken")
        #expect(outcome.exitCode == 65 && outcome.output.contains("\n 100\n") && outcome.output.hasSuffix(" rows\n"))
        let search = try await Tool.run("search", path, "children", "7", "--format", "csv")
        #expect(search.output == "id,parent\n1,7\n")
    }
}

import Foundation
import Squall
import Testing

@Suite struct SizeTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func database(_ more: SQL = "") throws -> String {
        try directory.database(
            """
            CREATE TABLE big(a); CREATE INDEX big_a ON big(a); CREATE TABLE small(a);
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            INSERT INTO big SELECT randomblob(1000) FROM n;
            """ + more
        )
    }

    @Test func allPagesAreSomewhere() async throws {
        let path = try database("DELETE FROM big WHERE rowid < 50")
        let outcome = try await Tool.run("size", path, "--format", "json")
        #expect(outcome.error == "" && outcome.exitCode == 0)
        let rows = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
        let bytes = rows.compactMap { $0["bytes"] as? Int }
        #expect(try bytes.reduce(0, +) == directory.bytes("test.db").count)
        let sizes = Dictionary(rows.map { ($0["name"] as? String ?? $0["type"] as? String ?? "", $0) }) { $1 }
        #expect(sizes["big_a"]?["table"] as? String == "big" && sizes["big_a"]?["type"] as? String == "index")
        #expect(sizes["small"]?["bytes"] as? Int == 4096)
        #expect(try #require(sizes["free pages"]?["bytes"] as? Int) > 0)
        #expect(sizes["log"] == nil)
        // The largest comes first.
        #expect(Array(bytes.dropLast()) == bytes.dropLast().sorted(by: >))
    }

    @Test func aLogIsPartOfTheSize() async throws {
        let path = try database()
        let connection = try Connection(storageLocation: .onDisk(path))
        let _: String = try connection.query("PRAGMA journal_mode = WAL")
        try connection.run("INSERT INTO small VALUES(1)")
        let size = try directory.bytes("test.db-wal").count
        let outcome = try await Tool.run("size", path, "--format", "csv")
        #expect(outcome.exitCode == 0 && outcome.output.hasSuffix("\n,log,,\(size),,,\n"))
        let table = try await Tool.run("size", path)
        #expect(table.output.hasSuffix(" kB in the write-ahead log\n"))
        connection.close()
    }

    @Test func peopleGetRoundNumbers() async throws {
        let path = try directory.database("CREATE TABLE t(a)")
        try await expect(
            Tool.run("size", path),
            prints: """
                 name          │ type  │ table │ size   │ share  │ unused │ fragmented
                ───────────────┼───────┼───────┼────────┼────────┼────────┼────────────
                 sqlite_schema │ table │       │ 4.1 kB │ 50.0 % │ 96.5 % │\u{20}
                 t             │ table │       │ 4.1 kB │ 50.0 % │ 99.8 % │\u{20}

                8.2 kB in 2 pages of 4096 bytes; 0 of them free (0 B)

                """
        )
    }

    @Test func namesInTwoUnicodeFormsAreTwoTables() async throws {
        let path = try directory.database("CREATE TABLE \"\u{E9}\"(a); CREATE TABLE \"e\u{301}\"(a)")
        let outcome = try await Tool.run("size", path, "--format", "csv")
        let lines = outcome.output.split(separator: "\n").map { Array($0.utf8) }
        for name in ["\u{E9}", "e\u{301}"] {
            #expect(lines.count { $0.starts(with: "\(name),table,\(name),4096,".utf8) } == 1)
        }
    }

    @Test func anEmptyFileHasNoPages() async throws {
        let path = try directory.file("empty.db", "")
        let outcome = try await Tool.run("size", path, "--format", "csv")
        #expect(outcome.exitCode == 0 && outcome.output.hasSuffix("\n,free pages,,0,0.0,,\n"))
    }
}

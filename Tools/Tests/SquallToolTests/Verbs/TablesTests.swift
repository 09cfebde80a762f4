import Foundation
import Squall
import Testing

@Suite struct TablesTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func aTableHasItsOptions() async throws {
        let path = try directory.database(
            "CREATE TABLE \"zwölf 🚗\"(a TEXT PRIMARY KEY, b TEXT, UNIQUE(b, a)) STRICT, WITHOUT ROWID"
        )
        try await expect(
            Tool.run("tables", path),
            prints: """
                 name     │ type  │ columns │ estimated rows │ indexes │ options
                ──────────┼───────┼─────────┼────────────────┼─────────┼───────────────────────
                 zwölf 🚗 │ table │       2 │ NULL           │       2 │ STRICT, WITHOUT ROWID
                1 row

                """
        )
    }

    @Test func shadowTablesAndViewsAreListedWithTheirKind() async throws {
        let path = try directory.database(
            "CREATE TABLE t(a); CREATE VIEW v AS SELECT a FROM t; CREATE VIRTUAL TABLE f USING fts5(a, content='')"
        )
        try await expect(
            Tool.run("tables", path, "--format", "csv"),
            prints: """
                name,type,columns,estimated rows,indexes,options
                f,virtual,3,,0,""
                f_config,shadow,2,,1,WITHOUT ROWID
                f_data,shadow,2,,0,""
                f_docsize,shadow,2,,0,""
                f_idx,shadow,3,,1,WITHOUT ROWID
                t,table,1,,0,""
                v,view,1,,0,""

                """
        )
    }

    @Test func rowsAreCountedOrEstimated() async throws {
        let path = try directory.database(
            """
            CREATE TABLE t(a); CREATE TABLE u(a);
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO t SELECT i FROM n;
            ANALYZE;
            INSERT INTO t VALUES(0);
            CREATE VIEW v AS SELECT a FROM t WHERE a < 3
            """
        )
        let sql = "name,type,columns,%,indexes,options\nt,table,1,%,0,\"\"\nu,table,1,%,0,\"\"\nv,view,1,%,0,\"\"\n"
        func expected(_ values: String...) -> String {
            values.reduce(sql) { $0.replacing("%", with: $1, maxReplacements: 1) }
        }
        try await expect(
            Tool.run("tables", path, "--format", "csv"), prints: expected("estimated rows", "500", "", ""))
        try await expect(
            Tool.run("tables", path, "--counts", "--format", "csv"), prints: expected("rows", "501", "0", "3"))
    }

    @Test func aBrokenViewDoesNotEndTheList() async throws {
        let path = try directory.database("CREATE TABLE t(a); CREATE VIEW v AS SELECT * FROM missing")
        try await expect(
            Tool.run("tables", path, "--counts", "--format", "csv"),
            prints: "name,type,columns,rows,indexes,options\nt,table,1,0,0,\"\"\nv,view,0,,0,\"\"\n",
            fails: "warning: cannot count the rows of v: no such table: main.missing\n"
        )
    }

    @Test(arguments: [("music", 11), ("trade", 16), ("rental", 18)])
    func sampleSchemasAreListed(name: String, count: Int) async throws {
        let path = try directory.database(#require(SampleSchema(rawValue: name)))
        let outcome = try await Tool.run("tables", path, "--format", "json")
        #expect(outcome.error == "" && outcome.exitCode == 0)
        #expect(outcome.output.split(separator: "\n").count == count)
    }

    @Test func anEmptyDatabaseHasNoTables() async throws {
        try await expect(Tool.run("tables", ":memory:", "--format", "json"), prints: "[]\n")
    }
}

import Foundation
import Squall
import SquallTestSupport
import Testing

struct QueryPlanTests {
    let directory: TemporaryDirectory
    let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("a.db"))
        try connection.execute(
            """
            CREATE TABLE a(id INTEGER PRIMARY KEY, x, y);
            CREATE INDEX ax ON a(x);
            CREATE INDEX ay ON a(y);
            CREATE TABLE b(id INTEGER PRIMARY KEY, a);
            """)
    }

    @Test func aTreeOfSteps() throws {
        let plan = try connection.explainQueryPlan("SELECT * FROM b JOIN a ON a.id = b.a")
        #expect(plan.nodes.map(\.detail) == ["SCAN b", "SEARCH a USING INTEGER PRIMARY KEY (rowid=?)"])
        #expect(plan.nodes.allSatisfy { $0.parent == 0 && $0.children.isEmpty })
        #expect(
            plan.description == """
                QUERY PLAN
                |--SCAN b
                `--SEARCH a USING INTEGER PRIMARY KEY (rowid=?)
                """)
    }

    @Test func stepsWithParts() throws {
        let plan = try connection.explainQueryPlan("SELECT * FROM a WHERE x = 1 OR y = 2")
        let top = try #require(plan.nodes.first)
        #expect(plan.nodes.count == 1)
        #expect(top.children.allSatisfy { $0.parent == top.id })
        #expect(plan.all.count == 5)
        #expect(
            plan.description == """
                QUERY PLAN
                `--MULTI-INDEX OR
                   |--INDEX 1
                   |  `--SEARCH a USING INDEX ax (x=?)
                   `--INDEX 2
                      `--SEARCH a USING INDEX ay (y=?)
                """)
    }

    @Test func theStatementIsNotRunAndParametersMayBeLeftOut() throws {
        #expect(try connection.explainQueryPlan("DELETE FROM a WHERE id = ?").nodes.count == 1)
        #expect(try connection.explainQueryPlan("DELETE FROM a WHERE id = ?", 1).nodes.count == 1)
        #expect(try connection.explainQueryPlan("DELETE FROM a WHERE id = ?", [1]).nodes.count == 1)
        #expect(try connection.explainQueryPlan("DELETE FROM a WHERE id = :id", [":id": 1]).nodes.count == 1)
        let id = 1
        let plan = try connection.explainQueryPlan("SELECT * FROM a WHERE id = \(id)")
        #expect(plan.nodes[0].detail == "SEARCH a USING INTEGER PRIMARY KEY (rowid=?)")
    }

    @Test func nothingToPlan() throws {
        #expect(try connection.explainQueryPlan("PRAGMA user_version").nodes.isEmpty)
        #expect(try connection.explainQueryPlan("PRAGMA user_version").description == "QUERY PLAN")
    }

    @Test func wrongSQL() throws {
        #expect(throws: SQLiteError.self) { try connection.explainQueryPlan("SELECT * FROM nope") }
        #expect(throws: SQLiteError.self) { try connection.explainQueryPlan("SELECT 1; SELECT 2") }
        #expect(throws: SQLiteError.self) { try connection.explainQueryPlan("") }
    }

    /// The output of SQLite's shell; `nil` where there is none that runs on the library of the tests.
    private static func shell(_ arguments: String) -> String? {
        // `Process` leaks a few bytes, which the address sanitizer reports.
        guard let shell = popen("/usr/bin/sqlite3 \(arguments) 2> /dev/null", "r") else { return nil }
        var text = ""
        var buffer = [CChar](repeating: 0, count: 1000)
        while let line = fgets(&buffer, Int32(buffer.count), shell) { text += String(cString: line) }
        return pclose(shell) == 0 ? text : nil
    }

    @Test(
        .enabled(if: shell(":memory: 'SELECT 1'") == "1\n", "no shell of this version of SQLite"),
        arguments: [
            "SELECT * FROM a WHERE x IN (SELECT a FROM b WHERE id > 3) ORDER BY y",
            "SELECT x FROM a UNION SELECT a FROM b UNION ALL SELECT 7",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT * FROM n JOIN a ON x = i",
            "SELECT (SELECT max(id) FROM b WHERE b.a = q.x) FROM (SELECT x, count(*) FROM a GROUP BY x LIMIT 5) q",
            "SELECT * FROM a WHERE x = 1 OR (y = 2 AND id IN (SELECT a FROM b UNION SELECT x FROM a))",
            "INSERT INTO b SELECT id, x FROM a WHERE y > 3 ORDER BY x DESC",
        ])
    func printsWhatTheShellPrints(sql: String) throws {
        #expect(!sql.contains("'"))
        let text = Self.shell("'\(directory.file("a.db"))' 'EXPLAIN QUERY PLAN \(sql)'")
        #expect(try connection.explainQueryPlan(SQL(raw: sql)).description + "\n" == text)
    }
}

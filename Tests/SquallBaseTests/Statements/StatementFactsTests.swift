import SquallBase
import Testing

struct StatementFactsTests {
    @Test func theVerbDecides() {
        let cases: [(String, StatementVerb?, isExplained: Bool)] = [
            ("select 1", .select, false), ("EXPLAIN QUERY PLAN DELETE FROM t", .delete, true),
            ("explain with a as (select 1) select * from a", .select, true),
            ("WITH replace(x) AS (SELECT 1) UPDATE t SET a = 1", .update, false), ("EXPLAIN", .explain, false),
            ("(select 1)", nil, false), ("\"select\" 1", nil, false),
        ]
        for (sql, verb, isExplained) in cases {
            let facts = StatementFacts(sql)
            #expect(facts.verb == verb, "\(sql)")
            #expect(facts.isExplained == isExplained, "\(sql)")
            #expect(!facts.isEmpty, "\(sql)")
        }
        #expect(StatementFacts(" ; -- a").isEmpty)
    }

    @Test func theTailFollowsTheStatement() {
        let trigger = "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM u; END"
        for sql in ["select 1;", ";select 1;; -- end", trigger + ";", "EXPLAIN \(trigger)"] {
            #expect(!StatementFacts(sql).hasTail, "\(sql)")
            #expect(StatementFacts(sql + "\n; x").hasTail, "\(sql)")
        }
        let script = StatementFacts.statements(of: "SELECT 1; \(trigger); ; PRAGMA a")
        #expect(script.map(\.verb) == [.select, .create, .pragma])
    }

    /// By which a cluster chooses between a query and an execution.
    @Test func whetherAStatementOnlyReads() {
        for sql in [
            "SELECT 1", "VALUES(1)", "WITH a AS (SELECT 1) SELECT * FROM a", "PRAGMA user_version",
            "PRAGMA table_info(cars)", "PRAGMA main.index_list('cars')",
        ] { #expect(StatementFacts(sql).isReading, "\(sql)") }
        for sql in [
            "DELETE FROM t", "WITH a AS (SELECT 1) DELETE FROM t", "PRAGMA user_version = 1", "PRAGMA user_version(1)",
            "PRAGMA optimize", "PRAGMA wal_checkpoint", "PRAGMA incremental_vacuum", "PRAGMA journal_mode = DELETE", "",
        ] { #expect(!StatementFacts(sql).isReading, "\(sql)") }
    }

    @Test func statementsThatEndTooEarly() {
        #expect(StatementFacts("PRAGMA").pragma?.name == "")
        #expect(StatementFacts("PRAGMA main.").pragma?.isQuoted == false)
        for sql in ["SAVEPOINT", "RELEASE", "ROLLBACK TO", "ROLLBACK TO SAVEPOINT", "SAVEPOINT ;", "RELEASE +"] {
            let savepoint = StatementFacts(sql).savepoint
            // A savepoint may have the name `savepoint`.
            #expect(sql == "ROLLBACK TO SAVEPOINT" ? savepoint == .rollBack("savepoint") : savepoint == nil, "\(sql)")
        }
    }

    @Test func partsOfAPragma() {
        let pragma = StatementFacts("PRAGMA \"main\" . table_info('a')").pragma
        #expect(pragma?.database == "\"main\"")
        #expect(pragma?.name == "table_info")
        #expect(pragma?.value == .argument)
        #expect(pragma?.takesName == true)
        #expect(StatementFacts("PRAGMA a = 1").pragma?.value == .assigned)
        #expect(StatementFacts("PRAGMA 'a'").pragma?.isQuoted == true)
        #expect(StatementFacts("PRAGMA a").pragma?.isSet == false)
    }

    @Test func partsOfACreation() {
        let index = StatementFacts("create unique index if not exists main.i on t(a)").creation
        #expect(index?.kind == .index)
        #expect(index?.database == "main")
        #expect(index?.name == "i")
        #expect(index?.isTemporary == false)
        let table = StatementFacts("CREATE VIRTUAL TABLE temp.\"s\" USING fts5(a)").creation
        #expect(table?.isVirtual == true)
        #expect(table?.isTemporary == true)
        #expect(table?.name == "s")
        #expect(StatementFacts("CREATE TABLE temp(a)").creation?.isTemporary == false)
        #expect(StatementFacts("CREATE TEMPORARY TRIGGER g").creation?.isTemporary == true)
    }
}

import Testing

@testable import SquallCluster

@Suite struct StatementFactsTests {
    @Test func factsOfStatements() {
        let cases: [(String, StatementFactsSummary)] = [
            ("SELECT 1", .init(isReading: true)), (" ;; select 1;; -- end", .init(isReading: true)),
            ("values(1)", .init(isReading: true)), ("explain delete from a", .init()),
            ("EXPLAIN QUERY PLAN SELECT 1", .init(isReading: true)),
            ("EXPLAIN WITH a AS (SELECT 1) SELECT * FROM a", .init(isReading: true)),
            ("WITH explain AS (SELECT 1 x) INSERT INTO t SELECT x FROM explain", .init()),
            ("WITH replace(x) AS (SELECT 1) SELECT x FROM replace", .init(isReading: true)),
            ("\u{FEFF}SELECT 1 \u{FEFF}; \u{FEFF}", .init(isReading: true)),
            ("INSERT INTO a VALUES(1) \u{FEFF}RETURNING b", .init(hasReturning: true)),
            ("CREATE TABLE trigger(a); DROP TABLE b", .init(hasTail: true)),
            ("SELECT $a('); COMMIT; --'", .init(hasTail: true, isReading: true)),
            ("SELECT $a(;), :b::c(;), @d, #e", .init(isReading: true)),
            ("WITH a(x) AS (DELETE) SELECT * FROM a", .init(isReading: true)),
            ("WITH a AS (SELECT 1) DELETE FROM b RETURNING x", .init(hasReturning: true)),
            ("SELECT 1; SELECT 2", .init(hasTail: true, isReading: true)),
            ("SELECT ';' /* ; x */", .init(isReading: true)),
            ("SELECT \"a;b\", [c;d], `e;f`; x", .init(hasTail: true, isReading: true)),
            ("", .init(isEmpty: true)), (" /* x", .init(isEmpty: true)), (";", .init(isEmpty: true)),
            ("INSERT INTO a VALUES('returning')", .init()), ("INSERT INTO a VALUES(returning)", .init()),
            ("INSERT INTO a VALUES(1) returning *", .init(hasReturning: true)),
            (
                "CREATE TEMP TRIGGER a AFTER INSERT ON b BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM c; END;",
                .init()
            ),
            ("CREATE TRIGGER a BEGIN DELETE FROM c; END; SELECT 1", .init(hasTail: true)),
            ("PRAGMA user_version", .init(isReading: true)), ("PRAGMA main.table_info(t)", .init(isReading: true)),
            ("PRAGMA user_version(3)", .init()), ("PRAGMA main.user_version = 3", .init()),
            ("PRAGMA optimize", .init()),
            ("(SELECT 1)", .init(isEmpty: false)), ("'", .init()), ("SELECT 1 /", .init(isReading: true)),
        ]
        for (sql, expected) in cases {
            let facts = StatementFacts(sql)
            let found = StatementFactsSummary(
                isEmpty: facts.isEmpty, hasTail: facts.hasTail, isReading: facts.isReading,
                hasReturning: facts.hasReturning)
            #expect(found == expected, "\(sql)")
        }
    }

    @Test func unsafePragmasAreFound() {
        for sql in [
            "EXPLAIN PRAGMA locking_mode=EXCLUSIVE", "explain query plan pragma page_size(1)",
            "\u{FEFF}PRAGMA journal_mode=DELETE", "PRAGMA \u{FEFF}wal_checkpoint",
            "PRAGMA wal_checkpoint", "PRAGMA main.journal_mode=delete", "PRAGMA page_size(1)", "PRAGMA \"x\"",
        ] {
            #expect(StatementFacts(sql).isUnsafe, "\(sql)")
        }
        for sql in ["PRAGMA journal_mode", "PRAGMA user_version = 1", "PRAGMA \"main\".page_size", "SELECT 1"] {
            #expect(!StatementFacts(sql).isUnsafe, "\(sql)")
        }
    }

    @Test func statementsForOneNodeAreFound() {
        let cases: [(String, ClusterError.StatementProblem?)] = [
            ("ATTACH 'a' AS b", .attach), ("detach b", .attach), ("BEGIN", .transaction),
            ("end transaction", .transaction),
            ("COMMIT", .transaction), ("ROLLBACK", .transaction), ("ROLLBACK TRANSACTION TO a", nil),
            ("SAVEPOINT a", nil),
            ("RELEASE a", nil), ("CREATE TEMP TABLE a(b)", .temporary),
            ("create temporary view a as select 1", .temporary),
            ("CREATE TABLE temp.a(b)", .temporary), ("CREATE TABLE IF NOT EXISTS \"Temp\" . a(b)", .temporary),
            ("CREATE UNIQUE INDEX [temp].i ON a(b)", .temporary), ("CREATE TABLE temp(a)", nil),
            ("CREATE VIEW a AS SELECT temp.b FROM c AS temp", nil), ("CREATE TABLE main.temp(a)", nil),
            ("SELECT temp.a FROM b AS temp", nil), ("VACUUM", nil), ("VACUUM INTO 'a'", .vacuumInto),
            ("PRAGMA user_version", nil), ("PRAGMA table_info(a)", nil), ("PRAGMA foreign_key_check", nil),
            ("PRAGMA user_version = 1", .changingPragma), ("PRAGMA foreign_keys(0)", .changingPragma),
            ("EXPLAIN COMMIT", .explainsWrite), ("EXPLAIN INSERT INTO a VALUES(1)", .explainsWrite),
            ("EXPLAIN QUERY PLAN WITH a AS (SELECT 1) DELETE FROM b", .explainsWrite),
            ("EXPLAIN SELECT pragma FROM a", nil), ("CREATE \u{FEFF}TEMP TABLE a(b)", .temporary),
            ("WITH a AS (SELECT 1) INSERT INTO b SELECT * FROM a", nil),
        ]
        for (sql, problem) in cases { #expect(StatementFacts(sql).closureProblem == problem, "\(sql)") }
    }

    @Test func migrationsMaySetSomePragmas() throws {
        for sql in [
            "PRAGMA user_version = 1", "PRAGMA main.foreign_keys(0)", "PRAGMA defer_foreign_keys = ON",
            "PRAGMA legacy_alter_table = 1",
        ] {
            try StatementFacts.check(inClosure: sql, isReading: false, inMigration: true)
            try StatementFacts.check(closureScript: sql, inMigration: true)
            let error = ClusterError.unsupportedStatement(.changingPragma, sql: sql)
            #expect(throws: error) {
                try StatementFacts.check(inClosure: sql, isReading: false, inMigration: false)
            }
        }
        for sql in ["PRAGMA cache_size = 1", "COMMIT"] {
            #expect(throws: ClusterError.self) {
                try StatementFacts.check(inClosure: sql, isReading: false, inMigration: true)
            }
        }
    }
}

struct StatementFactsSummary: Equatable {
    var isEmpty = false
    var hasTail = false
    var isReading = false
    var hasReturning = false
}

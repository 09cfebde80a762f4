import Testing

@testable import Squall

/// A PRAGMA is found by the beginning of its SQL.
struct StatementStartTests {
    private func pragma(_ sql: String) -> PragmaFacts? {
        var script = Script(sql)
        return script.nextStart().pragma
    }

    @Test(
        arguments: [
            "PRAGMA foreign_keys = ON", " ;\n\tpragma FOREIGN_KEYS=1", "/* a */ PRAGMA foreign_keys(1)",
            "/*/ a */ PRAGMA foreign_keys = 1", "/***/PRAGMA foreign_keys = 1", "-- a\nPRAGMA /* b */ foreign_keys = 1",
            "\u{feff}PRAGMA foreign_keys = 1", "EXPLAIN PRAGMA foreign_keys = 1",
            "EXPLAIN QUERY PLAN PRAGMA foreign_keys = 1", "PRAGMA \"foreign_keys\" = 1",
        ])
    func aSettingIsFound(sql: String) {
        let pragma = pragma(sql)
        #expect(pragma?.name == "foreign_keys")
        #expect(pragma?.database == nil)
        #expect(pragma?.isSet == true)
        #expect(pragma?.isSetting == true)
    }

    @Test func theDatabaseIsFound() {
        #expect(pragma("PRAGMA main . user_version = 7")?.database == "main")
        #expect(pragma("PRAGMA main . user_version = 7")?.name == "user_version")
        #expect(pragma("PRAGMA user_version")?.isSet == false)
        #expect(pragma("PRAGMA user_version = 7")?.isSetting == false)
    }

    @Test(
        arguments: [
            "SELECT 1", "/* PRAGMA foreign_keys = 1 */", "/* PRAGMA foreign_keys = 1", "-- PRAGMA foreign_keys = 1", "",
            "/*/ PRAGMA foreign_keys = 1", "PRAG", "EXPLAIN SELECT 1",
        ])
    func anythingElseIsNone(sql: String) {
        #expect(pragma(sql) == nil)
    }

    @Test(arguments: [
        (" ;select 1", StatementVerb.select), ("/**/ INSERT INTO t", .insert), ("-- a\n\u{feff}Update t", .update),
        ("SAVEPOINT a", .savepoint), ("release", .release), ("explain select 1", .explain), ("WITH a", .with),
        ("REPLACE", .replace), ("values(1)", .values), (" \u{b}commit;", .commit),
    ]) func theVerbIsTheFirstWord(sql: String, verb: StatementVerb) {
        #expect(StatementVerb(beginning: sql) == verb)
    }

    @Test(arguments: ["", "(select 1)", "selects", "sel", "'select'", "avepointt", "xsavepoint", "-- select", "é"])
    func otherWordsAreNoVerb(sql: String) {
        #expect(StatementVerb(beginning: sql) == nil)
    }

    @Test func everyVerbIsFound() {
        for verb in StatementVerb.allCases {
            #expect(StatementVerb(beginning: verb.rawValue) == verb)
            #expect(StatementVerb(beginning: verb.rawValue.lowercased() + ";") == verb)
            #expect(StatementVerb(beginning: verb.rawValue + "x") == nil)
        }
    }
}

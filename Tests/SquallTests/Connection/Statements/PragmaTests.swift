import Testing

@testable import Squall

/// What is known of a PRAGMA from the begin of its SQL.
struct PragmaTests {
    @Test(
        arguments: [
            "PRAGMA foreign_keys = ON", " ;\n\tpragma FOREIGN_KEYS=1", "/* a */ PRAGMA foreign_keys(1)",
            "/*/ a */ PRAGMA foreign_keys = 1", "/***/PRAGMA foreign_keys = 1", "-- a\nPRAGMA /* b */ foreign_keys = 1",
            "\u{feff}PRAGMA foreign_keys = 1", "EXPLAIN PRAGMA foreign_keys = 1",
            "EXPLAIN QUERY PLAN PRAGMA foreign_keys = 1", "PRAGMA \"foreign_keys\" = 1",
        ])
    func aSettingIsFound(sql: String) {
        let pragma = Pragma(sql)
        #expect(pragma?.name == "foreign_keys")
        #expect(pragma?.database == nil)
        #expect(pragma?.isSet == true)
        #expect(pragma?.isSetting == true)
    }

    @Test func theDatabaseIsFound() {
        #expect(Pragma("PRAGMA main . user_version = 7")?.database == "main")
        #expect(Pragma("PRAGMA main . user_version = 7")?.name == "user_version")
        #expect(Pragma("PRAGMA user_version")?.isSet == false)
        #expect(Pragma("PRAGMA user_version = 7")?.isSetting == false)
    }

    @Test(
        arguments: [
            "SELECT 1", "/* PRAGMA foreign_keys = 1 */", "/* PRAGMA foreign_keys = 1", "-- PRAGMA foreign_keys = 1", "",
            "/*/ PRAGMA foreign_keys = 1", "PRAG", "EXPLAIN SELECT 1",
        ])
    func anythingElseIsNone(sql: String) {
        #expect(Pragma(sql) == nil)
    }
}

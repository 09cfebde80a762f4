import Testing

@testable import SquallSQLFiles

/// Triggers in schema files, whose bodies have semicolons.
struct TriggersTests {
    @Test(arguments: [
        "UPDATE t SET x = CASE new.x WHEN 1 THEN 2 ELSE CASE WHEN new.x > 3 THEN 4 END END;",
        // END and BEGIN are names of columns here.
        "UPDATE t SET end = new.end, begin = 1 WHERE end = 2; SELECT new.end;",
        "SELECT 'END;' AS \"end\"; SELECT [end;]; -- END;\n/* ; END; */ DELETE FROM t WHERE x = 9;",
        "INSERT INTO t(x) SELECT x FROM t WHERE x IN (SELECT 1 UNION SELECT 2) ON CONFLICT DO NOTHING;",
    ])
    func theirBodiesAreNotSplit(_ body: String) throws {
        for kind in ["TRIGGER", "TEMP TRIGGER IF NOT EXISTS", "temporary trigger"] {
            let schema = try BuiltSchema(
                """
                CREATE TABLE t(x INTEGER, end INTEGER, begin, [end;]);
                CREATE \(kind) one AFTER UPDATE OF x ON t FOR EACH ROW WHEN new.x > old.x BEGIN \(body) END;
                CREATE TABLE last(x);
                """.replacing("SELECT [end;]", with: "SELECT new.[end;]"))
            #expect(schema.messages == [])
            #expect(schema.run.catalog.tables["last"] != nil)
        }
    }

    @Test func aTriggerAtTheEndOfAFileNeedsNoSemicolon() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE trigger(x);\nCREATE TABLE t(x);\nCREATE TRIGGER a INSERT ON t BEGIN SELECT 1; END")
        #expect(schema.messages == [])
        #expect(schema.run.catalog.tables["trigger"] != nil)
    }

    @Test func anErrorInTheBodyOfATriggerStandsAtItsPlace() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE t(x);\nCREATE TRIGGER a INSERT ON t BEGIN\n    SELECT 1;\n    SELECT FROM t;\nEND;")
        #expect(schema.messages == ["001.sql:4:12: error: near \"FROM\": syntax error"])
    }
}

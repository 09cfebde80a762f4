import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// Definitions come from files of others, and from `Decodable`: what they print is one definition, or throws.
struct DefinitionTextTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE victim(x); INSERT INTO victim VALUES(1)")
    }

    private func isUnharmed() throws -> Bool {
        try connection.tableNames().contains("victim") && connection.count("victim") == 1
    }

    @Test(arguments: ["?", "?1", ":a", "@a", "$a", "#a"]) func anExpressionHasNoParameter(text: String) {
        let refused = SQL(raw: "1 + \(text)").expression(named: "the default")
        #expect(refused.failure.map { "\($0)" }?.contains("the default has a parameter") == true)
        for quoted in ["\"\(text)\"", "'\(text)'", "`\(text)`", "[\(text)]"] {
            let sql = SQL(raw: "1 + \(quoted)").expression(named: "the default")
            #expect(sql.failure == nil && sql.text == "1 + \(quoted)")
        }
    }

    @Test func aTypeOfAFileIsPrintedInQuotes() throws {
        try connection.execute(#"CREATE TABLE t(a "INT); DROP TABLE victim; COMMIT; --", b TEXT)"#)
        let table = try #require(try connection.tableInfo("t"))
        #expect(table.columns[0].type == "INT); DROP TABLE victim; COMMIT; --")
        #expect(table.sql.text == #"CREATE TABLE "t"("a" "INT); DROP TABLE victim; COMMIT; --", "b" TEXT)"#)
        try Schema("s") { Version(1) { AlterTable("t") { ChangeColumn("b", to: String.self) } } }.migrate(connection)
        #expect(try isUnharmed())
        #expect(try connection.tableNames() == ["squall_versions", "t", "victim"])
    }

    @Test(arguments: [
        ("INT", "INT"), ("VARCHAR(10)", "VARCHAR(10)"), ("DECIMAL(+10, -2)", "DECIMAL(+10, -2)"),
        ("character varying (8)", "character varying (8)"), ("UNSIGNED BIG INT", "UNSIGNED BIG INT"),
        ("TIMESTAMP WITHOUT TIME ZONE", "TIMESTAMP WITHOUT TIME ZONE"), ("тип", "тип"),
        ("col.1", #""col.1""#), ("VARCHAR(MAX)", #""VARCHAR(MAX)""#),
        ("VARCHAR (+1,-10, 5)", #""VARCHAR (+1,-10, 5)""#),
        ("generated always", #""generated always""#), ("NOT NULL", #""NOT NULL""#), ("a\"b", #""a""b""#),
        (" INT", #"" INT""#),
        ("INT --", #""INT --""#), ("INT /* x", #""INT /* x""#), ("1 2", #""1 2""#), ("INT(1", #""INT(1""#),
        ("INT CHECK(0)", #""INT CHECK(0)""#),
        ("INT DEFAULT 5", #""INT DEFAULT 5""#), ("$x", #""$x""#), ("N(1)(2)", #""N(1)(2)""#), ("'q'", #""'q'""#),
    ]) func typesOfWordsAndNumbersArePrintedAsTheyAre(_ type: String, _ printed: String) throws {
        let table = TableDefinition(name: "t", columns: [ColumnDefinition(name: "a", type: type)])
        #expect(table.sql.text == "CREATE TABLE \"t\"(\"a\" \(printed))")
        try connection.run(table.sql)
        #expect(try connection.query("SELECT type FROM pragma_table_xinfo('t')") == type)
        #expect(try connection.tableInfo("t") == table)
    }

    private static let hostile = [
        "1); DROP TABLE victim; --", "1); DROP TABLE victim; CREATE TABLE u(a DEFAULT (1", "1; DROP TABLE victim", "'",
        "\"", "[", "`", "(1", "1)",
        "1) , b INT CHECK (1", "x''; DROP TABLE victim; --", "1 /* ; */; DROP TABLE victim",
        "$a(');DROP TABLE victim;--')", "?", ":a", "\0", "",
        "1 --", "1 /*",
    ]

    /// A table with a text in each place where one can be.
    private static func tables(_ text: String) -> [TableDefinition] {
        let sql = SQL(raw: text)
        let plain = TableDefinition(name: "t", columns: [ColumnDefinition(name: "a", type: "TEXT")])
        func with(_ change: (inout TableDefinition) -> Void) -> TableDefinition {
            var table = plain
            change(&table)
            return table
        }
        return [
            with { $0.name = text }, with { $0.columns[0].name = text }, with { $0.columns[0].type = text },
            with { $0.columns[0].defaultValue = sql },
            with { $0.columns[0].checks = [.init(name: text, condition: "1")] },
            with { $0.columns[0].checks = [.init(condition: sql)] },
            with { $0.columns.append(ColumnDefinition(name: "b", generated: .init(expression: sql))) },
            with { $0.columns[0].collation = text },
            with { $0.columns[0].references = [ForeignKeyReference(table: text, columns: [text])] },
            with { $0.constraints = [TableConstraint(name: text, .check(sql))] },
            with { $0.constraints = [TableConstraint(.unique([IndexedColumn(text, collation: text)]))] },
            with { $0.constraints = [TableConstraint(.primaryKey([.expression(sql)]))] },
            with { $0.constraints = [TableConstraint(.foreignKey([text], ForeignKeyReference(table: "p")))] },
            with { $0.indexes = [IndexDefinition(name: text, table: text, columns: [IndexedColumn(text)])] },
            with {
                $0.indexes = [IndexDefinition(name: "i", table: "t", columns: [.expression(sql, collation: text)])]
            },
            with { $0.indexes = [IndexDefinition(name: "i", table: "t", columns: ["a"], condition: sql)] },
            with { $0.triggers = [TriggerDefinition(name: text, table: "t", sql: sql)] },
        ]
    }

    @Test(arguments: hostile) func noTextEndsItsPart(_ text: String) throws {
        for table in Self.tables(text) {
            let coded = (try? JSONEncoder().encode(table)).flatMap {
                try? JSONDecoder().decode(TableDefinition.self, from: $0)
            }
            for table in [table, coded ?? table] {
                _ = try? connection.plan(toMatch: [table]).apply(allowing: [.columns, .tables])
                // As scripts, in which a statement could hide; and the texts alone, which some other program may run.
                for sql in [table.sql] + table.indexes.map(\.sql) {
                    _ = try? connection.execute(sql)
                    _ = try? connection.execute(SQL(raw: sql.text))
                }
                #expect(try isUnharmed(), "\(table)")
                let names = try connection.tableNames().filter { $0 != "victim" }
                #expect(names.allSatisfy { $0 == table.name }, "\(table)")
                for name in names {
                    #expect(try connection.tableInfo(name)?.columns.count == table.columns.count, "\(table)")
                    try connection.dropTable(name)
                }
            }
        }
    }

    @Test func aTextThatEndsItsPartIsNamedInTheError() throws {
        var table = TableDefinition(name: "t", columns: [ColumnDefinition(name: "age", type: "INT")])
        table.columns[0].checks = [.init(condition: "age > 0); DROP TABLE victim; --")]
        #expect(
            throws: SchemaError.invalid([
                "the condition of a CHECK has unbalanced parentheses: age > 0); DROP TABLE victim; --"
            ])
        ) {
            try connection.plan(toMatch: [table])
        }
        #expect(throws: SchemaError.self) { try connection.execute(table.sql) }
        #expect(table.sql.text == #"CREATE TABLE "t"("age" INT CHECK (NULL))"#)
        table.columns[0].checks = []
        table.triggers = [
            TriggerDefinition(
                name: "g", table: "t",
                sql: "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT CASE WHEN 1 THEN 2 END; END; DROP TABLE victim")
        ]
        #expect(throws: SchemaError.self) { try connection.plan(toMatch: [table]) }
        table.triggers[0].sql = "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT CASE WHEN 1 THEN 2 END; END"
        try connection.sync([table])
    }

    @Test(arguments: [
        "INT); DROP TABLE victim; --", "INT, b TEXT", "INT DEFALT 0", "INT CHECK (1", "INT DEFAULT 'x",
        "INT; DROP TABLE victim", "INT) STRICT; --",
    ]) func aColumnThatIsNotOneColumnIsRefused(_ sql: String) throws {
        for step in [
            CreateTable("t") { ColumnDef("a", sql: SQL(raw: sql)) } as any SchemaStep,
            AlterTable("victim") { AddColumn("a", sql: SQL(raw: sql)) },
        ] {
            let schema = Schema("s") { Version(1) { step } }
            let error = try #require(throws: SchemaError.self) { try schema.migrate(connection) }
            #expect("\(error)".contains("\"a\""), "\(error)")
        }
        #expect(try isUnharmed())
        #expect(try connection.tableNames() == ["victim"])
    }

    @Test(arguments: [
        ("5", "5"), ("-.5", "-.5"), ("'a'", "'a'"), ("x'00'", "x'00'"), ("NULL", "NULL"),
        ("current_date", "current_date"), ("(1 + 2)", "(1 + 2)"),
        ("1 + 2", "(1 + 2)"), ("(1) + (2)", "((1) + (2))"), ("5 -- five", "5"), ("0, b TEXT", "(0, b TEXT)"),
        ("abs(1)", "(abs(1))"),
    ]) func aDefaultThatIsNoLiteralStandsInParentheses(_ text: String, _ printed: String) {
        let column = ColumnDefinition(name: "a", defaultValue: SQL(raw: text))
        #expect(column.sql.text == "\"a\" DEFAULT \(printed)")
    }

    @Test func aDefaultWithNULAndNegativeNumbersIsKept() throws {
        for (name, value) in [
            ("a", BindingValue.text("x\0y")), ("b", .integer(-5)), ("c", .integer(.min)), ("d", .real(-0.5)),
        ] {
            let table = TableDefinition(name: name, columns: [ColumnDefinition(name: "v", defaultValue: "\(value)")])
            #expect(try connection.sync([table]) == [name: .newTableCreated])
            #expect(try connection.sync([table]) == [name: .alreadyInSync])
            try connection.insert(into: name, [:])
            #expect(try connection.query("SELECT v FROM \(name: name)") { try $0.get(0) as BindingValue } == [value])
        }
    }

    @Test func commentsAndFractionsOfAFile() throws {
        try connection.execute(
            """
            CREATE TABLE t(
                a DEFAULT .5, -- half
                b DEFAULT -.5 CHECK (b < 1 -- one
                ),
                c TEXT COLLATE nocase COLLATE rtrim UNIQUE,
                d DEFAULT (1 -- one
                )
            )
            """
        )
        #expect(
            try connection.tableInfo("t")?.sql.text == """
                CREATE TABLE "t"("a" DEFAULT .5, "b" DEFAULT -.5 CHECK (b < 1), "c" TEXT UNIQUE \
                COLLATE "rtrim", "d" DEFAULT (1 -- one
                    ))
                """
        )
    }

    @Test func aKeyOfTheTableWithAUTOINCREMENT() throws {
        try connection.execute("CREATE TABLE t(x INTEGER, y, PRIMARY KEY(x DESC AUTOINCREMENT) ON CONFLICT IGNORE)")
        let table = try #require(try connection.tableInfo("t"))
        #expect(table.sql.text == #"CREATE TABLE "t"("x" INTEGER PRIMARY KEY ON CONFLICT IGNORE AUTOINCREMENT, "y")"#)
        #expect(table.rowIDColumn == "x")
        try connection.run("INSERT INTO t VALUES(7, 'a')")
        try Schema("s") { Version(1) { AlterTable("t") { AddColumn("z", String.self, fillingWith: "'z'") } } }.migrate(
            connection)
        try connection.execute("DELETE FROM t; INSERT INTO t(y, z) VALUES('b', 'c')")
        #expect(try connection.query("SELECT x FROM t") == 8)
    }

    @Test func aCheckThatNamesItsTableIsRebuilt() throws {
        try connection.execute(
            #"CREATE TABLE "t 1"(a, b, g AS (a + 1), CHECK("t 1".a <> [t 1].b)); INSERT INTO "t 1" VALUES(1, 2)"#)
        let before = try #require(try connection.tableInfo("t 1"))
        #expect(before.constraints == [TableConstraint(.check(#""t 1".a <> [t 1].b"#))])
        try Schema("s") { Version(1) { AlterTable("t 1") { ChangeColumn("b", to: Int.self) } } }.migrate(connection)
        let after = try #require(try connection.tableInfo("t 1"))
        #expect(after.constraints == [TableConstraint(.check("a <> b"))])
        #expect(try connection.query(#"SELECT b, g FROM "t 1""#) { $0.valuesText } == ["[2, 2]"])
        #expect(throws: SQLiteError.self) { try connection.run(#"INSERT INTO "t 1" VALUES(1, 1)"#) }
        // With its table or without, it is the same condition.
        #expect(after.changes(to: before).map(\.description) == [#"ChangeColumn("b", sql: "")"#])
    }

    @Test func indexesOnExpressionsWithCOLLATE() throws {
        try connection.execute(
            """
            CREATE TABLE t(a, b);
            CREATE INDEX i1 ON t(CASE WHEN a COLLATE NOCASE = 'x' THEN 1 ELSE 2 END DESC);
            CREATE INDEX i2 ON t(a || b COLLATE NOCASE, lower(b) COLLATE rtrim ASC, (a) COLLATE nocase);
            CREATE INDEX i3 ON t(a || b COLLATE NOCASE COLLATE rtrim)
            """
        )
        let table = try #require(try connection.tableInfo("t"))
        #expect(
            table.indexes.flatMap(\.columns) == [
                .expression("CASE WHEN a COLLATE NOCASE = 'x' THEN 1 ELSE 2 END", order: .descending),
                .expression("a || b COLLATE NOCASE"), .expression("lower(b)", collation: "rtrim", order: .ascending),
                .expression("(a)", collation: "nocase"), .expression("a || b COLLATE NOCASE COLLATE rtrim"),
            ]
        )
        var declared = TableDefinition(name: "t", columns: table.columns)
        declared.indexes = [
            IndexDefinition(
                name: "i2", table: "t",
                columns: [
                    .expression("a||b collate NoCase"), .expression("lower(b) COLLATE rtrim"),
                    .expression("(a)", collation: "NOCASE"),
                ]
            )
        ]
        #expect(try connection.plan(toMatch: [declared]).isEmpty)
        for index in table.indexes {
            try connection.execute("DROP INDEX \(name: index.name)")
            try connection.run(index.sql)
        }
        #expect(try connection.tableInfo("t") == table)
    }

    @Test func aNameWithoutAConstraintIsLeftOut() throws {
        try connection.execute("CREATE TABLE t(a, b CONSTRAINT x, CONSTRAINT c)")
        let table = try #require(try connection.tableInfo("t"))
        #expect(table.constraints.isEmpty)
        #expect(table.sql.text == #"CREATE TABLE "t"("a", "b")"#)
    }

    @Test func aDeferralAfterAnotherConstraintIsOfTheForeignKey() throws {
        try connection.execute("CREATE TABLE t(a REFERENCES victim NOT NULL DEFERRABLE INITIALLY DEFERRED)")
        let table = try #require(try connection.tableInfo("t"))
        #expect(
            table.sql.text
                == #"CREATE TABLE "t"("a" NOT NULL REFERENCES "victim" DEFERRABLE INITIALLY DEFERRED)"#)
    }
}

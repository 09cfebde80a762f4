import Squall
import SquallTestSupport
import Testing

/// What a plan finds in the rows, and in the file, before anything is done.
struct PlanRowsTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    private func table(_ columns: ColumnDefinition..., constraints: [TableConstraint] = [], isStrict: Bool = false)
        -> TableDefinition
    {
        TableDefinition(name: "t", columns: columns, constraints: constraints, isStrict: isStrict)
    }

    /// The obstacles of a plan, which leaves the rows alone when it throws them.
    private func obstacles(_ setUp: SQL, _ table: TableDefinition) throws -> [String] {
        try connection.execute(setUp)
        let before: [String] = try connection.query("SELECT * FROM t") { $0.valuesText }
        let plan = try connection.plan(toMatch: [table])
        do {
            try plan.apply(allowing: [.columns, .conversions])
            return []
        } catch SchemaError.obstacles(let reasons) {
            #expect(try connection.query("SELECT * FROM t") { $0.valuesText } == before)
            return reasons
        }
    }

    @Test func valuesThatANewTypeDoesNotKeepAreALoss() throws {
        try connection.execute(
            """
            CREATE TABLE t(a TEXT, b REAL, c INTEGER, d TEXT);
            INSERT INTO t VALUES('12', 1.0, 1, 'x'), ('abc', 1.5, 9007199254740993, 'y'), ('007', 2, 3, NULL), (NULL, NULL, NULL, x'00'),
            ('1.5', 3, 4, 'z')
            """
        )
        let new = table(
            ColumnDefinition(name: "a", type: "INTEGER"), ColumnDefinition(name: "b", type: "INTEGER"),
            ColumnDefinition(name: "c", type: "REAL"), ColumnDefinition(name: "d", type: "BLOB"))
        let plan = try connection.plan(toMatch: [new])
        let losses: [SchemaLoss] = [
            .conversion(table: "t", column: "a", values: 3, type: "INTEGER"),
            .conversion(table: "t", column: "b", values: 1, type: "INTEGER"),
            .conversion(table: "t", column: "c", values: 1, type: "REAL"),
            .conversion(table: "t", column: "d", values: 3, type: "BLOB"),
        ]
        #expect(plan.losses == losses)
        #expect(losses[0].description == #"3 values of "t"."a" that INTEGER does not keep as they are"#)
        #expect(throws: SchemaError.losses(losses)) { try connection.sync([new]) }
        #expect(try plan.apply(allowing: .conversions) == ["t": .tableChanged])
        #expect(
            try connection.query("SELECT a FROM t") { $0.valuesText } == ["[12]", "['abc']", "[7]", "[NULL]", "[1.5]"])
    }

    /// SQLite takes a name or a word after DEFAULT as text, unless it is a literal.
    @Test(arguments: [
        ("abc", "abc"), ("abc", "'abc'"), ("abc", "\"abc\""), ("[null]", "'null'"), ("NULL", "null"), ("true", "TRUE"),
        ("abc", "ABC"), ("\"abc\"", "\"ABC\""), ("abc", "null"), ("\"true\"", "true"),
        ("'CURRENT_DATE'", "current_date"),
    ])
    func defaultsAreTheSameWhereSQLiteStoresOneValue(_ old: String, _ new: String) throws {
        try connection.execute(
            """
            CREATE TABLE t(a TEXT DEFAULT \(raw: old)); INSERT INTO t DEFAULT VALUES;
            CREATE TABLE other(a TEXT DEFAULT \(raw: new)); INSERT INTO other DEFAULT VALUES
            """)
        let isSame: Bool = try connection.query("SELECT (SELECT a FROM t) IS (SELECT a FROM other)")
        let column = ColumnDefinition(name: "a", type: "TEXT", defaultValue: SQL(raw: new))
        #expect(try connection.plan(toMatch: [table(column)]).isEmpty == isSame)
    }

    @Test func anAddedDefaultThatIsAWordIsNotAColumn() throws {
        let new = table(
            ColumnDefinition(name: "abc", type: "TEXT"),
            ColumnDefinition(name: "b", type: "TEXT", defaultValue: "abc", checks: [.init(condition: "b = 'abc'")]))
        #expect(try obstacles("CREATE TABLE t(abc TEXT); INSERT INTO t VALUES('x')", new) == [])
        #expect(try connection.query("SELECT b FROM t") == "abc")
    }

    @Test func aTypeThatKeepsAllValuesIsNoLoss() throws {
        try connection.execute(
            """
            CREATE TABLE t(a INTEGER, b TEXT, c, d VARCHAR(10));
            INSERT INTO t VALUES(1, '12', x'00', 'x'), (NULL, '-3', 'y', '007')
            """
        )
        let new = table(
            ColumnDefinition(name: "a", type: "TEXT"), ColumnDefinition(name: "b", type: "INTEGER"),
            ColumnDefinition(name: "c"), ColumnDefinition(name: "d", type: "TEXT"))
        #expect(try connection.plan(toMatch: [new]).losses.isEmpty)
        #expect(try connection.sync([new]) == ["t": .tableChanged])
    }

    @Test func rowsThatBreakANewUNIQUEAreAnObstacle() throws {
        let reasons = try obstacles(
            "CREATE TABLE t(a, b TEXT); INSERT INTO t VALUES(1, 'x'), (2, 'X'), (2, NULL), (3, NULL)",
            table(
                ColumnDefinition(name: "a", unique: .init(conflict: .replace)),
                ColumnDefinition(name: "b", type: "TEXT", unique: .init(), collation: "NOCASE")))
        #expect(
            reasons == [
                #"several rows of "t" have a value of "a" in common, which is to be UNIQUE: change or delete them first"#,
                #"several rows of "t" have a value of "b" in common, which is to be UNIQUE: change or delete them first"#,
            ])
    }

    @Test func rowsThatBreakAUniqueIndexAreAnObstacle() throws {
        var new = table(ColumnDefinition(name: "a"), ColumnDefinition(name: "b"))
        let index = IndexDefinition(
            name: "by_a", table: "t", columns: [.expression("lower(a)")], isUnique: true, condition: "b > 0")
        new.indexes = [index]
        let reasons = try obstacles(
            "CREATE TABLE t(a, b); INSERT INTO t VALUES('x', 1), ('X', 1), ('y', 0), ('y', 1)", new)
        #expect(
            reasons == [
                """
                several rows of "t" have a value of lower(a) in common, which is to be UNIQUE by the index "by_a": change or \
                delete them first
                """
            ])
        try connection.run("DELETE FROM t WHERE a = 'X'")
        #expect(try connection.sync([new]) == ["t": .tableChanged])
    }

    @Test func rowsThatBreakANewCHECKAreAnObstacle() throws {
        let new = table(
            ColumnDefinition(name: "a", type: "INTEGER", checks: [.init(condition: "t.a > 0")]),
            ColumnDefinition(name: "b", type: "INTEGER", defaultValue: "5"),
            constraints: [TableConstraint(.check("a <> b"))])
        let reasons = try obstacles("CREATE TABLE t(a INTEGER); INSERT INTO t VALUES(-1), (0), (NULL), (5), (7)", new)
        #expect(
            reasons == [
                #"CHECK (a <> b) does not hold for 1 row of "t": change or delete them first"#,
                #"CHECK (a > 0) does not hold for 2 rows of "t": change or delete them first"#,
            ])
    }

    @Test func valuesThatAStrictTableRefusesAreAnObstacle() throws {
        let new = table(
            ColumnDefinition(name: "a", type: "INTEGER"), ColumnDefinition(name: "b", type: "TEXT"), isStrict: true)
        let reasons = try obstacles(
            "CREATE TABLE t(a INTEGER, b TEXT); INSERT INTO t VALUES('x', 1), ('1', x'00'), (2, NULL)", new)
        #expect(
            reasons == [
                #"1 value of "t"."a" is not INTEGER, which a STRICT table refuses: change or delete them first"#,
                #"1 value of "t"."b" is not TEXT, which a STRICT table refuses: change or delete them first"#,
            ])
    }

    @Test func valuesThatAreNoRowIDAreAnObstacle() throws {
        let new = table(ColumnDefinition(name: "a", type: "INTEGER", primaryKey: .init()))
        let reasons = try obstacles("CREATE TABLE t(a); INSERT INTO t VALUES('x'), (2), (2), (NULL)", new)
        #expect(
            reasons == [
                """
                several rows of "t" have a value of "a" in common, which is to be the PRIMARY KEY: change or delete them \
                first
                """,
                #"1 value of "t"."a" is not INTEGER, which the PRIMARY KEY must be: change or delete them first"#,
            ])
    }

    @Test func aForeignKeyToATableThatIsNotThere() throws {
        let new = table(ColumnDefinition(name: "a", references: [ForeignKeyReference(table: "Nowhere")]))
        let message = #""t" refers to the table "Nowhere", which does not exist"#
        #expect(throws: SchemaError.invalid([message])) { try connection.sync([new]) }
        let schema = Schema("s") {
            Version(1) {
                CreateTable("t") {
                    ColumnDef("a", Int.self, .references("Nowhere")); ColumnDef("b", Int.self, .references("later"))
                }
                CreateTable("later") { ColumnDef("id", Int.self, .primaryKey) }
            }
        }
        #expect(throws: SchemaError.invalid([message])) { try schema.verify() }
        try connection.sync([
            new, TableDefinition(name: "nowhere", columns: [ColumnDefinition(name: "id", primaryKey: .init())]),
        ])
        // What the file has already is not the plan's to refuse.
        try connection.execute("PRAGMA foreign_keys = OFF; DROP TABLE nowhere")
        #expect(try connection.sync([new]) == ["t": .alreadyInSync])
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func aNameOfAViewOrAVirtualTable() throws {
        try connection.execute("CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(a)")
        let column = ColumnDefinition(name: "a")
        #expect(throws: SchemaError.alreadyExists("a view \"V\"")) {
            try connection.plan(toMatch: [TableDefinition(name: "V", columns: [column])])
        }
        #expect(
            throws: SchemaError.invalid(["\"f\" is a virtual table, which a declared table cannot be compared with"])
        ) {
            try connection.plan(toMatch: [TableDefinition(name: "f", columns: [column])])
        }
    }

    @Test func namesThatDifferBeyondASCIIAreTwoColumns() throws {
        try connection.execute(#"CREATE TABLE t("Ä" TEXT, "ä" TEXT, x INT); INSERT INTO t VALUES('BIG', 'small', 1)"#)
        let new = table(
            ColumnDefinition(name: "ä", type: "TEXT"), ColumnDefinition(name: "X", type: "INT"),
            ColumnDefinition(name: "a\u{308}"))
        let plan = try connection.plan(toMatch: [new])
        #expect(plan.losses == [.column(table: "t", column: "Ä", values: 1)])
        #expect(plan.changes.map(\.description) == [#"DropColumn("Ä")"#, #"AddColumn("ä", sql: "")"#])
        try plan.apply(allowing: .columns)
        #expect(try connection.query(#"SELECT "ä", x FROM t"#) { $0.valuesText } == ["['small', 1]"])
        let twins = table(ColumnDefinition(name: "É"), ColumnDefinition(name: "é"))
        #expect(try connection.plan(toMatch: [twins]).changes.count == 5)
    }

    @Test func theLastColumnIsNotDropped() throws {
        try connection.execute("CREATE TABLE t(a, b)")
        let schema = Schema("s") {
            Version(1) {
                AlterTable("t") {
                    DropColumn("a"); DropColumn("b")
                }
            }
        }
        let error = try #require(throws: SchemaError.self) { try schema.migrate(connection) }
        #expect("\(error)".contains(#"no column of the table "t" would be left"#), "\(error)")
        #expect(try connection.tableInfo("t")?.columns.count == 2)
    }

    @Test(arguments: ["key", "check", "primary", "unique", "like", "cast", "end", "text", "lower", "nocase", "not"])
    func aColumnNamedAsAKeywordIsDropped(_ name: String) throws {
        try connection.execute(
            """
            CREATE TABLE t(id, a TEXT, \(name: name), b NOT NULL, CONSTRAINT k PRIMARY KEY (id), UNIQUE (a),
            FOREIGN KEY (a) REFERENCES t(a),
            CHECK (lower(a) NOT LIKE 'x' AND CASE WHEN CAST(a AS TEXT) COLLATE NOCASE = 'y' THEN 0 ELSE 1 END));
            INSERT INTO t VALUES(1, 'a', 2, 3)
            """
        )
        try Schema("s") {
            Version(1) {
                AlterTable("t") {
                    DropColumn(name); ChangeColumn("b", to: Int?.self)
                }
            }
        }.migrate(connection)
        #expect(try connection.query("SELECT * FROM t") { $0.valuesText } == ["[1, 'a', 3]"])
    }

    @Test(arguments: ["key > 0", "0 < key", "NOT key", "key LIKE 'x'", "abs(key)", "\"key\"", "b = 5 AND key"])
    func aColumnNamedAsAKeywordThatACheckUsesIsNotDropped(_ check: String) throws {
        try connection.execute("CREATE TABLE t(a, b NOT NULL, key, CHECK (\(raw: check)))")
        let schema = Schema("s") {
            Version(1) {
                AlterTable("t") {
                    DropColumn("key"); ChangeColumn("b", to: Int?.self)
                }
            }
        }
        let error = try #require(throws: SchemaError.self) { try schema.migrate(connection) }
        #expect("\(error)".contains("is used by a constraint"), "\(error)")
    }

    @Test func rowsOfTwoTablesThatDoNotFitAreReportedTogether() throws {
        try connection.execute("CREATE TABLE b(x); CREATE TABLE a(x); INSERT INTO a VALUES(1); INSERT INTO b VALUES(2)")
        let tables = ["b", "a"].map { name in
            TableDefinition(name: name, columns: [ColumnDefinition(name: "x", checks: [.init(condition: "x > 5")])])
        }
        let reasons = ["a", "b"].map {
            #"CHECK (x > 5) does not hold for 1 row of "\#($0)": change or delete them first"#
        }
        #expect(throws: SchemaError.obstacles(reasons)) { try connection.sync(tables) }
    }

    @Test func aCHECKWithAnUnknownFunctionIsLeftToTheChange() throws {
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        let new = table(ColumnDefinition(name: "a", checks: [.init(condition: "missing(a) > 5")]))
        let plan = try connection.plan(toMatch: [new])
        #expect(plan.losses.isEmpty)
        #expect(try sqliteError { try plan.apply() }.message.contains("no such function: missing"))
        #expect(try connection.query("SELECT a FROM t") == 1)
    }

    @Test func anANYColumnOfASTRICTTableTakesEveryValue() throws {
        try connection.execute("CREATE TABLE t(a TEXT); INSERT INTO t VALUES('007')")
        let new = table(ColumnDefinition(name: "a", type: "ANY"), isStrict: true)
        #expect(try connection.plan(toMatch: [new]).losses.isEmpty)
        #expect(try connection.sync([new]) == ["t": .tableChanged])
        #expect(try connection.query("SELECT quote(a) FROM t") == "'007'")
    }

    @Test func aNewTypeInASTRICTTableIsChecked() throws {
        let new = table(ColumnDefinition(name: "a", type: "INTEGER"), isStrict: true)
        let reasons = try obstacles("CREATE TABLE t(a TEXT) STRICT; INSERT INTO t VALUES('x'), ('2')", new)
        #expect(
            reasons == [
                #"1 value of "t"."a" is not INTEGER, which a STRICT table refuses: change or delete them first"#
            ])
    }
}

import Squall
import Testing

@testable import SquallSQLFiles

struct QueryCheckerTests {
    private func signature(_ sql: String..., cardinality: Cardinality? = nil, types: [String: TypeDeclaration] = [:])
        throws -> String
    {
        let declaration = Checked.declaration(sql, cardinality: cardinality, types: types)
        let (queries, lines) = try Checked.all([declaration])
        #expect(lines == [])
        return queries.first?.signature ?? "none"
    }

    private func lines(
        _ sql: String..., cardinality: Cardinality? = nil, row: String? = nil, types: [String: TypeDeclaration] = [:],
        noScan: Bool = false
    ) throws -> [String] {
        try Checked.all([Checked.declaration(sql, cardinality: cardinality, row: row, types: types, noScan: noScan)]).1
    }

    // MARK: Results

    @Test func aQueryIsAFunction() throws {
        #expect(
            try signature("SELECT id, n, m FROM a WHERE n < :limit")
                == "(limit: Int) -> many (id: Int64, n: Int, m: Int?)")
        #expect(try signature("SELECT t FROM a") == "() -> many t: String")
        #expect(
            try signature("SELECT t FROM a WHERE id = :id", cardinality: .optional)
                == "(id: Int64) -> optional t: String")
        #expect(try signature("SELECT count(*) FROM a", cardinality: .one) == "() -> one count(*): Int")
        #expect(try signature("DELETE FROM a") == "() -> changes")
        #expect(try signature("DELETE FROM a RETURNING id") == "() -> many id: Int64")
        #expect(try signature("ANALYZE") == "() -> nothing")
    }

    @Test func severalStatementsReturnWhatTheLastReturns() throws {
        let found = try signature(
            "UPDATE a SET n = n - :amount WHERE id = :from", "UPDATE a SET n = n + :amount WHERE id = :to RETURNING n",
            cardinality: .one)
        #expect(found == "(amount: Int, from: Int64, to: Int64) -> one n: Int")
        #expect(
            try lines("SELECT 1", "SELECT 2") == ["q.sql:1:1: error: only the last statement of a query returns rows"])
    }

    @Test func aDeclarationDecides() throws {
        let types = [
            "x": Checked.type("Status"), "s": Checked.type("Date", as: .unixTime), "m": Checked.type("Int", .promised),
        ]
        #expect(
            try signature("SELECT x, s, m FROM a", types: types)
                == "() -> many (x: Status?, s: Date as unixTime?, m: Int)")
        let other = ["n": Checked.type("Int", .optional), ":x": Checked.type("Set<Int>", as: .json)]
        #expect(try signature("SELECT n FROM a WHERE x = :x", types: other) == "(x: Set<Int>) -> many n: Int?")
        #expect(
            try signature("SELECT id FROM a WHERE n = :n", types: ["n": Checked.type("Int", .optional)])
                == "(n: Int?) -> many id: Int64")
    }

    /// Without the form, dates would be compared with numbers as TEXT, and no row would be found.
    @Test func aDeclarationWithoutAFormKeepsThatOfTheColumn() throws {
        var catalog = try CatalogReader(MatrixSchema.connection()).catalog()
        let columns = catalog.tables["a"]?.columns ?? []
        catalog.tables["a"]?.columns = columns.map { column in
            var column = column
            if column.name == "m" { column.type = ValueType("Date", as: .unixMilliseconds) }
            return column
        }
        let types = ["since": Checked.type("Date", .optional), "m": Checked.type("Date", .promised)]
        let declaration = Checked.declaration(["SELECT m FROM a WHERE m >= :since"], types: types)
        let (queries, diagnostics) = try QueryChecker(MatrixSchema.connection(), catalog).check([declaration])
        #expect(diagnostics == [])
        #expect(queries.first?.signature == "(since: Date?) -> many m: Date as unixMilliseconds")
        #expect(queries.first?.parameters.first?.type.form == .unixMilliseconds)
    }

    @Test func theStarIsWrittenOut() throws {
        let (query, _) = try Checked.query("SELECT *, 1 AS one /* a comment */ FROM c AS q")
        #expect(
            query?.statements.first?.pieces == [.text(#"SELECT "code", "n", "o", 1 AS one FROM c AS q"#)])
    }

    /// The files of the schema are inputs of the build, so that a change writes the queries again.
    @Test func theStarFollowsTheSchema() throws {
        for (schema, columns) in [
            ("CREATE TABLE p(a INTEGER NOT NULL)" as SQL, #"SELECT "a" FROM p"#),
            ("CREATE TABLE p(a INTEGER NOT NULL); ALTER TABLE p ADD COLUMN b TEXT", #"SELECT "a", "b" FROM p"#),
            ("CREATE TABLE p(a INTEGER NOT NULL); ALTER TABLE p RENAME COLUMN a TO c", #"SELECT "c" FROM p"#),
        ] {
            let (query, _) = try Checked.query("SELECT * FROM p", schema: schema)
            #expect(query?.statements.first?.pieces == [.text(columns)])
        }
    }

    @Test func listsAreTables() throws {
        let (query, _) = try Checked.query("DELETE FROM a WHERE id IN (:ids...) AND n IN :ns... AND m = @m")
        #expect(query?.signature == "(ids: [Int64], ns: [Int], m: Int) -> changes")
        #expect(
            query?.statements.first?.pieces == [
                .text("DELETE FROM a WHERE id IN "), .list(0), .text(" AND n IN "), .list(1), .text(" AND m = "),
                .parameter(2),
            ])
    }

    @Test func aPrefixMakesARecord() throws {
        let sql = #"SELECT a.id, b.id AS "owner.id", b.k AS "owner.k" FROM a"#
        #expect(try signature("\(sql) JOIN b ON b.aID = a.id") == "() -> many (id: Int64, owner: (id: Int64, k: Int?))")
        #expect(
            try signature("\(sql) LEFT JOIN b ON b.aID = a.id")
                == "() -> many (id: Int64, owner: (id: Int64, k: Int?)? by 1)")
        let both = #"SELECT a.id, a.n AS "o.n", b.id AS "o.id" FROM a LEFT JOIN b ON b.aID = a.id"#
        #expect(try signature(both) == "() -> many (id: Int64, o: (n: Int, id: Int64?))")
        let nullable = #"SELECT a.id, b.k AS "o.k", b.w AS "o.w" FROM a LEFT JOIN b ON b.aID = a.id"#
        #expect(try signature(nullable) == "() -> many (id: Int64, o: (k: Int?, w: String?))")
    }

    // MARK: Errors

    @Test func theColumnOfAnErrorIsThatOfTheFile() throws {
        #expect(try lines("-- a comment\nSELECT /* é */ nn FROM a") == ["q.sql:2:17: error: no such column: nn"])
        #expect(
            try lines("SELECT 1", "SELECT id FROM a WHERE id IN (:ids...) AND zz = 1").last
                == "q.sql:2:44: error: no such column: zz")
        #expect(try lines("SELECT 'abc\nd") == ["q.sql:1:8: error: unrecognized token: \"'abc"])
        #expect(try lines("SELEC 1") == ["q.sql:1:1: error: near \"SELEC\": syntax error"])
    }

    @Test func anUncertainTypeMustBeDeclared() throws {
        #expect(
            try lines("SELECT id,\n x FROM a") == [
                "q.sql:2:2: error: the type of the column x is not certain; declare it above the query, such as -- x: Int"
            ])
        #expect(
            try lines("SELECT id FROM a WHERE x = :x") == [
                "q.sql:1:28: error: the type of :x is not certain; declare it above the query, such as -- x: Int"
            ])
        #expect(
            try lines("SELECT id FROM a WHERE n = :x OR t = :x") == [
                "q.sql:1:28: error: :x has several types, Int and String; declare it above the query: -- x: Int"
            ])
    }

    @Test func columnsHaveNamesThatDiffer() throws {
        #expect(
            try lines("SELECT id, n + 1 FROM a") == ["q.sql:1:12: error: the column n + 1 needs a name: n + 1 AS …"])
        #expect(
            try lines("SELECT a.id, b.id FROM a, b") == [
                "q.sql:1:14: error: two columns are called id: give one another name with AS"
            ])
    }

    @Test func aDeclarationOfNothingIsAnError() throws {
        #expect(
            try lines("SELECT id FROM a", types: ["idd": Checked.type("Int")]) == [
                "q.sql:9:4: error: the comment declares a type, but the query has neither a column nor a parameter idd"
            ])
    }

    @Test func parametersHaveNames() throws {
        #expect(
            try lines("SELECT id FROM a WHERE n = ?1") == [
                "q.sql:1:28: error: a parameter has a name: write :limit in place of ?1"
            ])
    }

    @Test func rowsMustBeReturned() throws {
        #expect(try lines("DELETE FROM a", cardinality: .one).count == 1)
        #expect(try lines("DELETE FROM a", row: "Car").count == 1)
    }

    /// A table whose columns have another order would get the values in the wrong columns.
    @Test func anInsertNamesItsColumns() throws {
        let (query, _) = try Checked.query("INSERT INTO c VALUES(:code, :n, :o)")
        #expect(query?.statements.first?.pieces.first == .text(#"INSERT INTO c("code", "n", "o") VALUES("#))
        let (other, _) = try Checked.query("INSERT INTO c AS t SELECT t, n, m FROM a WHERE true ON CONFLICT DO NOTHING")
        #expect(
            other?.statements.first?.pieces == [
                .text(#"INSERT INTO c AS t("code", "n", "o") SELECT t, n, m FROM a WHERE true ON CONFLICT DO NOTHING"#)
            ])
        let (defaults, _) = try Checked.query("INSERT INTO b DEFAULT VALUES")
        #expect(defaults?.statements.first?.pieces == [.text("INSERT INTO b DEFAULT VALUES")])
    }

    @Test func starsOfSubqueriesAreWrittenOut() throws {
        let (query, _) = try Checked.query("SELECT code FROM c WHERE (code, n, o) IN (SELECT * FROM d)")
        #expect(
            query?.statements.first?.pieces == [
                .text(#"SELECT code FROM c WHERE (code, n, o) IN (SELECT "code", "n", "o" FROM d)"#)
            ])
    }

    @Test func aListStandsAloneAfterIn() throws {
        let cure = "a list stands alone after IN: IN (:ids...)"
        #expect(try lines("SELECT id FROM a WHERE id IN (1, :ids...)") == ["q.sql:1:34: error: \(cure)"])
        #expect(try lines("SELECT id FROM a WHERE id = :ids...") == ["q.sql:1:29: error: \(cure)"])
        let (query, _) = try Checked.query("SELECT id FROM a WHERE id IN(:ids...)")
        #expect(query?.statements.first?.pieces == [.text("SELECT id FROM a WHERE id IN "), .list(0)])
    }

    @Test func theCureOfAKeywordIsNoKeyword() throws {
        let cure = "is not certain; declare it above the query, such as --"
        #expect(
            try lines("SELECT id FROM a WHERE x = :name") == ["q.sql:1:28: error: the type of :name \(cure) :name: Int"]
        )
        #expect(
            try lines("SELECT id, x AS row FROM a") == [
                "q.sql:1:12: error: the type of the column row \(cure) \"row\": Int"
            ])
    }

    @Test func errorsNameTheirCure() throws {
        #expect(try lines("SELECT distance(n) AS d FROM a").first?.contains("-- function: distance(") == true)
        #expect(try lines("SELECT id FROM a ORDER BY t COLLATE german").first?.contains("-- collation: german") == true)
    }

    /// Each level was inferred twice, which took minutes.
    @Test func nestedCallsTakeNoLonger() throws {
        let nested = String(repeating: "coalesce(", count: 20) + "m" + String(repeating: ", 1)", count: 20)
        #expect(try signature("SELECT \(nested) AS v FROM a") == "() -> many v: Int")
    }

    // MARK: Plans

    @Test(arguments: [
        ("SELECT n FROM a", true), ("SELECT n FROM a WHERE id = :id", false), ("SELECT q.n FROM a AS q", true),
        ("SELECT n FROM a JOIN b ON b.id = a.n WHERE a.id = 1", false), ("SELECT value FROM json_each('[1]')", false),
        ("WITH k AS (SELECT 1 AS i) SELECT i FROM k", false),
        ("SELECT a.id FROM b JOIN a ON a.n = b.n WHERE b.id = 1", true),
        ("DELETE FROM a WHERE n = 1", true), ("SELECT 1 AS one", false), ("SELECT code FROM c WHERE code > 'a'", false),
        ("INSERT INTO c(code, n) VALUES('a', 1), ('b', 2)", false),
        ("WITH k AS (SELECT 1 AS i) SELECT i FROM k q", false),
        ("SELECT q.an FROM ab AS q", true), ("SELECT n FROM c WHERE code IN (SELECT q.title FROM av q)", true),
        ("WITH k AS MATERIALIZED (SELECT id FROM av WHERE id = 3) SELECT q.id FROM k AS q", false),
        ("SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM (SELECT id FROM a WHERE id = 3 LIMIT 1) AS q)", false),
        ("EXPLAIN SELECT n FROM a", false),
    ])
    func aPlanMayNotScan(sql: String, scans: Bool) throws {
        let found = try lines(sql, types: sql.contains("value") ? ["value": Checked.type("Int")] : [:], noScan: true)
        #expect(found.contains { $0.contains("the plan reads a whole table") } == scans, "\(found)")
    }

    @Test func usesAreThoseOfTheStatement() throws {
        let (query, _) = try Checked.query("SELECT an, bn FROM ab WHERE aid = :id")
        let uses = query?.uses.filter { ["a", "b"].contains($0.table) }.map { "\($0.table): \($0.columns)" }
        #expect(uses == ["a: [id, n]", "b: [aID, id, n]"])
    }

    @Test(arguments: [
        ("INSERT INTO a(n, T) VALUES(1, 'x')", "[n, t]"), ("INSERT INTO a(n, rowid) VALUES(1, 1)", "[n]"),
        ("INSERT INTO a DEFAULT VALUES", "[]"), ("REPLACE INTO a(n) SELECT k FROM b", "[n]"),
        ("INSERT INTO a(n) VALUES(1) ON CONFLICT DO UPDATE SET m = 1 RETURNING id", "[id, m, n]"),
    ])
    func anInsertUsesTheColumnsThatItWrites(sql: String, columns: String) throws {
        let (query, _) = try Checked.query(sql)
        let use = try #require(query?.uses.first { $0.table == "a" })
        #expect("\(use.columns)" == columns)
    }

    @Test func anInsertWithoutColumnsUsesAll() throws {
        let schema: SQL = "CREATE TABLE p(a, b AS (a) STORED, c)"
        let (query, _) = try Checked.query("INSERT INTO p VALUES(1, 2)", schema: schema)
        #expect(query?.uses == [TableUse(table: "p", columns: ["a", "c"])])
    }

    @Test func aNameIsEitherAListOrAValue() throws {
        let lines = try lines("SELECT id FROM a WHERE id IN (:ids...) OR n = :ids")
        #expect(lines == ["q.sql:1:47: error: :ids is a list in one place, and a value in another"])
    }

    @Test func aListMayBeDeclaredAsAnArray() throws {
        let (query, lines) = try Checked.query(
            "SELECT id FROM a WHERE x IN (:values...)", types: ["values": Checked.type("[Int]")])
        #expect(lines == [] && query?.signature == "(values: [Int]) -> many id: Int64")
    }
}

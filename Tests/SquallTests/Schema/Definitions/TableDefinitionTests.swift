import Squall
import SquallTestSupport
import Testing

struct TableDefinitionTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    /// What a table of this SQL reads back as.
    private func read(_ sql: SQL, name: String = "t") throws -> TableDefinition {
        try connection.execute(sql)
        return try #require(try connection.tableInfo(name))
    }

    @Test func aTableIsReadAndPrinted() throws {
        let table = try read("create table T (id integer primary key autoincrement, 'first name' text not null, n)")
        #expect(
            table.sql.text == """
                CREATE TABLE "T"("id" integer PRIMARY KEY AUTOINCREMENT, "first name" text NOT NULL, "n")
                """
        )
        #expect(table.rowIDColumn == "id")
        #expect(table.primaryKey == ["id"])
        #expect(try connection.tableInfo("nope") == nil)
    }

    @Test(arguments: [
        #"CREATE TABLE "t"("a" VARCHAR(10) UNIQUE ON CONFLICT REPLACE COLLATE "NOCASE", "b" DECIMAL(10, 2) DEFAULT -1.5)"#,
        #"CREATE TABLE "t"("a" TEXT DEFAULT 'it''s, (ok)', "b" DEFAULT (1 + (2)), "c" DEFAULT CURRENT_TIMESTAMP, "d" DEFAULT X'00')"#,
        #"CREATE TABLE "t"("a" INT CONSTRAINT "positive" CHECK (a > 0), "b" INT CHECK (b <> ')' AND (b > a)))"#,
        #"CREATE TABLE "t"("a" INTEGER, "b" INT GENERATED ALWAYS AS (a * 2) STORED, "c" GENERATED ALWAYS AS (a || ',') VIRTUAL)"#,
        #"CREATE TABLE "t"("a" TEXT NOT NULL ON CONFLICT IGNORE, "b" ANY, PRIMARY KEY ("b" DESC, "a")) STRICT, WITHOUT ROWID"#,
        #"CREATE TABLE "t"("a" INT REFERENCES "p"("x") ON DELETE SET NULL ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED)"#,
        #"CREATE TABLE "t"("a", "b", CONSTRAINT "f" FOREIGN KEY ("a", "b") REFERENCES "p"("x", "y") ON DELETE CASCADE, CHECK (a < b))"#,
        #"CREATE TABLE "t"("a", "b", CONSTRAINT "u" UNIQUE ("a" COLLATE "NOCASE", "b" DESC) ON CONFLICT IGNORE)"#,
        #"CREATE TABLE "we""ird"("select" UNSIGNED BIG INT, "a.b" TEXT, "c-d" REAL)"#,
    ]) func printedAsItWasRead(_ sql: String) throws {
        let name = sql.contains("we") ? "we\"ird" : "t"
        #expect(try read(SQL(raw: sql), name: name).sql.text == sql)
    }

    @Test func commentsAndBracketsAreUnderstood() throws {
        let table = try read(
            """
            CREATE TABLE t ( -- the key, with a comma
                [a b] INTEGER /* ( */ PRIMARY KEY,
                `c` TEXT
                    DEFAULT 'x--y'
                CHECK (length(c) > 1 /* more */)
            )
            """
        )
        #expect(table.columns.map(\.name) == ["a b", "c"])
        #expect(table.columns[1].defaultValue == "'x--y'")
        #expect(table.columns[1].checks.map(\.condition.text) == ["length(c) > 1 /* more */"])
    }

    @Test func columnsThatWereAddedOrRenamed() throws {
        try connection.execute("CREATE TABLE t(a); ALTER TABLE t ADD COLUMN b TEXT NOT NULL DEFAULT 'x'")
        let table = try read("ALTER TABLE t RENAME COLUMN a TO z")
        #expect(table.sql.text == #"CREATE TABLE "t"("z", "b" TEXT NOT NULL DEFAULT 'x')"#)
    }

    @Test func indexesWithExpressionsAndConditions() throws {
        let table = try read(
            """
            CREATE TABLE t(a, b UNIQUE, c);
            CREATE UNIQUE INDEX one ON t(a COLLATE nocase DESC, lower(b), (a + c) ASC) WHERE c IS NOT NULL AND a > 0;
            CREATE INDEX two ON t("c")
            """
        )
        #expect(
            table.indexes.map(\.sql.text) == [
                """
                CREATE UNIQUE INDEX "one" ON "t"("a" COLLATE "nocase" DESC, lower(b), (a + c) ASC) \
                WHERE c IS NOT NULL AND a > 0
                """,
                #"CREATE INDEX "two" ON "t"("c")"#,
            ]
        )
        try connection.execute("DROP INDEX one; DROP INDEX two")
        for index in table.indexes { try connection.run(index.sql) }
        #expect(try connection.tableInfo("t") == table)
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func aVirtualTableHasTheColumnsThatThePragmaTells() throws {
        let table = try read("CREATE VIRTUAL TABLE t USING fts5(title, body)")
        #expect(table.columns.map(\.name).prefix(2) == ["title", "body"])
    }

    @Test func aTemporaryTableIsInItsOwnDatabase() throws {
        try connection.execute("CREATE TEMP TABLE t(a)")
        #expect(try connection.tableInfo("t") == nil)
        #expect(try connection.tableInfo("t", in: "temp")?.columns.map(\.name) == ["a"])
    }

    @Test func theNamesOfTheTables() throws {
        try connection.execute("CREATE TABLE b(id INTEGER PRIMARY KEY AUTOINCREMENT); CREATE TABLE a(x)")
        #expect(try connection.tableNames() == ["a", "b"])
    }

    @Test func valuesAreWrittenAsLiterals() throws {
        let text = "it's"
        var table = TableDefinition(name: "t", columns: [ColumnDefinition(name: "a", type: "TEXT")])
        table.columns[0].defaultValue = "\(text)"
        table.columns[0].checks = [.init(condition: "a <> \("x'y") AND a > \(1.5)")]
        #expect(
            table.sql(ifNotExists: true).text == """
                CREATE TABLE IF NOT EXISTS "t"("a" TEXT DEFAULT 'it''s' CHECK (a <> 'x''y' AND a > 1.5))
                """
        )
        #expect(table.sql.parameters.isEmpty)
        try connection.run(table.sql)
        try connection.insert(into: "t", [:])
        #expect(try connection.query("SELECT a FROM t") == "it's")
    }
}

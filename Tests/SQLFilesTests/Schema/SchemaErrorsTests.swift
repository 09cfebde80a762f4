import Testing

@testable import SquallSQLFiles

/// Errors in schema files, at their places.
struct SchemaErrorsTests {
    @Test func anErrorStandsAtItsPlaceInTheFile() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE a(x);\n",
            """
            -- The second file; it has semicolons.
            CREATE TABLE b(y);
            /* ; */ INSERT INTO b
                SELECT x, z FROM a;
            CREATE TABLE c(z);
            """)
        #expect(schema.messages == ["002.sql:4:15: error: no such column: z"])
    }

    @Test func anErrorWithoutAPlaceStandsAtItsStatement() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE a(x UNIQUE);\nINSERT INTO a VALUES(1);\n\n  INSERT INTO a VALUES(1);\n")
        #expect(schema.messages == ["001.sql:4:3: error: UNIQUE constraint failed: a.x"])
    }

    @Test func filesRunInTheOrderOfTheirVersions() throws {
        let files = ["ALTER TABLE a ADD COLUMN y", "CREATE TABLE a(x)"].enumerated().map { index, text in
            SQLFolder.Version(number: 2 - index, source: SourceText(path: "\(2 - index).sql", text: text))
        }
        #expect(try SchemaRun(files).diagnostics == [])
    }

    @Test func textInDoubleQuotesIsExplained() throws {
        let schema = try BuiltSchema("CREATE TABLE a(x);\nINSERT INTO a VALUES(\"text\")")
        #expect(schema.messages.count == 1)
        #expect(schema.messages[0].hasPrefix("001.sql:2:22: error: no such column: text: text stands in single quotes"))
    }

    @Test(arguments: [
        ("CREATE INDEX i ON cars(cost)", "24: error: no such column: cost", "cars.cost"),
        ("INSERT INTO cars(cost) VALUES(1)", "1: error: table cars has no column named cost", "it"),
        ("ALTER TABLE cars RENAME cost TO amount", "25: error: no such column: \"cost\"", "cars.cost"),
        ("SELECT cars.cost FROM cars", "8: error: no such column: cars.cost", "it"),
    ])
    func whatAnEarlierFileRenamedIsExplained(_ sql: String, _ message: String, _ subject: String) throws {
        let schema = try BuiltSchema(
            "CREATE TABLE cars(id INTEGER PRIMARY KEY, cost INTEGER);",
            "ALTER TABLE cars RENAME COLUMN cost TO price;", sql)
        #expect(schema.messages == ["003.sql:1:\(message): version 2 (002.sql) renamed \(subject) to price"])
    }

    @Test func aViewThatCannotBeReadIsAnError() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY);
            CREATE VIEW v AS SELECT * FROM cars;
            CREATE VIEW w AS SELECT * FROM v;
            """,
            "DROP TABLE cars;")
        #expect(
            schema.messages == [
                "001.sql:2:1: error: v: no such table: main.cars: version 2 (002.sql) dropped it",
                "001.sql:3:1: error: w: no such table: main.cars: version 2 (002.sql) dropped it",
            ])
    }

    @Test func aRebuildKeepsTheRowsThatReferToTheTable() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE a(id INTEGER PRIMARY KEY);
            CREATE TABLE b(aID INTEGER REFERENCES a(id) ON DELETE CASCADE);
            INSERT INTO a VALUES(1);
            INSERT INTO b VALUES(1);
            """,
            """
            CREATE TABLE new(id INTEGER PRIMARY KEY, x TEXT);
            INSERT INTO new SELECT id, '' FROM a;
            DROP TABLE a;
            ALTER TABLE new RENAME TO a;
            """)
        #expect(schema.messages == [])
        #expect(try schema.run.connection.query("SELECT count(*) FROM b") as Int == 1)
    }

    @Test func rowsThatReferToNothingAreAnError() throws {
        let start = """
            CREATE TABLE a(id INTEGER PRIMARY KEY);
            CREATE TABLE b(aID INTEGER REFERENCES a(id));
            INSERT INTO a VALUES(1);
            INSERT INTO b VALUES(1);
            """
        let dropped = try BuiltSchema(start, "CREATE TABLE c(x);\nDROP TABLE a;\nALTER TABLE c RENAME TO a;")
        #expect(dropped.messages.count == 1)
        let deleted = try BuiltSchema(start, "DELETE FROM a;")
        #expect(deleted.messages == ["002.sql:1:1: error: FOREIGN KEY constraint failed"])
    }

    @Test func functionsAndCollationsAreDeclared() throws {
        let schema = try BuiltSchema(
            """
            -- function: slug(String) -> String
            -- function: any(...) -> Int
            -- collation: german
            CREATE TABLE t(a TEXT COLLATE german, b TEXT AS (slug(a)), c INTEGER AS (shout(a)),
                CHECK (any(a, 1, 2) > 0));
            CREATE INDEX i ON t(slug(a), b COLLATE swedish);
            """,
            functions: [
                FunctionDeclaration(
                    name: "shout", arguments: [.string], result: .string, resultIsOptional: false,
                    location: .start(of: "q.sql"))
            ], collations: ["swedish"])
        #expect(schema.messages == [])
        #expect(schema.run.catalog.functions.keys.map(\.spelling).sorted() == ["any", "shout", "slug"])
    }

    @Test func aFunctionOfTheAppIsNotCalled() throws {
        let schema = try BuiltSchema(
            """
            -- function: slug(String) -> String
            CREATE TABLE t(a TEXT, b TEXT AS (slug(a)) STORED);
            INSERT INTO t VALUES('x');
            """
        )
        #expect(
            schema.messages == [
                "001.sql:3:1: error: the function slug of the app cannot be called while its SQL is checked"
            ])
    }

    @Test func missingFunctionsAndCollationsAreExplained() throws {
        #expect(
            try BuiltSchema("CREATE TABLE t(a CHECK (slug(a) > ''))").messages.first?
                .contains("no such function: slug: declare a function of the app by a comment: -- function: slug(")
                == true)
        #expect(
            try BuiltSchema("CREATE TABLE t(a COLLATE german);").messages == [
                "001.sql:1:1: error: no such collation sequence: german: declare a collation of the app by a comment: "
                    + "-- collation: german"
            ])
    }

    @Test func aFunctionHasOneDeclaration() throws {
        let schema = try BuiltSchema(
            """
            -- function: f(Int) -> Int
            -- function: f(Int) -> Int
            -- function: f(Int, Int) -> Int
            CREATE TABLE t(x);
            """,
            "-- function: F(Int) -> String\nCREATE TABLE u(x);")
        #expect(schema.messages == ["002.sql:1:4: error: F is declared with other types at sql/schema/001.sql:1:4"])
    }

    @Test func anExtensionThatIsMissingIsAnError() throws {
        let schema = try BuiltSchema("CREATE TABLE t(x)", extensions: ["none/missing"])
        #expect(schema.messages.count == 1)
        #expect(schema.messages[0].hasPrefix("none/missing:1:1: error: the extension cannot be loaded: "))
    }

    @Test func emptyFilesAreASchema() throws {
        let schema = try BuiltSchema("", "-- nothing\n", "CREATE TABLE t(x)")
        #expect(schema.messages == [])
        #expect(schema.columns("t") == "x _?")
        #expect(try BuiltSchema().messages == [])
    }

    @Test func windowsLineEndsDoNotMovePlaces() throws {
        let schema = try BuiltSchema("-- x\r\nCREATE TABLE a(x);\r\n\r\nCREATE TABLE a(y);\r\n")
        #expect(schema.messages.count == 1)
        #expect(schema.messages[0].hasPrefix("001.sql:4:14: error: table a already exists"))
    }
}

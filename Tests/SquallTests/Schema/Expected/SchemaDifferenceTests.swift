import SquallTestSupport
import Testing

@testable import Squall

/// `Connection.require` compares tables and columns as the program's SQL would find them.
@Suite struct SchemaDifferenceTests {
    private typealias Table = ExpectedSchema.Table
    private typealias Column = ExpectedSchema.Column
    private typealias Difference = SchemaMismatch.Difference

    private let connection: Connection

    init() throws { connection = try Connection() }

    /// The differences between expected tables and the database.
    private func differences(_ tables: Table...) throws -> [Difference] {
        do {
            try connection.require(ExpectedSchema(sqliteVersion: "3.40.1", tables: tables))
            return []
        } catch let error as SchemaMismatch {
            return error.differences
        }
    }

    private static let cars = Table(
        "cars",
        [
            Column("id", "INTEGER", isNotNull: true), Column("name", "TEXT", isNotNull: true),
            Column("price", "INTEGER", isNotNull: false),
        ])

    @Test func `the schema fits the tables that it was made of`() throws {
        try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER)")
        #expect(try differences(Self.cars) == [])
        #expect(try differences() == [])
    }

    @Test func `all differences are listed, in the order of the expected columns`() throws {
        try connection.execute("CREATE TABLE cars(id TEXT, name TEXT)")
        let owners = Table("owners", [Column("id", "INTEGER", isNotNull: true)])
        #expect(
            try differences(Self.cars, owners) == [
                .type(table: "cars", column: "id", expected: "INTEGER", found: "TEXT"),
                .nullable(table: "cars", column: "id"),
                .nullable(table: "cars", column: "name"),
                .missingColumn(table: "cars", column: "price"),
                .missingTable("owners"),
            ])
    }

    @Test func `the description names each difference, and the versions of SQLite if they differ`() {
        let differences: [Difference] = [
            .missingTable("owners"), .missingColumn(table: "cars", column: "price"),
            .type(table: "cars", column: "id", expected: "INTEGER", found: "TEXT"),
            .nullable(table: "cars", column: "name"),
        ]
        let lines = """
            there is no table owners
            there is no column cars.price
            the column cars.id has the type TEXT instead of INTEGER
            the column cars.name is not NOT NULL
            """
        let other = SchemaMismatch(
            differences: differences, expectedSQLiteVersion: "3.46.0", sqliteVersion: "3.40.1")
        #expect(
            "\(other)" == """
                the database does not have the schema that the program's SQL uses \
                (the SQL was checked by SQLite 3.46.0, the program uses 3.40.1):
                \(lines)
                """)
        let same = SchemaMismatch(
            differences: differences, expectedSQLiteVersion: "3.40.1", sqliteVersion: "3.40.1")
        #expect("\(same)" == "the database does not have the schema that the program's SQL uses:\n\(lines)")
    }

    @Test func `the error has the version of SQLite that the program uses`() throws {
        let version: String = try connection.query("SELECT sqlite_version()")
        let schema = ExpectedSchema(sqliteVersion: "3.0.0", tables: [Table("owners", [])])
        let error = try #require(throws: SchemaMismatch.self) { try connection.require(schema) }
        #expect(error.expectedSQLiteVersion == "3.0.0")
        #expect(error.sqliteVersion == version)
    }

    @Test(
        arguments: [
            ("INT", "INTEGER"), ("BIGINT", "INT"), ("VARCHAR(20)", "TEXT"), ("DOUBLE", "REAL"), ("DATE", "NUMERIC"),
            ("int", "INTEGER"), ("", "TEXT"), ("TEXT", ""), ("BLOB", ""), ("Blob", "BLOB"),
        ])
    func `types of the same affinity fit, and so does a column without a type`(_ types: (String, String)) throws {
        try connection.execute("CREATE TABLE t(a \(raw: types.1))")
        #expect(try differences(Table("t", [Column("a", types.0, isNotNull: false)])) == [])
    }

    @Test(arguments: [("TEXT", "INTEGER"), ("REAL", "INTEGER"), ("BLOB", "TEXT"), ("DATE", "TEXT")])
    func `types of different affinities do not fit`(_ types: (String, String)) throws {
        try connection.execute("CREATE TABLE t(a \(raw: types.1))")
        #expect(
            try differences(Table("t", [Column("a", types.0, isNotNull: false)])) == [
                .type(table: "t", column: "a", expected: types.0, found: types.1)
            ])
    }

    @Test func `other tables, other columns and another order do not matter`() throws {
        try connection.execute(
            """
            CREATE TABLE cars(color TEXT, price INTEGER, name TEXT NOT NULL, id INTEGER PRIMARY KEY);
            CREATE TABLE owners(id)
            """)
        #expect(try differences(Self.cars) == [])
    }

    @Test func `a column may be NOT NULL without need`() throws {
        try connection.execute("CREATE TABLE t(a INTEGER NOT NULL)")
        #expect(try differences(Table("t", [Column("a", "INTEGER", isNotNull: false)])) == [])
    }

    @Test(
        arguments: [
            "CREATE TABLE t(a INTEGER PRIMARY KEY)",
            "CREATE TABLE t(a INTEGER, b, PRIMARY KEY(a))",
            "CREATE TABLE t(a INT PRIMARY KEY) WITHOUT ROWID",
            "CREATE TABLE t(a INT, b INT, PRIMARY KEY(a, b)) WITHOUT ROWID",
        ])
    func `the rowid and the key of a table without a rowid are never NULL`(_ sql: String) throws {
        try connection.execute(SQL(raw: sql))
        #expect(try differences(Table("t", [Column("a", "INTEGER", isNotNull: true)])) == [])
    }

    @Test func `the key of a strict table is never NULL`() throws {
        try connection.execute("CREATE TABLE t(a INT PRIMARY KEY, b ANY) STRICT")
        let table = Table("t", [Column("a", "INTEGER", isNotNull: true), Column("b", "ANY", isNotNull: false)])
        #expect(try differences(table) == [])
    }

    @Test(
        arguments: [
            "CREATE TABLE t(a INT PRIMARY KEY)",
            "CREATE TABLE t(a INTEGER PRIMARY KEY DESC)",
            "CREATE TABLE t(a INTEGER, b INTEGER, PRIMARY KEY(a, b))",
            "CREATE TABLE t(a INTEGER UNIQUE)",
        ])
    func `another key can be NULL`(_ sql: String) throws {
        try connection.execute(SQL(raw: sql))
        try connection.run("INSERT INTO t(a) VALUES(NULL)")
        #expect(
            try differences(Table("t", [Column("a", "INTEGER", isNotNull: true)]))
                == [.nullable(table: "t", column: "a")])
    }

    @Test func `the rowid is a column where the table has one`() throws {
        try connection.execute(
            "CREATE TABLE cars(name); CREATE TABLE keys(id INT PRIMARY KEY) WITHOUT ROWID; CREATE TABLE own(oid TEXT)")
        let columns = ["rowid", "OID", "_rowid_"].map { Column($0, "INTEGER", isNotNull: true) }
        #expect(try differences(Table("cars", columns)) == [])
        #expect(
            try differences(Table("keys", [columns[0]])) == [.missingColumn(table: "keys", column: "rowid")])
        // A column has taken the name.
        #expect(
            try differences(Table("own", [Column("oid", "INTEGER", isNotNull: false)])) == [
                .type(table: "own", column: "oid", expected: "INTEGER", found: "TEXT")
            ])
    }

    @Test func `generated columns fit as others do`() throws {
        try connection.execute(
            "CREATE TABLE t(a INTEGER, b INTEGER AS (a * 2) NOT NULL, c TEXT GENERATED ALWAYS AS (a || '!') STORED)")
        let columns = [Column("b", "INTEGER", isNotNull: true), Column("c", "TEXT", isNotNull: false)]
        #expect(try differences(Table("t", columns)) == [])
        #expect(
            try differences(Table("t", [Column("c", "BLOB", isNotNull: true)])) == [
                .type(table: "t", column: "c", expected: "BLOB", found: "TEXT"), .nullable(table: "t", column: "c"),
            ])
    }

    @Test func `a view fits by the names of its columns`() throws {
        try connection.execute(
            """
            CREATE TABLE stored(id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
            CREATE VIEW cars AS SELECT id, upper(name) AS name, price || '' AS price FROM stored
            """)
        #expect(try differences(Self.cars) == [])
        let color = Table("cars", [Column("name", "REAL", isNotNull: true), Column("color", "", isNotNull: false)])
        #expect(try differences(color) == [.missingColumn(table: "cars", column: "color")])
    }

    @Test func `a view that SQLite cannot compile is its error`() throws {
        try connection.execute("CREATE VIEW cars AS SELECT id FROM stored")
        let error = try sqliteError { _ = try differences(Self.cars) }
        #expect(error.message == "no such table: main.stored")
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch))
    func `a virtual table fits by the names of its columns, with the hidden ones`() throws {
        try connection.execute("CREATE VIRTUAL TABLE texts USING fts5(title)")
        let columns = ["title", "rank", "texts", "rowid"].map { Column($0, "INTEGER", isNotNull: true) }
        #expect(try differences(Table("texts", columns)) == [])
        #expect(
            try differences(Table("texts", [Column("body", "", isNotNull: false)]))
                == [.missingColumn(table: "texts", column: "body")])
    }

    @Test func `a virtual table may have the name of its module`() throws {
        #expect(try differences(Table("json_each", [Column("key", "TEXT", isNotNull: true)])) == [])
        #expect(
            try differences(Table("json_each", [Column("size", "", isNotNull: false)]))
                == [.missingColumn(table: "json_each", column: "size")])
    }

    @Test(arguments: ["a\"b", "select", "x'); DROP TABLE cars; --", "été", "🚗 [1]", "`", "%s"])
    func `names can contain anything`(_ name: String) throws {
        try connection.execute("CREATE TABLE \(name: name)(\(name: name) TEXT NOT NULL, \"other \" INT)")
        let columns = [Column(name, "TEXT", isNotNull: true), Column("other ", "INT", isNotNull: false)]
        #expect(try differences(Table(name, columns)) == [])
        #expect(
            try differences(Table(name + "x", columns), Table(name, [Column(name + "x", "", isNotNull: false)]))
                == [.missingTable(name + "x"), .missingColumn(table: name, column: name + "x")])
    }

    @Test func `names are compared as SQLite compares them`() throws {
        try connection.execute("CREATE TABLE Cars(Name TEXT, \"É\" TEXT)")
        #expect(try differences(Table("CARS", [Column("nAME", "TEXT", isNotNull: false)])) == [])
        #expect(
            try differences(Table("cars", [Column("é", "", isNotNull: false)]))
                == [.missingColumn(table: "cars", column: "é")])
    }

    @Test func `a name with a NUL character is refused`() {
        let kind = try? errorKind { _ = try differences(Table("a\0b", [])) }
        #expect(kind == .nulCharacter(in: .identifier))
    }

    @Test func `a temporary table hides a table of the database, which hides an attached one`() throws {
        try connection.execute(
            """
            ATTACH ':memory:' AS other;
            CREATE TABLE other.t(a INTEGER); CREATE TABLE other.only(a TEXT)
            """)
        let (number, text) = (Column("a", "INTEGER", isNotNull: false), Column("a", "TEXT", isNotNull: false))
        #expect(try differences(Table("t", [number]), Table("only", [text])) == [])

        try connection.execute("CREATE TABLE main.t(a TEXT)")
        #expect(try differences(Table("t", [text])) == [])
        #expect(
            try differences(Table("t", [number]))
                == [.type(table: "t", column: "a", expected: "INTEGER", found: "TEXT")])

        try connection.execute("CREATE TEMP VIEW t AS SELECT 1 AS b")
        #expect(try differences(Table("t", [text])) == [.missingColumn(table: "t", column: "a")])
    }
}

import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// TEMP tables with the names of what Squall creates: triggers and indexes are in the file.
struct TemporarySourceTests {
    private struct Note: TableRecord, Equatable {
        let id: Int64
        var title: String
        static let table = Table("notes", Note.init, .index("notes_title", on: "title")) {
            Column("id", \Note.id, .primaryKey)
            Column("title", \Note.title)
        }
    }

    private static func objects(_ connection: Connection) throws -> [String] {
        try connection.query(
            """
            SELECT type || ' ' || name || ' ' || tbl_name FROM main.sqlite_master
            WHERE type IN ('index', 'trigger') AND name NOT LIKE 'sqlite%' ORDER BY 1
            """)
    }

    @Test func theIndexOfADeclaredTable() throws {
        let connection = try Connection()
        try connection.execute("CREATE TEMP TABLE notes(id INTEGER PRIMARY KEY, title TEXT)")
        try connection.create(Note.table)
        #expect(try Self.objects(connection) == ["index notes_title notes"])
        #expect(try connection.query("SELECT count(*) FROM temp.sqlite_master WHERE type = 'index'") == 0)
        try connection.create(Note.table, ifNotExists: true)
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func theTriggersOfASearchTable() throws {
        let connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE main.notes(id INTEGER PRIMARY KEY, title TEXT); INSERT INTO main.notes VALUES(1, 'one');
            CREATE TEMP TABLE notes(id INTEGER PRIMARY KEY, title TEXT); CREATE TEMP TABLE notes_search(x);
            """)
        let table = SearchTableDefinition("notes_search", of: .init(table: "notes", rowID: "id"), columns: "title")
        try connection.create(table)
        #expect(
            try Self.objects(connection)
                == ["delete", "insert", "update"].map { "trigger notes_search_\($0) notes" })
        try connection.run("INSERT INTO main.notes VALUES(2, 'two')")
        let found: [Int] = try connection.query("SELECT rowid FROM main.notes_search('one OR two')")
        #expect(found == [1, 2])
        try connection.rebuild(table)
        try connection.optimize(table)
        try connection.integrityCheck(table)
        try connection.drop(table)
        #expect(try Self.objects(connection) == [])
        #expect(try connection.query("SELECT count(*) FROM temp.sqlite_master") == 2)
    }

    @Test(.enabled(if: SQLiteFeatures.spatialTables)) func theTriggersOfAnRTree() throws {
        let connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE main.places(id INTEGER PRIMARY KEY, x REAL); INSERT INTO main.places VALUES(1, 2);
            CREATE TEMP TABLE places(id INTEGER PRIMARY KEY, x REAL); CREATE TEMP TABLE boxes(x);
            """)
        let boxes = SpatialTable("boxes", dimensions: "x")
        try connection.create(boxes)
        for _ in 0..<2 {
            try connection.createTriggers(for: boxes, following: "places", bounds: [("x", "x")])
            #expect(
                try Self.objects(connection)
                    == ["deleted", "inserted", "updated"].map { "trigger boxes_\($0) places" })
        }
        try connection.run("INSERT INTO main.places VALUES(2, 3)")
        #expect(try connection.query("SELECT count(*) FROM main.boxes") == 2)
        #expect(try connection.query("SELECT count(*) FROM temp.sqlite_master WHERE type = 'trigger'") == 0)
    }

    /// By any other column, FTS5 would not find the rows.
    @Test(
        .enabled(if: SQLiteFeatures.fullTextSearch),
        arguments: [
            ("(k TEXT PRIMARY KEY, a TEXT)", "k"), ("(k INT PRIMARY KEY, a TEXT)", "k"), ("(k INTEGER, a TEXT)", "k"),
            ("(k INTEGER PRIMARY KEY DESC, a TEXT)", "k"), ("(rowid TEXT, a TEXT)", "rowid"),
            ("(id INTEGER PRIMARY KEY, k, a TEXT)", "k"), ("(k INTEGER, a TEXT, PRIMARY KEY(k, a))", "k"),
            ("(k TEXT PRIMARY KEY, a TEXT) WITHOUT ROWID", "rowid"), ("(a TEXT)", "rowid"),
        ]) func aKeyThatIsNotTheRowID(_ columns: String, _ rowID: String) throws
    {
        let connection = try Connection()
        try connection.execute("CREATE TABLE n\(raw: columns)")
        let table = SearchTableDefinition("s", of: .init(table: "n", rowID: rowID), columns: "a")
        #expect(
            try errorKind { try connection.create(table) }
                == .problem(SearchTableProblem.noRowID(table: "n"), of: .table("s")))
        let schema = Schema("n") {
            Version(1) {
                Execute("CREATE TABLE n\(raw: columns)")
                CreateSearchTable("s", of: "n", rowID: rowID, columns: "a")
            }
        }
        let error = try #require(throws: SchemaError.self) { try schema.verify() }
        #expect("\(error)".contains("the search table \"s\" needs the INTEGER PRIMARY KEY of the table \"n\""))
    }

    @Test(
        .enabled(if: SQLiteFeatures.fullTextSearch),
        arguments: [
            ("k INTEGER PRIMARY KEY, a TEXT", "K"), ("k integer, a TEXT, PRIMARY KEY(k)", "k"),
            ("k INTEGER PRIMARY KEY, a TEXT", "oid"),
            ("k INTEGER PRIMARY KEY ASC, a TEXT", "k"), ("k INTEGER PRIMARY KEY, a TEXT", "_rowid_"),
        ]) func theRowID(_ columns: String, _ rowID: String) throws
    {
        let connection = try Connection()
        try connection.execute("\(raw: "CREATE TABLE n(\(columns)); INSERT INTO n(a) VALUES('x')")")
        let table = SearchTableDefinition("s", of: .init(table: "n", rowID: rowID), columns: "a")
        try connection.create(table)
        try connection.run("INSERT INTO n(a) VALUES('x')")
        #expect(try connection.query("SELECT count(*) FROM s('x')") == 2)
        try connection.integrityCheck(table)
    }
}

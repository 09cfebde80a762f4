import Testing

@testable import Squall

@Suite struct SchemaCatalogTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE b(x INTEGER PRIMARY KEY AUTOINCREMENT, y UNIQUE, z AS (y + 1)); CREATE TABLE a(x REFERENCES b);
            CREATE INDEX i ON b(y); CREATE VIEW v AS SELECT y FROM b;
            CREATE TRIGGER g AFTER INSERT ON B BEGIN SELECT 1; END; CREATE TEMP TABLE t(x)
            """
        )
    }

    @Test func `entries are found by kind, table and name, whatever their case`() throws {
        let catalog = connection.catalog()
        #expect(try catalog.entries(.index, ofTable: "B", by: .name).map(\.name) == ["i", "sqlite_autoindex_b_1"])
        #expect(try catalog.entries(.trigger, .view, by: .creation).map(\.kind) == [.view, .trigger])
        #expect(try catalog.entry(.trigger, named: "G")?.table == "B")
        #expect(try catalog.entry(.index, named: "sqlite_autoindex_b_1")?.sql == nil)
        #expect(try catalog.entry(.index, named: "b") == nil)
        #expect(try catalog.has(.table, .view, named: "V"))
        #expect(try !catalog.has(.table, named: "v"))
        #expect(try catalog.tablesWithForeignKeys() == ["a"])
    }

    @Test func `names are those of the file's own objects, by name or in the order of creation`() throws {
        #expect(try connection.catalog().names(of: .table, by: .name) == ["a", "b"])
        #expect(try connection.catalog().names(of: .table, by: .creation) == ["b", "a"])
    }

    @Test func `each database has its own catalog`() throws {
        try connection.execute("ATTACH ':memory:' AS \"other one\"; CREATE TABLE \"other one\".o(x)")
        #expect(try connection.catalog(of: "TEMP").names(of: .table, by: .name) == ["t"])
        #expect(try connection.catalog(of: "other one").names(of: .table, by: .name) == ["o"])
        #expect(try !connection.catalog().has(.table, named: "t"))
    }

    @Test func `a name that is used gets a number`() throws {
        #expect(try connection.catalog().freeName("c") == "c")
        try connection.run("CREATE TABLE i_2(x)")
        #expect(try connection.catalog().freeName("I") == "I_3")
    }

    @Test func `columns have what the pragma reports`() throws {
        let columns = try connection.catalog().columns(ofTable: "b")
        #expect(columns.map(\.name) == ["x", "y", "z"])
        #expect(columns.map(\.isGenerated) == [false, false, true])
    }

    @Test func `indexes, keys and kinds have what the pragmas report`() throws {
        let catalog = connection.catalog()
        #expect(try Set(catalog.indexes(ofTable: "b").map(\.origin)) == [.statement, .unique])
        #expect(try catalog.columns(ofIndex: "i").filter(\.isInKey).map(\.name) == ["y"])
        let key = try #require(try catalog.foreignKeys(ofTable: "a").first)
        #expect(key.parent == "b")
        #expect(key.columns == [.init(name: "x", parent: nil)])
        #expect(try catalog.listing(ofTable: "V")?.kind == .view)
        #expect(try catalog.listing(ofTable: "missing") == nil)
    }

    @Test func `the rowid has the name of a key without an index`() throws {
        try connection.execute(
            "CREATE TABLE c(x TEXT PRIMARY KEY); CREATE TABLE d(x INTEGER PRIMARY KEY) WITHOUT ROWID")
        let catalog = connection.catalog()
        let names = try ["a", "b", "c", "d"].map { table in
            try catalog.rowIDColumn(ofTable: table, among: catalog.columns(ofTable: table))?.name
        }
        #expect(names == [nil, "x", nil, nil])
    }

    /// `pragma_table_xinfo('a')` would mean the view.
    @Test func `a view that is called like a function of SQLite does not matter`() throws {
        try connection.execute("CREATE VIEW pragma_table_xinfo AS SELECT 'wrong' AS name")
        #expect(try connection.catalog().columns(ofTable: "a").map(\.name) == ["x"])
        #expect(try connection.tableInfo("a")?.columns.map(\.name) == ["x"])
    }

    @Test func `the program notices that its own catalog is read, and not the hidden one`() throws {
        var actions = 0
        let authorizer = connection.addAuthorizer { _, _, _, _, _ in
            actions += 1
            return .deny
        }
        defer { authorizer.cancel() }
        #expect(try connection.hiddenCatalog().has(.table, named: "a"))
        #expect(try connection.hiddenCatalog(of: nil).columns(ofTable: "t").map(\.name) == ["x"])
        #expect(actions == 0)
        #expect(throws: SQLiteError.self) { try connection.catalog().has(.table, named: "a") }
        #expect(actions > 0)
    }
}

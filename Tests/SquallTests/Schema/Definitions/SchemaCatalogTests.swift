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
}

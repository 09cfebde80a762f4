import Foundation
import Squall
import SquallTestSupport
import Testing

/// A history in a folder of `.sql` files.
struct SchemaFilesTests {
    let directory: TemporaryDirectory
    let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(":memory:")
    }

    private var folder: URL { URL(fileURLWithPath: directory.path) }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func reasons(_ body: () throws -> Void) throws -> [String] {
        guard case .invalid(let reasons) = try #require(throws: SchemaError.self, performing: body) else { return [] }
        return reasons
    }

    @Test func eachFileIsAVersion() throws {
        try write(
            "001_cars.sql", "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO cars VALUES(1, 'Audi')")
        try write("2.sql", "CREATE INDEX cars_name ON cars(name);\n")
        try write("0010-owners.sql", "-- nobody yet\nCREATE TABLE owners(id INTEGER PRIMARY KEY)")
        try write("README.md", "the history")
        try write(".003_hidden.sql", "not SQL")
        let schema = try Schema(files: folder)
        #expect(schema.name == "main")
        #expect(schema.versions.map(\.number) == [1, 2, 10])
        #expect(schema.versions.map(\.file) == ["001_cars.sql", "2.sql", "0010-owners.sql"])
        #expect(try schema.migrate(connection))
        #expect(try !schema.migrate(connection))
        #expect(try connection.query("SELECT name FROM cars") == "Audi")
        #expect(try connection.tableNames() == ["cars", "owners", "squall_versions"])
        #expect(
            try connection.query(
                "SELECT schema, version, checksum FROM squall_versions", as: (String, Int, String).self
            )
            .map { "\($0.0) \($0.1) \($0.2.utf8.count)" } == ["main 1 16", "main 2 16", "main 10 16"])
        #expect(try connection.userVersion == 10)
        try schema.verify()
    }

    @Test func theListOfFilesMayComeFromABundle() throws {
        try write("1.sql", "CREATE TABLE a(x)")
        try write("2.sql", "CREATE TABLE b(x)")
        let files = ["2.sql", "1.sql"].map { folder.appending(path: $0) }
        let schema = try Schema("app", files: files)
        #expect(schema.name == "app" && schema.versions.map(\.number) == [1, 2])
        #expect(try Schema(files: [URL]()).versions.isEmpty)
    }

    @Test func aChangedFileIsAnEdit() throws {
        try write("1_cars.sql", "CREATE TABLE cars(id);\n-- done\n")
        try Schema(files: folder).migrate(connection)
        // Another title and other line endings are not a change.
        try FileManager.default.removeItem(at: folder.appending(path: "1_cars.sql"))
        try write("001_all_cars.sql", "CREATE TABLE cars(id);\r\n-- done\r\n")
        #expect(try Schema(files: folder).status(of: connection).applied.map(\.isEdited) == [false])
        try write("001_all_cars.sql", "CREATE TABLE cars(id, name);\n-- done\n")
        let edited = try Schema(files: folder)
        #expect(throws: SchemaError.editedVersions([1])) { try edited.migrate(connection) }
        #expect(try edited.status(of: connection).applied.map(\.isEdited) == [true])
    }

    @Test func theSameTextInSwiftIsTheSameVersion() throws {
        try write("1.sql", "CREATE TABLE cars(id)")
        try Schema(files: folder).migrate(connection)
        let schema = Schema("main") {
            Version(1) { Execute("CREATE TABLE cars(id)") }
            Version(2) { CreateTable("owners") { ColumnDef("id", Int64.self, .primaryKey) } }
        }
        #expect(try schema.migrate(connection))
        #expect(try connection.tableNames() == ["cars", "owners", "squall_versions"])
    }

    @Test func anErrorNamesTheFileTheLineAndTheColumn() throws {
        try write("1_cars.sql", "CREATE TABLE cars(id);")
        try write("2_names.sql", "ALTER TABLE cars ADD COLUMN name;\nUPDATE cars\nSET name = nmae;\n")
        let schema = try Schema(files: folder)
        let error = try sqliteError { try schema.migrate(connection) }
        #expect(error.message == "no such column: nmae (version 2, 2_names.sql:3:12)")
        #expect(error.location?.text == "SET name = nmae;")
        #expect(try connection.tableInfo("cars")?.columns.map(\.name) == ["id"], "the whole version was rolled back")
        #expect(try reasons { try schema.verify() } == ["version 2, 2_names.sql: no such column: nmae"])
    }

    /// SQLite reports no place for an error at run time: it is that of the statement.
    @Test func anErrorAtRunTimeHasThePlaceOfItsStatement() throws {
        try write("1_cars.sql", "CREATE TABLE cars(id INTEGER PRIMARY KEY, name UNIQUE ON CONFLICT ROLLBACK);")
        try write("2_rows.SQL", "-- Rows\nINSERT INTO cars VALUES(1, 'Audi');\n  INSERT INTO cars\n  VALUES(1, 'VW');")
        let error = try sqliteError { try Schema(files: folder).migrate(connection) }
        #expect(error.message == "UNIQUE constraint failed: cars.id (version 2, 2_rows.SQL:3:3)")
        #expect(error.location?.text == "  INSERT INTO cars" && error.hint == nil)
        try write("2_rows.SQL", "INSERT INTO cars VALUES(1, 'Audi');\nINSERT INTO cars VALUES(2, 'Audi');")
        let rollback = try sqliteError { try Schema(files: folder).migrate(connection) }
        #expect(rollback.message == "UNIQUE constraint failed: cars.name (version 2, 2_rows.SQL:2:1)")
        #expect(rollback.hint?.hasPrefix("the statement itself rolled the version back") == true)
        #expect(try connection.query("SELECT count(*) FROM cars") == 0)
    }

    @Test func namesWithoutANumberAreErrors() throws {
        for name in ["cars.sql", "0_zero.sql", "-1.sql", "92233720368547758080_now.sql", "１.sql"] {
            try write(name, "SELECT 1")
        }
        let reasons = try reasons { _ = try Schema(files: folder) }
        #expect(reasons.count == 5)
        #expect(
            reasons.contains("the name of cars.sql does not begin with the number of its version, as in 001_cars.sql"))
    }

    @Test func twoFilesWithOneNumberAreAnError() throws {
        try write("1_a.sql", "SELECT 1")
        try write("01_b.sql", "SELECT 1")
        #expect(try reasons { _ = try Schema(files: folder) } == ["01_b.sql and 1_a.sql have the same number"])
    }

    @Test func filesThatAreNotTextAreErrors() throws {
        try Data([0x2D, 0x2D, 0xFF]).write(to: folder.appending(path: "1.sql"))
        #expect(throws: ScriptFileError.self) { try Schema(files: folder) }
        try Data("SELECT 1\0".utf8).write(to: folder.appending(path: "1.sql"))
        #expect(throws: ScriptFileError.self) { try Schema(files: folder) }
        #expect(throws: (any Error).self) { try Schema(files: folder.appending(path: "nowhere")) }
    }

    @Test func aFileCannotEndItsTransaction() throws {
        try write("1.sql", "CREATE TABLE a(x); COMMIT; CREATE TABLE b(x);")
        let schema = try Schema(files: folder)
        #expect(throws: SchemaError.self) { try schema.migrate(connection) }
        #expect(try connection.tableNames() == [])
    }

    /// Without that, `DROP TABLE` would delete the rows of `books`.
    @Test func foreignKeysAreOffInAFileThatRebuildsATable() throws {
        try write(
            "1.sql",
            """
            CREATE TABLE authors(id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE books(id INTEGER PRIMARY KEY, author REFERENCES authors(id) ON DELETE CASCADE);
            INSERT INTO authors VALUES(1, 'Ada'); INSERT INTO books VALUES(1, 1);
            """)
        let rebuild = """
            CREATE TABLE new_authors(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            INSERT INTO new_authors SELECT * FROM authors;
            drop /* the old one */ table authors;
            ALTER TABLE new_authors RENAME TO authors;
            """
        try write("2.sql", rebuild)
        try Schema(files: folder).migrate(connection)
        #expect(try connection.query("SELECT count(*) FROM books") == 1)
        #expect(try connection.tableInfo("authors")?.columns[1].notNull != nil)
        #expect(try connection.query("PRAGMA foreign_keys") == 1)

        try write("3.sql", rebuild.replacing("SELECT * FROM authors", with: "SELECT * FROM authors WHERE 0"))
        let broken = try Schema(files: folder)
        let error = try #require(throws: SchemaError.self) { try broken.migrate(connection) }
        #expect(
            error.description.contains(#"1 row of "books" refers to a row of "authors" that is not there (rowid 1)"#))
        #expect(try connection.query("SELECT count(*) FROM authors") == 1, "nothing was lost")
    }

    @Test func aFileThatBreaksAViewIsAnError() throws {
        try write("1.sql", "CREATE TABLE a(x); CREATE VIEW v AS SELECT x FROM a;")
        try write("2.sql", "DROP TABLE a;")
        let schema = try Schema(files: folder)
        let error = try #require(throws: SchemaError.self) { try schema.migrate(connection) }
        #expect(error.description.contains("view v"))
        #expect(try connection.tableNames() == ["a", "squall_versions"])
    }
}

import Squall
import SquallTestSupport
import Testing

/// A TEMP table of the same name hides one of the file in all SQL that does not say `main`.
struct TemporaryTwinTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            """
            CREATE TABLE main.t(a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT, c); INSERT INTO main.t VALUES(1, 'file', 2);
            CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE main.k(p REFERENCES p(id));
            CREATE TEMP TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT); INSERT INTO temp.t VALUES(9, NULL);
            CREATE TEMP TABLE k(p); CREATE TEMP VIEW p AS SELECT 1;
            CREATE TEMP TABLE squall_versions(x); CREATE TEMP TABLE schema_migrations(x);
            CREATE INDEX main.i ON t(b);
            CREATE TRIGGER main.g AFTER UPDATE ON t BEGIN INSERT INTO k VALUES(NULL); END;
            CREATE TEMP TRIGGER own AFTER INSERT ON t BEGIN SELECT 1; END;
            CREATE TEMP TRIGGER files AFTER INSERT ON main.t BEGIN SELECT 2; END
            """
        )
    }

    private func temporary() throws -> [String] {
        try connection.query("SELECT type || ' ' || name || ' ' || sql FROM sqlite_temp_master ORDER BY 1")
            + connection.query("SELECT * FROM temp.t") { $0.valuesText } as [String]
    }

    /// Tables with a twin are not renamed here: SQLite 3.40 refuses it where a trigger names the table.
    @Test func everyStepIsOfTheFile() throws {
        let before = try temporary()
        let schema = Schema("s") {
            Version(1) { AlterTable("t") { AddColumn("d", Int?.self) } }
            Version(2) { AlterTable("t") { DropColumn("c") } }
            Version(3) { AlterTable("t") { ChangeColumn("b", to: String.self) } }
            Version(4) { AlterTable("t") { RenameColumn("d", to: "e") } }
            Version(5) {
                CreateIndex("j", on: "t", "b")
                CreateTrigger("h", "AFTER DELETE ON t BEGIN SELECT 1; END")
                RenameIndex("j", to: "j2")
            }
        }
        try schema.migrate(connection)
        #expect(try connection.query("SELECT * FROM main.t") { $0.valuesText } == ["[1, 'file', NULL]"])
        #expect(try connection.tableInfo("t")?.columns.map(\.name) == ["a", "b", "e"])
        #expect(try connection.tableInfo("t")?.indexes.map(\.name) == ["i", "j2"])
        #expect(try connection.tableInfo("t")?.triggers.map(\.name) == ["g", "h"])
        #expect(try connection.query("SELECT seq FROM main.sqlite_sequence") == 1)
        #expect(try schema.status(of: connection).isUpToDate)
        #expect(try temporary() == before)
    }

    @Test func droppingAndResettingToo() throws {
        let before = try temporary().filter { !$0.contains(" files ") }
        let schema = Schema("s") {
            Version(1) { DropTable("t") }
        }
        try schema.migrate(connection)
        #expect(try connection.tableInfo("t") == nil)
        try schema.migrate(connection, to: 0)
        #expect(try connection.schemaDefinition() == SchemaDefinition())
        #expect(try temporary() == before)
    }

    @Test func foreignKeysOfTheFileAreChecked() throws {
        try connection.execute("PRAGMA foreign_keys = OFF; INSERT INTO main.k VALUES(5); PRAGMA foreign_keys = ON")
        let schema = Schema("s") {
            Version(1) {
                AlterTable("t") { ChangeColumn("b", to: String.self) }
                Execute("INSERT INTO main.k VALUES(6)")
            }
        }
        let error = try #require(throws: SchemaError.self) { try schema.migrate(connection) }
        guard case .foreignKeysViolated(let rows, "k", "p") = error else { return #expect(Bool(false), "\(error)") }
        #expect(rows.count == 1)
    }

    @Test func aMigratorRecordsInTheFile() throws {
        let migrator = Migrator(connection: connection, desiredSchemaVersion: 1)
        try migrator.runMigrationsIfNecessary(migrationSQLForSchemaVersion: { _ in "CREATE TABLE x(a)" })
        #expect(try connection.query("SELECT version FROM main.schema_migrations") == 1)
        #expect(migrator.currentSchemaVersion == 1)
    }
}

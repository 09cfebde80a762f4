import Squall
import SquallTestSupport
import Testing

/// Names that differ in their letter case alone, names in fillings, and versions that are timestamps.
struct LetterCaseTests {
    private static func connection() throws -> Connection {
        let connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE tree(id INTEGER PRIMARY KEY, up INTEGER REFERENCES tree(id), name TEXT);
            INSERT INTO tree VALUES(1, NULL, 'root'), (2, 1, 'leaf');
            CREATE INDEX tree_name ON tree(name);
            CREATE VIEW leaves AS SELECT name FROM tree WHERE up IS NOT NULL;
            CREATE TRIGGER touched AFTER UPDATE ON tree BEGIN UPDATE tree SET name = new.name WHERE id = new.id; END
            """)
        return connection
    }

    @Test func tablesAndColumnsGetOtherLetters() throws {
        let connection = try Self.connection()
        try Schema("s") {
            Version(1) {
                RenameTable("tree", to: "Tree")
                AlterTable("TREE") {
                    RenameColumn("name", to: "Name")
                    RenameColumn("up", to: "UP")
                    AddColumn("depth", Int.self, .default(0))
                }
            }
            Version(2) { RenameTable("Tree", to: "trees") }
        }.migrate(connection)
        let sql: [String] = try connection.query("SELECT sql FROM sqlite_master WHERE name = 'trees'")
        #expect(sql.first?.contains("\"Name\" TEXT") == true && sql.first?.contains("\"UP\" INTEGER") == true)
        #expect(try connection.query("SELECT name FROM leaves") == "leaf")
        try connection.run("UPDATE trees SET name = 'twig' WHERE id = 2")
        #expect(try connection.query("SELECT group_concat(Name) FROM trees") == "root,twig")
        #expect(try connection.query("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%squall_renamed%'") == 0)
        #expect(try connection.query("PRAGMA foreign_key_check", as: Row.self).isEmpty)
    }

    /// A filling names the table of the row, beside a renamed column and a subquery of the same table.
    @Test func aFillingNamesTheTable() throws {
        let connection = try Self.connection()
        try connection.execute("DROP TRIGGER touched; DROP VIEW leaves")
        let filling: SQL = "(SELECT count(*) FROM tree AS child WHERE child.up = tree.id)"
        try Schema("s") {
            Version(1) {
                AlterTable("tree") {
                    RenameColumn("name", to: "title")
                    AddColumn("children", Int.self, fillingWith: filling)
                }
            }
        }.migrate(connection)
        #expect(try connection.query("SELECT group_concat(title || children) FROM tree") == "root1,leaf0")
    }

    @Test func versionsAreTimestamps() throws {
        let connection = try Connection()
        let first = Version(20_260_101_120_000) { Execute("CREATE TABLE a(id)") }
        let second = Version(20_260_102_120_000) { Execute("CREATE TABLE b(id)") }
        let old = Version(1) { Execute("CREATE TABLE old(id)") }
        try Schema("s") { old }.migrate(connection)
        #expect(try connection.query("PRAGMA user_version") == 1)
        try Schema("s") {
            old
            first
        }.migrate(connection)
        // It has 32 bits.
        #expect(try connection.query("PRAGMA user_version") == 1)
        let schema = Schema("s") {
            old
            first
            second
        }
        #expect(try schema.status(of: connection).pending == [20_260_102_120_000])
        try schema.migrate(connection)
        try schema.migrate(connection)
        let status = try schema.status(of: connection)
        #expect(status.version == 20_260_102_120_000 && status.pending.isEmpty)
        #expect(throws: SchemaError.self) { try Schema("s") { first }.migrate(connection) }
    }
}

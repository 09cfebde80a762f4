import Foundation
import Squall
import SquallSearch
import SquallTestSupport
import Testing

struct SchemaTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    /// Squeal's example. (Made anew each time: what is in its enumerations for ever, the address sanitizer takes for leaked.)
    static var contacts: Schema {
        Schema("contacts") {
            Version(1) {
                CreateTable("contacts") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("name", String?.self)
                    ColumnDef("email", String.self)
                }
                CreateIndex("contacts_email", on: "contacts", "email")
            }
            Version(2) {
                Execute { try $0.delete(from: "contacts", where: "name IS NULL") }
                AlterTable("contacts") {
                    ChangeColumn("name", to: String.self)
                    AddColumn("url", String?.self)
                    AddColumn("slug", String.self, fillingWith: "lower(name)")
                    DropColumn("email")
                }
            }
        }
    }

    private func sql(_ name: String = "contacts") throws -> String? {
        try connection.query("SELECT sql FROM sqlite_master WHERE name = ?", name)
    }

    /// No other connection has a lock: waiting a minute would not help.
    @Test func migratingInsideAnOpenBlobDoesNotWait() throws {
        try connection.execute("CREATE TABLE files(data BLOB); INSERT INTO files VALUES(zeroblob(9))")
        let log = Log()
        connection.trace { log.add($0) }
        try connection.withBlob(in: "files", column: "data", row: 1, mode: .readWrite) { _ in
            // "cannot commit transaction - SQL statements in progress"
            let error = try sqliteError { try Self.contacts.migrate(connection) }
            #expect(error.resultCode == .busy)
        }
        connection.trace(nil)
        #expect(log.lines.filter { $0.hasPrefix("COMMIT") }.count == 1)
        #expect(try Self.contacts.migrate(connection))
    }

    /// Whatever a version leaves behind, an authorizer among it.
    @Test func foreignKeysAreOnAgainAlsoWherePragmasAreDenied() throws {
        #expect(try connection.query("PRAGMA foreign_keys") == true)
        let schema = Schema("s") {
            Version(1) { CreateTable("t") { ColumnDef("a", Int.self) } }
            Version(2) {
                DropTable("t")
                Execute { try $0.authorizer { action, _, _, _, _ in action == .pragma ? .deny : .ok } }
            }
        }
        #expect(throws: SQLiteError.self) { try schema.migrate(connection) }
        try connection.authorizer(nil)
        #expect(try connection.query("PRAGMA foreign_keys") == true)
        #expect(try connection.tableNames().contains("t"))
    }

    @Test func aNewFileGetsAllVersions() throws {
        #expect(try Self.contacts.migrate(connection))
        #expect(try connection.userVersion == 2)
        let expected = #"CREATE TABLE "contacts"("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "url" TEXT, "#
        #expect(try sql() == expected + #""slug" TEXT NOT NULL)"#)
        #expect(try !Self.contacts.migrate(connection))
        let versions: [Int] = try connection.query("SELECT version FROM squall_versions WHERE schema = 'contacts'")
        #expect(versions == [1, 2])
    }

    @Test func rowsAreCarriedOver() throws {
        #expect(try Self.contacts.migrate(connection, to: 1))
        try connection.execute(
            "INSERT INTO contacts VALUES(7, 'Amelia', 'a@b.org'), (9, NULL, 'n@b.org'), (3, 'Bo', 'c@b.org')"
        )
        #expect(try Self.contacts.migrate(connection))
        let rows =
            try connection.query("SELECT id, name, url, slug FROM contacts ORDER BY id") { $0.valuesText } as [String]
        #expect(rows == ["[3, 'Bo', NULL, 'bo']", "[7, 'Amelia', NULL, 'amelia']"])
        #expect(try sql("contacts_email") == nil, "an index without its column goes")
        #expect(try connection.hasForeignKeysOn())
    }

    @Test func goingBackToZeroEmptiesTheFile() throws {
        try Self.contacts.migrate(connection)
        try connection.execute(
            """
            CREATE TABLE other(a INTEGER PRIMARY KEY AUTOINCREMENT); CREATE VIEW v AS SELECT * FROM other;
            CREATE TRIGGER t INSTEAD OF INSERT ON v BEGIN SELECT 1; END; INSERT INTO other DEFAULT VALUES
            """
        )
        #expect(try Self.contacts.migrate(connection, to: 0))
        #expect(try connection.schemaDefinition() == SchemaDefinition())
        #expect(try connection.userVersion == 0)
        #expect(try !Self.contacts.migrate(connection, to: 0))
        #expect(try Self.contacts.migrate(connection))
    }

    @Test func aTargetMustBeThereAndAhead() throws {
        #expect(throws: SchemaError.unknownVersion(3)) { try Self.contacts.migrate(connection, to: 3) }
        #expect(throws: SchemaError.unknownVersion(-1)) { try Self.contacts.migrate(connection, to: -1) }
        try Self.contacts.migrate(connection)
        #expect(throws: SchemaError.unreachableVersion(1, from: 2)) { try Self.contacts.migrate(connection, to: 1) }
        try connection.setUserVersion(5)
        #expect(throws: SchemaError.newerFile(version: 5, latest: 2)) { try Self.contacts.migrate(connection) }
    }

    @Test func aFileOfSquealsIsTakenOver() throws {
        try connection.execute("CREATE TABLE contacts(id INTEGER PRIMARY KEY, name TEXT, email TEXT NOT NULL)")
        try connection.execute("INSERT INTO contacts VALUES(1, 'Bo', 'b@c.org'); PRAGMA user_version = 1")
        let status = try Self.contacts.status(of: connection)
        #expect(status.version == 1 && status.pending == [2] && status.applied.isEmpty)
        #expect(try Self.contacts.migrate(connection))
        #expect(try connection.query("SELECT slug FROM contacts") == "bo")
        let known: [Int] = try connection.query("SELECT version FROM squall_versions ORDER BY version")
        #expect(known == [1, 2])
    }

    @Test func aFileBetweenTwoVersionsIsAnError() throws {
        let schema = Schema("gaps") {
            Version(2) { Execute("CREATE TABLE a(x)") }
            Version(5) { Execute("CREATE TABLE b(x)") }
        }
        try connection.setUserVersion(3)
        #expect(throws: SchemaError.unknownVersion(3)) { try schema.migrate(connection) }
        try connection.setUserVersion(0)
        #expect(try schema.migrate(connection))
        #expect(try connection.userVersion == 5)
    }

    @Test func oldVersionsCanStartOver() throws {
        let schema = Schema("s") { Version(4) { CreateTable("a") { ColumnDef("x", Int.self) } } }
        try connection.execute("CREATE TABLE a(old); PRAGMA user_version = 2")
        #expect(throws: SchemaError.unknownVersion(2)) { try schema.migrate(connection) }
        #expect(try schema.migrate(connection, options: .startOverFromOldVersions))
        #expect(try sql("a") == #"CREATE TABLE "a"("x" INTEGER NOT NULL)"#)
        #expect(try connection.userVersion == 4)
    }

    @Test func anEditedVersionIsReported() throws {
        func schema(_ type: SQL) -> Schema {
            Schema("s") {
                Version(1) { CreateTable("a") { ColumnDef("x", sql: type) } }
                Version(2) { CreateTable("b") { ColumnDef("x", Int.self) } }
            }
        }
        try schema("INTEGER").migrate(connection, to: 1)
        let edited = schema("TEXT")
        #expect(throws: SchemaError.editedVersions([1])) { try edited.migrate(connection) }
        #expect(try edited.status(of: connection).applied.map(\.isEdited) == [true])
        #expect(try edited.migrate(connection, options: .ignoreEdits))
    }

    @Test func theChecksumNeverChanges() {
        #expect(Self.contacts.versions.map(\.checksum) == ["bbc2a2f8c5421b28", "9a0b66e102c89c37"])
        var cars = TableDefinition(name: "cars", columns: [ColumnDefinition(name: "name")])
        let plain = Version(1) { CreateTable(cars) }
        cars.indexes = [IndexDefinition(name: "by_name", table: "cars", columns: ["name"])]
        let indexed = Version(1) { CreateTable(cars) }
        let search = Version(1) { CreateSearchTable(SearchTableDefinition("notes", columns: "text")) }
        #expect(
            [plain, indexed, search].map(\.checksum) == ["87ddc4ae24a6e781", "4524f950b69bdce7", "73986d9450dc7ce8"])
    }

    @Test func aVersionThatFailsIsUndoneAndTheEarlierOnesStay() throws {
        let schema = Schema("s") {
            Version(1) { CreateTable("a") { ColumnDef("x", Int.self) } }
            Version(2) {
                CreateTable("b") { ColumnDef("x", Int.self) }
                Execute("INSERT INTO nowhere VALUES(1)")
            }
        }
        #expect(throws: SQLiteError.self) { try schema.migrate(connection) }
        #expect(try connection.tableNames() == ["a", "squall_versions"])
        #expect(try schema.status(of: connection).version == 1)
    }

    @Test func severalSchemasShareAFile() throws {
        let other = Schema("other") { Version(1) { CreateTable("z") { ColumnDef("x", Int.self) } } }
        try Self.contacts.migrate(connection)
        #expect(try other.migrate(connection))
        #expect(try !Self.contacts.migrate(connection))
        #expect(try !other.migrate(connection))
        #expect(try connection.userVersion == 2, "it stays with the schema that came first")
        #expect(throws: SchemaError.sharedFile(with: ["contacts"])) { try other.migrate(connection, to: 0) }
    }

    @Test func aDryRunChangesNothing() throws {
        try Self.contacts.migrate(connection, to: 1)
        try connection.execute("INSERT INTO contacts VALUES(7, 'Amelia', 'a@b.org')")
        let before = try connection.schemaDefinition()
        let sql = try Self.contacts.dryRun(connection).map(\.text)
        #expect(
            sql.prefix(5) == [
                "-- Execute { … }",
                """
                CREATE TABLE "squall_new_contacts"("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "url" TEXT, \
                "slug" TEXT NOT NULL)
                """,
                """
                INSERT OR ABORT INTO main."squall_new_contacts"("id", "name", "slug") \
                SELECT "id", "name", lower(name) FROM main."contacts"
                """,
                "PRAGMA legacy_alter_table = ON",
                "DROP TABLE main.\"contacts\"",
            ]
        )
        #expect(try connection.schemaDefinition() == before)
        #expect(try connection.userVersion == 1)
        #expect(try connection.hasForeignKeysOn())
        #expect(!connection.isInTransaction)
        #expect(try connection.count("contacts") == 1)
    }

    @Test func progressIsToldAndCanStopIt() throws {
        struct Stop: Error {}
        try Self.contacts.migrate(connection, to: 1)
        try connection.execute(
            """
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 25000)
            INSERT INTO contacts SELECT n * 3, 'n' || n, 'e' FROM c
            """
        )
        let before = try connection.schemaDefinition()
        #expect(throws: Stop.self) {
            try Self.contacts.migrate(connection) { if $0.copiedRows > 0 { throw Stop() } }
        }
        #expect(try connection.schemaDefinition() == before)
        #expect(try connection.hasForeignKeysOn())
        let log = Log()
        try Self.contacts.migrate(connection) { log.add("\($0.version) \($0.step) \($0.copiedRows)/\($0.allRows)") }
        #expect(
            log.take() == [
                "2 Execute 0/0", "2 AlterTable contacts 0/0", "2 AlterTable contacts 0/25000",
                "2 AlterTable contacts 10000/25000", "2 AlterTable contacts 20000/25000",
                "2 AlterTable contacts 25000/25000",
            ]
        )
        #expect(try connection.count("contacts", where: "slug = name AND id = 3 * substr(name, 2)") == 25000)
    }

    @Test func aDatabaseMigratesToo() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("m.db"))
        #expect(try Self.contacts.migrate(database))
        #expect(try database.blocking.read { try $0.count("contacts") } == 0)
    }

    @Test func notInsideATransaction() throws {
        try connection.transaction {
            #expect(throws: SchemaError.insideTransaction) { try Self.contacts.migrate(connection) }
        }
    }

    /// Each version is checked for what it does itself: only one that removes something looks for views that no longer work.
    @Test func aVersionIsCheckedForItself() throws {
        let schema = Schema("m") {
            Version(1) { Execute("CREATE TABLE t(a); CREATE VIEW v AS SELECT a FROM t") }
            Version(2) { DropView("v") }
            Version(3) { Execute("CREATE VIEW early AS SELECT a FROM later") }
        }
        #expect(try schema.dryRun(connection).map(\.text).contains("CREATE VIEW early AS SELECT a FROM later"))
        #expect(try schema.migrate(connection))
    }

    @Test func aSchemaWithoutVersionsDoesNothing() throws {
        try connection.execute("CREATE TABLE t(a); PRAGMA user_version = 3")
        #expect(try !Schema("s") {}.migrate(connection))
        #expect(try Schema("s") {}.dryRun(connection).isEmpty)
        #expect(try connection.tableNames() == ["t"])
    }

    @Test func impossibleNumbers() throws {
        let schema = Schema("s") {
            Version(0) {}
            Version(1) {}
            Version(1) {}
        }
        let expected = [
            "the schema \"s\" has a version 0: the first one is 1", "the schema \"s\" has two versions 1",
        ]
        #expect(throws: SchemaError.invalid(expected)) { try schema.migrate(connection) }
    }

    private struct OwnStep: SchemaStep {}
    private struct OwnAlteration: AlterTableStep {}

    @Test func `a step that the program has declared throws, and nothing of its version is done`() throws {
        let own = Schema("s") {
            Version(1) {
                Execute("CREATE TABLE t(a)")
                OwnStep()
            }
        }
        #expect(throws: SchemaError.self) { try own.migrate(connection) }
        let altering = Schema("s") {
            Version(1) {
                Execute("CREATE TABLE t(a)")
                AlterTable("t") { OwnAlteration() }
            }
        }
        #expect(throws: SchemaError.self) { try altering.migrate(connection) }
        #expect(try connection.tableInfo("t") == nil)
    }
}

extension Connection {
    func hasForeignKeysOn() throws -> Bool { try query("PRAGMA foreign_keys") }
}

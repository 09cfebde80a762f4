// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Problems of schemas".
struct SchemaProblemSnippets {
    private let directory: TemporaryDirectory
    private let connection: Connection

    private static let cars = Schema("garage") {
        Version(1) { Execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)") }
        Version(2) { Execute("CREATE TABLE boats(id INTEGER PRIMARY KEY)") }
    }

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("garage.db"))
    }

    @Test func versions() throws {
        let garage = Schema("garage") {
            Version(1) { Execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)") }
            Version(3) { Execute("CREATE TABLE boats(id INTEGER PRIMARY KEY)") }
        }
        try garage.migrate(connection)
        let older = Schema("garage") { garage.versions[0] }
        // The file was written by a later version of the app.
        expect(SchemaError.newerFile(version: 3, latest: 1), """
            the file has version 3, which is later than the latest version of the \
            schema, 1
            """) {
            try older.migrate(connection)
        }
        expect(SchemaError.unknownVersion(7), "the schema has no version 7") {
            try garage.migrate(connection, to: 7)
        }
        expect(SchemaError.unreachableVersion(1, from: 3), """
            the file has version 3: it can go back to version 0 only, not to 1
            """) {
            try garage.migrate(connection, to: 1)
        }
        let merged = Schema("garage") {
            garage.versions[0]
            Version(2) { Execute("CREATE TABLE bikes(id INTEGER PRIMARY KEY)") }
            garage.versions[1]
        }
        expect(SchemaError.skippedVersions([2]), """
            the file has a later version, but never ran version 2: give the added \
            versions higher numbers, or run them \
            (MigrationOptions.runSkippedVersions)
            """) {
            try merged.migrate(connection)
        }
        let edited = Schema("garage") {
            garage.versions[0]
            Version(3) { Execute("CREATE TABLE boats(id INTEGER PRIMARY KEY, name TEXT)") }
        }
        // Undo the edit, and write another version.
        expect(SchemaError.editedVersions([3]), """
            versions that the file has already run were edited: 3
            """) {
            try edited.migrate(connection)
        }
    }

    @Test func files() throws {
        let cars = Schema("cars") { Version(1) { Execute("CREATE TABLE cars(id)") } }
        let boats = Schema("boats") { Version(1) { Execute("CREATE TABLE boats(id)") } }
        try cars.migrate(connection)
        try boats.migrate(connection)
        expect(SchemaError.sharedFile(with: ["boats"]), """
            the file also has other schemas: boats
            """) {
            try cars.migrate(connection, to: 0)
        }
        expect(SchemaError.insideTransaction, """
            a schema cannot be changed inside a transaction
            """) {
            try connection.transaction { try cars.migrate(connection) }
        }
        let longer = Schema("cars") {
            cars.versions[0]
            Version(2) { Execute("CREATE TABLE bikes(id)") }
        }
        let other = try Connection(storageLocation: .onDisk(directory.file("garage.db")))
        try connection.transaction {
            // End the transaction of the other connection, or wait longer.
            expect(SchemaError.stillLocked(after: .zero), """
                the file has been locked by another connection for 0.0 seconds
                """) {
                try longer.migrate(other, waiting: .zero)
            }
        }
        // Another program has changed the file: restore a copy.
        try connection.execute("""
            DROP TABLE squall_versions;
            CREATE VIEW squall_versions AS SELECT 1;
            """)
        let reason = """
            squall_versions is not a plain table, there is the view "squall_versions"
            """
        expect(SchemaError.damagedHistory(reason), reason) {
            try longer.migrate(connection)
        }
    }

    @Test func steps() throws {
        try connection.execute("""
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT);
            CREATE VIEW names AS SELECT name FROM cars;
            CREATE TABLE wheels(car INTEGER NOT NULL REFERENCES cars);
            INSERT INTO cars VALUES(1, 'Audi');
            INSERT INTO wheels VALUES(1);
            """)
        func migrate(@ListBuilder<any SchemaStep> _ steps: () -> [any SchemaStep]) throws {
            try Schema("garage") { Version(1, steps: steps) }.migrate(connection)
        }
        let boats = #"table "boats" (version 1, AlterTable boats)"#
        expect(SchemaError.notFound(boats), """
            there is no table "boats" (version 1, AlterTable boats)
            """) {
            try migrate { AlterTable("boats") { DropColumn("name") } }
        }
        let name = #"the column "cars"."name" (version 1, AlterTable cars)"#
        expect(SchemaError.alreadyExists(name), """
            the column "cars"."name" (version 1, AlterTable cars) already exists
            """) {
            try migrate { AlterTable("cars") { AddColumn("name", String?.self) } }
        }
        // Drop the view in an earlier step, and create it again in a later one.
        let reason = "error in view names: no such column: name (version 1)"
        expect(SchemaError.inUse(reason), reason) {
            try migrate { AlterTable("cars") { DropColumn("name") } }
        }
        let ports = #""boats" refers to the table "ports", which does not exist"#
        expect(SchemaError.invalid([ports]), ports) {
            try Schema("harbour") {
                Version(1) {
                    CreateTable("boats") {
                        ColumnDef("port", Int.self, .references("ports"))
                    }
                }
            }.verify()
        }
    }

    @Test func foreignKeys() throws {
        try connection.execute("""
            CREATE TABLE cars(id INTEGER PRIMARY KEY);
            CREATE TABLE wheels(id INTEGER PRIMARY KEY, car INTEGER NOT NULL REFERENCES cars);
            INSERT INTO cars VALUES(1);
            INSERT INTO wheels VALUES(7, 1);
            """)
        let schema = Schema("garage") { Version(1) { DropTable("cars") } }
        var orphans: [String] = []
        do {
            try schema.migrate(connection)
        } catch SchemaError.foreignKeysViolated(let violations, let table, let parent) {
            orphans = violations.compactMap(\.rowID).map { row in
                "row \(row) of \(table) needs a row of \(parent)"
            }
        }
        #expect(orphans == ["row 7 of wheels needs a row of cars"])
    }

    @Test func plans() throws {
        struct Car: TableRecord {
            let id: Int, name: String, price: Int
            static let table = Table("cars", Car.init) {
                Column("id", \Car.id, .primaryKey)
                Column("name", \Car.name)
                Column("price", \Car.price, .check("price > 0"))
            }
        }
        try connection.execute("""
            CREATE TABLE cars(
                id INTEGER PRIMARY KEY, name TEXT NOT NULL,
                price TEXT NOT NULL, colour TEXT);
            INSERT INTO cars VALUES(1, 'Audi', '52642', 'red'), (2, 'Saab', 'unknown', NULL);
            """)
        // Allow the losses, or write a version of the history that keeps the values.
        let plan = try connection.plan(toMatch: Car.table)
        expect(
            SchemaError.losses([
                .conversion(table: "cars", column: "price", values: 1, type: "INTEGER"),
                .column(table: "cars", column: "colour", values: 1),
            ]), """
                the plan would lose 1 value of "cars"."price" that INTEGER does not \
                keep as they are, 1 value of "cars"."colour"
                """
        ) {
            try plan.apply()
        }
        // Make the plan again.
        try connection.execute("ALTER TABLE cars ADD COLUMN seats INTEGER")
        expect(SchemaError.planIsStale, """
            the file has been changed since the plan was made
            """) {
            try plan.apply(allowing: [.columns, .conversions])
        }
        try connection.run("UPDATE cars SET colour = NULL, price = 0")
        let obstacle = """
            CHECK (price > 0) does not hold for 2 rows of "cars": change or delete them first
            """
        expect(SchemaError.obstacles([obstacle]), obstacle) {
            try connection.plan(toMatch: Car.table).apply()
        }
    }

    @Test func losses() throws {
        /// Returns whether an app that is updated may lose what a plan would lose.
        func isAcceptable(_ loss: SchemaLoss) -> Bool {
            switch loss {
            case .column(_, _, let values): values == 0
            case .conversion(_, let column, _, _): column == "cached_size"
            case .rows(let table, _, _): table.hasPrefix("cache_")
            }
        }
        try connection.execute("CREATE TABLE t(a TEXT, cached_size TEXT); INSERT INTO t VALUES('x', 'y')")
        let table = TableDefinition(
            name: "t",
            columns: [
                ColumnDefinition(name: "a", type: "INTEGER"),
                ColumnDefinition(name: "cached_size", type: "INTEGER"),
            ])
        let plan = try connection.plan(toMatch: [table])
        let losses = plan.losses.map { ($0.description, isAcceptable($0)) }
        #expect(losses.map(\.1) == [false, true])
    }

    @Test func scripts() throws {
        let folder = URL(filePath: directory.path)
        try Data([0x2D, 0x2D, 0xFF]).write(to: folder.appending(path: "latin.sql"))
        try Data("SELECT 1\0".utf8).write(to: folder.appending(path: "nul.sql"))
        /// Runs a script, and returns a line for the list of what has failed.
        func run(_ name: String) throws -> String? {
            do {
                try connection.execute(contentsOf: folder.appending(path: name))
                return nil
            } catch let error as ScriptFileError {
                return switch error {
                case .unreadable(let url, _): "\(url.lastPathComponent) is missing"
                case .invalidUTF8(_, let offset): "save \(name) as UTF-8: byte \(offset)"
                case .nulCharacter(_, let offset): "\(name) has a NUL character at \(offset)"
                }
            }
        }
        #expect(try run("latin.sql") == "save latin.sql as UTF-8: byte 2")
        #expect(try run("nul.sql") == "nul.sql has a NUL character at 8")
        #expect(try run("none.sql") == "none.sql is missing")
    }
}

// swift-format-ignore-file
import Foundation
import SQiftCompatibility
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Coming from SQift".
struct ComingFromSQift {
    // The block has relative paths: it runs in a process of its own, in a directory of its own.
    @Test func aProgram() async {
        await #expect(processExitsWith: .success) {
            try SQiftPage.runBefore()
            try SQiftPage.runProgram()
            try SQiftPage.runFile()
        }
    }

    @Test func blocks() throws {
        let connection = try Connection(storageLocation: .inMemory)
        try connection.execute("CREATE TABLE cars(name TEXT, price INTEGER); INSERT INTO cars VALUES('Audi', 52642)")
        let price = 20_000
        let dear: [String] = try connection.query(
            "SELECT name FROM cars WHERE price > \(price)")
        #expect(dear == ["Audi"])
        let id = try connection.transaction {
            try connection.run("INSERT INTO cars(name) VALUES('Saab')")
            return connection.lastInsertRowID
        }
        #expect(id == 2)
        try connection.addFunction("distance") { (a: Double, b: Double) in abs(a - b) }
        #expect(try connection.query("SELECT distance(1, 3)") == 2.0)
    }

    /// The statements of the page's tables.
    @Test func differences() throws {
        let connection = try Connection(storageLocation: .inMemory)
        try connection.execute("CREATE TABLE cars(name TEXT, price INTEGER); INSERT INTO cars VALUES('Audi', 1), ('Saab', NULL), ('Volvo', 3)")
        #expect(try connection.query("SELECT price FROM cars") as [Int] == [1, 3])
        #expect(try connection.query("SELECT price FROM cars") as [Int?] == [1, nil, 3])
        #expect(throws: ConversionError.self) { try connection.query("SELECT name FROM cars") as Int? }
        #expect(try connection.query("SELECT 1") == 1.0)
        #expect(try connection.query("SELECT avg(price) FROM cars") as UInt == 2)
        #expect(throws: ConversionError.self) { try connection.query("SELECT 1.5") as UInt }
        #expect(try connection.query("SELECT ?", "a\0b") == "a\0b")
        #expect(throws: ConversionError.self) { try connection.query("SELECT CAST(x'ff' AS TEXT)") as String }
        #expect(try connection.query("SELECT CAST(x'ff' AS TEXT)") as Data == Data([255]))
        #expect(try connection.query("SELECT x''") as Data? == Data())
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO cars VALUES(?, ?)", "x", Double.nan) }
        #expect(try sqliteError { try connection.run("DELETE FROM cars; DELETE FROM cars") }.kind == .severalStatements)
        #expect(try sqliteError { try connection.run("") }.kind == .noStatement)
        #expect(try connection.prepare("SELECT ? IS NULL").query() == true)
        #expect(try connection.query("SELECT :name || ifnull(:price, '-')", [":name": "x"]) == "x-")
        #expect(try sqliteError { try connection.execute("SELECT ?") }.kind == .parameterCount(expected: 1, given: 0))
        #expect(try connection.query("SELECT name FROM cars WHERE price = :price", ["price": 3]) == "Volvo")
        #expect(try connection.query("SELECT ?", [1, 2] as [UInt8]) as Data == Data([1, 2]))
        let escaped = "it's".sqift.addingSQLEscapes()
        #expect(escaped == "'it''s'")
        connection.createCollation(named: "c") { $0.compare($1) }
        let found = try connection.query("SELECT * FROM cars LIMIT 1")
        let row = try #require(found)
        #expect(row.value(forColumnName: "name") == "Audi" && row.value(at: 0) == "Audi")
        #expect("\(row)".contains("name"))
        try connection.run("INSERT INTO cars VALUES(?, ?)", NSNull(), 5)
        for n: Int in try connection.query("SELECT price FROM cars") { #expect(n > 0) }
        #expect(Set(try connection.query("SELECT price FROM cars") as [Int]) == [1, 3, 5])
        let date: Date = try connection.query("SELECT '2026-11-22 20:15'")
        #expect(bindingDateFormatter.string(from: date) == "2026-11-22T20:15:00.000")
        #expect(throws: ConversionError.self) { try connection.query("SELECT '2026-02-30'") as Date }
        #expect(throws: ConversionError.self) { try connection.query("SELECT '20:15'") as Date }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", Date(timeIntervalSince1970: 1e12)) }
        let ranks: [String: Int] = try connection.query("SELECT name FROM cars WHERE name IS NOT NULL ORDER BY name") { (found: [String: Int], row: Row) in (try row.get("name") as String, found.count) }
        #expect(ranks["Saab"] == 1)
        let error = try sqliteError { try connection.run("SELECT nmae FROM cars") }
        #expect(error.extendedResultCode == .error && error.description.hasPrefix("SQLITE_ERROR (1): no such column: nmae"))
        struct Car: TableRecord {
            let name: String
            let price: Int?
            static let table = Table("cars", Car.init) { Column("name", \Car.name, .primaryKey); Column("price", \Car.price) }
        }
        #expect(try connection.all(Car.self, "SELECT * FROM cars WHERE name = 'Saab'").map(\.price) == [nil])
        // A function with a transaction, called in the closure of `write`.
        let database = try Database(":memory:")
        let nested = try sqliteError { try database.blocking.write { try $0.transaction {} } }
        #expect(nested.hint?.contains("`savepoint`") == true)
        try database.blocking.write { try $0.savepoint {} }
        var versions: [Int] = []
        try Schema("cars") { Version(1) { CreateTable("cars") { ColumnDef("name", String.self) } } }.migrate(database, progress: { versions.append($0.version) })
        #expect(Set(versions) == [1])
        // A savepoint that fails is released.
        try? connection.savepoint(named: "a") { throw CancellationError() }
        #expect(!connection.isInTransaction)
        // A statement starts again for each query, and a failed one can be bound.
        let statement = try connection.prepare("SELECT name FROM cars ORDER BY name DESC")
        let first: String? = try statement.query()
        let again: String? = try statement.query()
        #expect(first == "Volvo" && again == first)
    }
}

private enum SQiftPage {
    /// The program of the page before it is changed.
    static func runBefore() throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
        let database = try Database(storageLocation: .onDisk("cars.db"))
        try database.executeWrite { connection in
            try connection.execute("PRAGMA journal_mode = WAL")
            try connection.execute("PRAGMA foreign_keys = true")
            try connection.transaction {
                try connection.execute("CREATE TABLE cars(name TEXT NOT NULL, price INTEGER)")
                try connection.run("INSERT INTO cars VALUES(?, ?)", "Audi", 52_642)
            }
        }
        var names: [String] = []
        try database.executeRead { connection in
            names = try connection.query("SELECT name FROM cars WHERE price > ?", 20_000)
        }
        #expect(names == ["Audi"])
        try database.blocking.close()
    }

    static func runProgram() throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))

        let database = try Database("cars.db")
        try database.blocking.write { connection in
            try connection.execute("CREATE TABLE cars(name TEXT NOT NULL, price INTEGER)")
            try connection.run("INSERT INTO cars VALUES(?, ?)", "Audi", 52_642)
        }
        let least = 20_000
        let names: [String] = try database.blocking.read {
            try $0.query("SELECT name FROM cars WHERE price > \(least)")
        }
        #expect(names == ["Audi"])
        try database.blocking.close()
    }

    static func runFile() throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
        let old = try Connection(storageLocation: .onDisk("cars.db"))
        let migrator = Migrator(connection: old, desiredSchemaVersion: 2)
        try migrator.runMigrationsIfNecessary(migrationSQLForSchemaVersion: { version -> SQL in
            version == 1 ? "CREATE TABLE cars(name TEXT)" : "CREATE TABLE owners(name TEXT)"
        })
        #expect(try old.query("SELECT max(version) FROM schema_migrations") == 2)
        old.close()

        let history = Schema("cars") {
            Version(1) {
                CreateTable("cars") { ColumnDef("name", String?.self) }
                CreateTable("owners") { ColumnDef("name", String?.self) }
            }
            Version(2) {
                AlterTable("cars") { AddColumn("price", Int?.self) }
            }
        }
        let connection = try Connection("cars.db")
        let tables = try connection.tableNames()
        if tables.contains("schema_migrations"), !tables.contains("squall_versions") {
            let last: Int = try connection.query(
                "SELECT max(version) FROM schema_migrations")
            guard last == 2 else { throw NotMigrated() }
            try connection.setUserVersion(1)            // what version 1 creates is there
        }
        try history.migrate(connection)                 // runs version 2
        #expect(try history.status(of: connection).version == 2)
        #expect(try connection.tableInfo("cars")?.columns.map(\.name) == ["name", "price"])
        connection.close()
    }

    struct NotMigrated: Error {}
}

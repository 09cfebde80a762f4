import SquallTestSupport
import Testing

@testable import Squall

/// A connection remembers that a schema fits, until SQLite compiles a statement with another schema.
@Suite struct RememberedSchemaTests {
    private static let cars = ExpectedSchema(
        sqliteVersion: "3.40.1",
        tables: [
            .init("cars", [.init("id", "INTEGER", isNotNull: true), .init("name", "TEXT", isNotNull: false)])
        ])
    private static let owners = ExpectedSchema(
        sqliteVersion: "3.40.1", tables: [.init("owners", [.init("id", "INTEGER", isNotNull: true)])])

    private let directory: TemporaryDirectory
    private let connection: Connection
    /// Another connection to the file.
    private let other: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(storageLocation: .onDisk(directory.file("cars.db")))
        try connection.execute(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, maker TEXT);
            INSERT INTO cars VALUES(1, 'i3', 'BMW')
            """)
        other = try Connection(storageLocation: .onDisk(directory.file("cars.db")))
    }

    private func difference(_ schema: ExpectedSchema = cars) -> SchemaMismatch.Difference? {
        do { try connection.require(schema) } catch { return (error as? SchemaMismatch)?.differences.first }
        return nil
    }

    @Test func `the second call does not read the file`() throws {
        try connection.require(Self.cars)
        try other.execute("BEGIN EXCLUSIVE")
        try connection.require(Self.cars)
        // A connection that has not checked the file must read it.
        let third = try Connection(storageLocation: .onDisk(directory.file("cars.db")))
        #expect(try sqliteError { try third.require(Self.cars) }.resultCode == .busy)
    }

    @Test func `statements that are compiled already do not lead to another check`() throws {
        let work: () throws -> Void = { [connection] in
            let _: String = try connection.query("SELECT name FROM cars WHERE id = 1")
            try connection.run("UPDATE cars SET name = 'i4'")
        }
        try work()
        try connection.require(Self.cars)
        try work()
        try other.execute("BEGIN EXCLUSIVE")
        try connection.require(Self.cars)
    }

    @Test func `after a statement was compiled, the next call reads the version of the schema`() throws {
        try connection.require(Self.cars)
        let _: String = try connection.query("SELECT name FROM cars WHERE id = 1")
        try other.execute("BEGIN EXCLUSIVE")
        #expect(try sqliteError { try connection.require(Self.cars) }.resultCode == .busy)
        try other.execute("COMMIT")
        try connection.require(Self.cars)
    }

    @Test func `two schemas are remembered beside each other`() throws {
        try connection.execute("CREATE TABLE owners(id INTEGER PRIMARY KEY)")
        try connection.require(Self.cars)
        try connection.require(Self.owners)
        try other.execute("BEGIN EXCLUSIVE")
        for _ in 0..<3 {
            try connection.require(Self.cars)
            try connection.require(Self.owners)
        }
    }

    @Test func `the oldest of many schemas is forgotten`() throws {
        let schemas = (0...16).map { ExpectedSchema(sqliteVersion: "\($0)", tables: Self.cars.tables) }
        for schema in schemas { try connection.require(schema) }
        try other.execute("BEGIN EXCLUSIVE")
        for schema in schemas.dropFirst() { try connection.require(schema) }
        #expect(try sqliteError { try connection.require(schemas[0]) }.resultCode == .busy)
    }

    @Test func `a failure is not remembered: a migration cures it`() throws {
        #expect(difference(Self.owners) == .missingTable("owners"))
        #expect(difference(Self.owners) == .missingTable("owners"))
        try other.execute("CREATE TABLE owners(id INTEGER PRIMARY KEY)")
        #expect(difference(Self.owners) == nil)
        #expect(difference(Self.cars) == nil)
    }

    @Test func `a change by the connection itself is noticed`() throws {
        try connection.require(Self.cars)
        try connection.execute("ALTER TABLE cars RENAME COLUMN name TO model")
        #expect(difference() == .missingColumn(table: "cars", column: "name"))
        try connection.execute("ALTER TABLE cars RENAME COLUMN model TO name")
        #expect(difference() == nil)
    }

    @Test func `a prepared change is noticed when it is run`() throws {
        let drop = try connection.prepare("DROP TABLE cars")
        try connection.require(Self.cars)
        try drop.run()
        #expect(difference() == .missingTable("cars"))
    }

    @Test func `a change of a column that is not used does not matter`() throws {
        try connection.require(Self.cars)
        try other.execute("ALTER TABLE cars RENAME COLUMN maker TO brand; CREATE TABLE owners(id)")
        let _: String = try connection.query("SELECT name FROM cars")
        #expect(difference() == nil)
    }

    @Test func `a column that another connection has renamed is SQLite's error at first, then a mismatch`() throws {
        let names: () throws -> [String] = { [connection] in
            try connection.require(Self.cars)
            return try connection.query("SELECT name FROM cars")
        }
        for _ in 0..<2 { #expect(try names() == ["i3"]) }
        // The second call has compared the version of the schema, because the first one has compiled the query.
        try connection.require(Self.cars)
        try other.execute("ALTER TABLE cars RENAME COLUMN name TO model")
        #expect(try sqliteError { _ = try names() }.message == "no such column: name")
        #expect(difference() == .missingColumn(table: "cars", column: "name"))
    }

    @Test func `a table that another connection has renamed is a mismatch at once where the query is in a closure`()
        throws
    {
        let names: () throws -> [String] = { [connection] in
            try connection.require(Self.cars) { try connection.query("SELECT name FROM cars") }
        }
        #expect(try names() == ["i3"])
        try other.execute("ALTER TABLE cars RENAME TO vehicles")
        let error = try #require(throws: SchemaMismatch.self) { _ = try names() }
        #expect(error.differences == [.missingTable("cars")])
    }

    @Test func `columns in another order have their values`() throws {
        let pairs: () throws -> [[String]] = { [connection] in
            try connection.require(Self.cars) {
                try connection.query("SELECT name, maker FROM cars", as: (String, String).self).map { [$0.0, $0.1] }
            }
        }
        #expect(try pairs() == [["i3", "BMW"]])
        try other.execute(
            """
            CREATE TABLE new(maker TEXT, name TEXT, id INTEGER PRIMARY KEY);
            INSERT INTO new(id, name, maker) SELECT id, name, maker FROM cars;
            DROP TABLE cars;
            ALTER TABLE new RENAME TO cars
            """)
        #expect(try pairs() == [["i3", "BMW"]])
    }

    @Test func `a temporary table that hides a table is noticed`() throws {
        try connection.require(Self.cars)
        try connection.execute("CREATE TEMP TABLE cars(id INTEGER PRIMARY KEY, name BLOB)")
        #expect(difference() == .type(table: "cars", column: "name", expected: "TEXT", found: "BLOB"))
        try connection.execute("DROP TABLE temp.cars")
        #expect(difference() == nil)
    }

    @Test func `another database that is attached under the same name is noticed`() throws {
        try connection.execute("ATTACH ':memory:' AS a; CREATE TABLE a.owners(id INTEGER PRIMARY KEY)")
        try connection.require(Self.owners)
        // It has the same number of changes of its schema.
        try connection.execute("DETACH a; ATTACH ':memory:' AS a; CREATE TABLE a.owners(id TEXT PRIMARY KEY)")
        #expect(difference(Self.owners) == .type(table: "owners", column: "id", expected: "INTEGER", found: "TEXT"))
    }

    @Test func `a backup that replaces the database is noticed`() throws {
        try connection.require(Self.cars)
        try Connection().backup(to: connection).run()
        #expect(difference() == .missingTable("cars"))
    }

    @Test func `bytes that replace the database are noticed`() throws {
        let memory = try Connection()
        try memory.deserialize(connection.serialize())
        try memory.require(Self.cars)
        try memory.deserialize(Connection().serialize())
        #expect(throws: SchemaMismatch.self) { try memory.require(Self.cars) }
    }
}

// MARK: - Rollbacks

extension RememberedSchemaTests {
    @Test func `a schema that fits only before a rollback is checked again`() throws {
        try connection.execute("BEGIN; CREATE TABLE owners(id INTEGER PRIMARY KEY)")
        try connection.require(Self.owners)
        try connection.execute("ROLLBACK")
        #expect(difference(Self.owners) == .missingTable("owners"))
    }

    @Test func `another change after a rollback has the same cookie, and is noticed`() throws {
        let version = "PRAGMA schema_version" as SQL
        try connection.execute("BEGIN; CREATE TABLE owners(id INTEGER PRIMARY KEY)")
        try connection.require(Self.owners)
        let first: Int = try connection.query(version)
        try connection.execute("ROLLBACK; CREATE TABLE owners(id TEXT PRIMARY KEY)")
        #expect(try connection.query(version) == first)
        #expect(difference(Self.owners) == .type(table: "owners", column: "id", expected: "INTEGER", found: "TEXT"))
    }

    @Test func `a check in a transaction that has not changed the schema is remembered after it`() throws {
        try connection.transaction(transactionType: .immediate) { try connection.require(Self.cars) }
        let _: Int = try connection.query("SELECT 1")
        try connection.require(Self.cars)
        try other.execute("BEGIN EXCLUSIVE")
        try connection.require(Self.cars)
    }
}

// MARK: - Names that SQLite finds elsewhere

extension RememberedSchemaTests {
    private static let stale = ExpectedSchema(
        sqliteVersion: "3.40.1",
        tables: [
            .init("cars", [.init("id", "INTEGER", isNotNull: true), .init("maker", "TEXT", isNotNull: false)]),
            .init("closed", [.init("maker", "TEXT", isNotNull: false)]),
        ])

    @Test func `a renamed column whose name SQLite finds in the outer query is a mismatch, not a result`() throws {
        try connection.execute("CREATE TABLE closed(maker TEXT); INSERT INTO closed VALUES('Saab')")
        let closed: () throws -> [Int] = { [connection] in
            try connection.require(Self.stale) {
                try connection.query("SELECT id FROM cars WHERE maker IN (SELECT maker FROM closed)")
            }
        }
        #expect(try closed() == [])
        try other.execute("ALTER TABLE closed RENAME COLUMN maker TO name")
        let error = try #require(throws: SchemaMismatch.self) { _ = try closed() }
        #expect(error.differences == [.missingColumn(table: "closed", column: "maker")])
    }

    @Test func `a statement that would delete other rows is rolled back`() throws {
        try connection.execute("CREATE TABLE closed(maker TEXT); INSERT INTO closed VALUES('Saab')")
        let clean: () throws -> Void = { [connection] in
            try connection.transaction {
                try connection.require(Self.stale) {
                    try connection.run("DELETE FROM cars WHERE maker IN (SELECT maker FROM closed)")
                }
            }
        }
        try clean()
        try other.execute("ALTER TABLE closed RENAME COLUMN maker TO name")
        #expect(throws: SchemaMismatch.self) { try clean() }
        #expect(try connection.query("SELECT count(*) FROM cars") == 1)
    }

    @Test func `a column name in quotes is not returned as a text`() throws {
        let names: () throws -> [String] = { [connection] in
            try connection.require(Self.cars) { try connection.query("SELECT \"name\" FROM cars") }
        }
        #expect(try names() == ["i3"])
        try other.execute("ALTER TABLE cars RENAME COLUMN name TO model")
        #expect(try connection.query("SELECT \"name\" FROM cars") == ["name"])
        #expect(throws: SchemaMismatch.self) { _ = try names() }
    }

    @Test func `the closure's own error is thrown while the schema fits`() throws {
        #expect(throws: CancellationError.self) {
            try connection.require(Self.cars) { throw CancellationError() }
        }
        let error = try sqliteError { try connection.require(Self.cars) { try connection.run("SELECT absent") } }
        #expect(error.message == "no such column: absent")
    }
}

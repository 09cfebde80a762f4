import Foundation
import Squall
import SquallTestSupport
import Testing

struct MigratorTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    private static func sql(_ version: UInt64) -> SQL {
        switch version {
        case 1: "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)"
        case 2:
            "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, address TEXT); INSERT INTO person(name) VALUES('a;b')"
        default: ""
        }
    }

    @Test func versionsRunInOrderWithTheirCallbacks() throws {
        let migrator = Migrator(connection: connection, desiredSchemaVersion: 3)
        #expect(migrator.migrationRequired)
        let log = Log()
        let count = try migrator.runMigrationsIfNecessary(
            migrationSQLForSchemaVersion: {
                log.add("sql \($0)")
                return Self.sql($0)
            },
            willMigrateToSchemaVersion: { log.add("will \($0)") },
            didMigrateToSchemaVersion: { log.add("did \($0)") }
        )
        #expect(count == 3)
        #expect(migrator.currentSchemaVersion == 3)
        #expect(!migrator.migrationRequired)
        let expected = (1...3).flatMap { ["sql \($0)", "will \($0)", "did \($0)"] }
        #expect(log.take() == expected)
        #expect(try migrator.runMigrationsIfNecessary(migrationSQLForSchemaVersion: Self.sql) == 0)
        #expect(try connection.tableNames() == ["cars", "person", "schema_migrations"])
    }

    @Test func theTableIsSQiftsOwn() throws {
        let now = { try connection.query("SELECT strftime('%Y-%m-%d %H:%M:%f')") as Date }
        let before = try now()
        try Migrator(connection: connection, desiredSchemaVersion: 1)
            .runMigrationsIfNecessary(migrationSQLForSchemaVersion: Self.sql)
        let sql: String = try connection.query("SELECT sql FROM sqlite_master WHERE name = 'schema_migrations'")
        #expect(
            sql == "CREATE TABLE schema_migrations(version INTEGER UNIQUE NOT NULL, migration_timestamp TEXT NOT NULL)"
        )
        let date: Date = try connection.query("SELECT migration_timestamp FROM schema_migrations")
        // Both are rounded to milliseconds.
        #expect(try date >= before.addingTimeInterval(-0.001) && date <= now().addingTimeInterval(0.001))
    }

    @Test func aFileOfSQiftGoesOn() throws {
        try connection.execute(
            """
            CREATE TABLE schema_migrations(version INTEGER UNIQUE NOT NULL, migration_timestamp TEXT NOT NULL);
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
            INSERT INTO schema_migrations VALUES(1, '2016-04-01T12:00:00.000')
            """
        )
        let migrator = Migrator(connection: connection, desiredSchemaVersion: 2)
        #expect(migrator.currentSchemaVersion == 1)
        #expect(try migrator.runMigrationsIfNecessary(migrationSQLForSchemaVersion: Self.sql) == 1)
    }

    @Test func aVersionThatFailsIsUndoneAndTheEarlierOnesStay() throws {
        let migrator = Migrator(connection: connection, desiredSchemaVersion: 3)
        let log = Log()
        #expect(throws: SQLiteError.self) {
            try migrator.runMigrationsIfNecessary(
                migrationSQLForSchemaVersion: { $0 == 2 ? "CREATE TABLE half(a); CREATE TABLE cars(a)" : Self.sql($0) },
                willMigrateToSchemaVersion: { log.add("will \($0)") },
                didMigrateToSchemaVersion: { log.add("did \($0)") }
            )
        }
        #expect(log.take() == ["will 1", "did 1", "will 2"])
        #expect(migrator.currentSchemaVersion == 1)
        #expect(try connection.tableNames() == ["cars", "schema_migrations"])
        #expect(!connection.isInTransaction)
    }

    /// SQift left half of a closure's work behind.
    @Test func theClosureFormIsAtomic() throws {
        struct Stop: Error {}
        let migrator = Migrator(connection: connection, desiredSchemaVersion: 1)
        #expect(throws: Stop.self) {
            try migrator.runMigrationsIfNecessary(migrateDatabaseToSchemaVersion: { _, connection in
                try connection.execute("CREATE TABLE half(a)")
                throw Stop()
            })
        }
        #expect(try connection.tableNames() == [])
        let count = try migrator.runMigrationsIfNecessary(migrateDatabaseToSchemaVersion: { version, connection in
            try connection.execute("CREATE TABLE whole\(raw: "\(version)")(a)")
        })
        #expect(count == 1)
        #expect(try connection.tableNames() == ["schema_migrations", "whole1"])
    }

    @Test func anOlderDesiredVersionDoesNothing() throws {
        try Migrator(connection: connection, desiredSchemaVersion: 2)
            .runMigrationsIfNecessary(migrationSQLForSchemaVersion: Self.sql)
        let older = Migrator(connection: connection, desiredSchemaVersion: 1)
        #expect(try older.runMigrationsIfNecessary(migrationSQLForSchemaVersion: Self.sql) == 0)
        #expect(older.currentSchemaVersion == 2)
    }

    /// SQift read -1 as 18446744073709551615.
    @Test func aVersionBelowZeroIsAnError() throws {
        try connection.execute(
            "CREATE TABLE schema_migrations(version INTEGER UNIQUE NOT NULL, migration_timestamp TEXT)")
        try connection.execute("INSERT INTO schema_migrations VALUES(-1, '')")
        let migrator = Migrator(connection: connection, desiredSchemaVersion: 1)
        #expect(throws: SchemaError.damagedHistory("schema_migrations has the version -1")) { try migrator.version() }
    }

    @Test func theVersionOfAnEmptyHistoryIsZero() throws {
        try connection.execute(
            "CREATE TABLE schema_migrations(version INTEGER UNIQUE NOT NULL, migration_timestamp TEXT)")
        #expect(try Migrator(connection: connection, desiredSchemaVersion: 1).version() == 0)
    }

    @Test func theCurrentVersionOfAFileThatCannotBeReadIsZero() throws {
        let migrator = Migrator(connection: connection, desiredSchemaVersion: 1)
        connection.close()
        #expect(migrator.currentSchemaVersion == 0)
        #expect(try errorKind { _ = try migrator.version() } == .closed(.connection))
    }
}

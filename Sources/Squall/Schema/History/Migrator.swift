#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Migrates a file through the versions 1, 2, 3, …, and records them in the table `schema_migrations`. It also continues
/// files that SQift has migrated.
///
///     let migrator = Migrator(connection: connection, desiredSchemaVersion: 2)
///
///     try migrator.runMigrationsIfNecessary(
///         migrationSQLForSchemaVersion: { version in
///             switch version {
///             case 1: "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)"
///             case 2: "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, city TEXT)"
///             default: ""
///             }
///         }
///     )
///
/// ``Schema`` does more: it alters tables without losing data, and detects edited versions.
open class Migrator {
    /// The version to which the file is migrated.
    public let desiredSchemaVersion: UInt64

    private let connection: Connection

    /// Makes a migrator. Nothing is read or run yet.
    ///
    /// - Parameters:
    ///   - connection: The connection to the file.
    ///   - desiredSchemaVersion: The version to which the file is migrated.
    public init(connection: Connection, desiredSchemaVersion: UInt64) {
        self.connection = connection
        self.desiredSchemaVersion = desiredSchemaVersion
    }

    /// The version of the file: `SELECT max(version) FROM schema_migrations`. It is 0 for a file without the table, and for
    /// a file that cannot be read; ``version()`` throws the reason.
    public var currentSchemaVersion: UInt64 { (try? version()) ?? 0 }

    /// Whether the version of the file is older than the desired one.
    public var migrationRequired: Bool { currentSchemaVersion < desiredSchemaVersion }

    /// Returns the version of the file; 0 for a file without the table `schema_migrations`.
    ///
    /// - Throws: ``SQLiteError`` if the file cannot be read; ``SchemaError/damagedHistory(_:)`` if `schema_migrations` is a
    ///   view or a virtual table, has triggers, or has a version below 0.
    public func version() throws -> UInt64 {
        try connection.checkHistoryTable("schema_migrations")
        guard try connection.catalog().has(.table, named: "schema_migrations") else { return 0 }
        let version: Int64? = try connection.query("SELECT max(version) FROM main.schema_migrations")
        guard let result = UInt64(exactly: version ?? 0) else {
            throw SchemaError.damagedHistory("schema_migrations has the version \(version ?? 0)")
        }
        return result
    }

    /// Runs the SQL of every version that the file has not run. Each version is one transaction (`BEGIN IMMEDIATE
    /// TRANSACTION`), which also records the version: `INSERT INTO schema_migrations(version, migration_timestamp) VALUES(?,
    /// ?)`.
    ///
    /// - Parameters:
    ///   - migrationSQLForSchemaVersion: Returns the SQL of a version: one or more statements.
    ///   - willMigrateToSchemaVersion: Called before each version.
    ///   - didMigrateToSchemaVersion: Called after each version, once it is committed.
    /// - Returns: The number of versions that were run; 0 if the file already has the desired version or a later one.
    /// - Throws: ``SQLiteError``, `SQLITE_ERROR` (1) inside a transaction; ``SchemaError/damagedHistory(_:)`` if
    ///   `schema_migrations` is a view or a virtual table, has triggers, or has a version below 0. The version that failed
    ///   is rolled back; the earlier ones are kept.
    @discardableResult
    open func runMigrationsIfNecessary(
        migrationSQLForSchemaVersion: (UInt64) -> SQL,
        willMigrateToSchemaVersion: ((UInt64) -> Void)? = nil,
        didMigrateToSchemaVersion: ((UInt64) -> Void)? = nil
    ) throws -> UInt64 {
        var sql: SQL = ""
        return try run(did: didMigrateToSchemaVersion) { version in
            sql = migrationSQLForSchemaVersion(version)
            willMigrateToSchemaVersion?(version)
        } body: { _ in
            try connection.execute(sql)
        }
    }

    /// A `String` is not accepted: the closure returns a literal or a ``SQL``.
    @available(*, unavailable, message: "a String may splice: return a literal, a SQL, or SQL(raw: text)")
    @discardableResult
    public func runMigrationsIfNecessary(
        migrationSQLForSchemaVersion: (UInt64) -> String,
        willMigrateToSchemaVersion: ((UInt64) -> Void)? = nil,
        didMigrateToSchemaVersion: ((UInt64) -> Void)? = nil
    ) throws -> UInt64 {
        throw SQLiteError.unavailableError
    }

    /// Calls a closure for every version that the file has not run. Each version is one transaction (`BEGIN IMMEDIATE
    /// TRANSACTION`), which also records the version.
    ///
    ///     try migrator.runMigrationsIfNecessary(
    ///         migrateDatabaseToSchemaVersion: { version, connection in
    ///             try connection.execute(
    ///                 "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)")
    ///         }
    ///     )
    ///
    /// - Parameters:
    ///   - migrateDatabaseToSchemaVersion: Migrates to a version. If it throws, everything that it has done is rolled back.
    ///   - willMigrateToSchemaVersion: Called before each version.
    ///   - didMigrateToSchemaVersion: Called after each version, once it is committed.
    /// - Returns: The number of versions that were run; 0 if the file already has the desired version or a later one.
    /// - Throws: The error of the closure; ``SQLiteError``, `SQLITE_ERROR` (1) inside a transaction;
    ///   ``SchemaError/damagedHistory(_:)`` if `schema_migrations` is a view or a virtual table, has triggers, or has a
    ///   version below 0. The version that failed is rolled back; the earlier ones are kept.
    @discardableResult
    open func runMigrationsIfNecessary(
        migrateDatabaseToSchemaVersion: (UInt64, Connection) throws -> Void,
        willMigrateToSchemaVersion: ((UInt64) -> Void)? = nil,
        didMigrateToSchemaVersion: ((UInt64) -> Void)? = nil
    ) throws -> UInt64 {
        try run(did: didMigrateToSchemaVersion) { version in
            willMigrateToSchemaVersion?(version)
        } body: { version in
            try migrateDatabaseToSchemaVersion(version, connection)
        }
    }

    private func run(
        did: ((UInt64) -> Void)?, prepare: (UInt64) -> Void, body: (UInt64) throws -> Void
    ) throws -> UInt64 {
        var count: UInt64 = 0
        var version = try self.version()
        while version < desiredSchemaVersion {
            let next = version + 1
            prepare(next)
            // Another process may have run this version. The version is checked again inside the transaction.
            let wasRunHere = try connection.transaction(transactionType: .immediate) {
                guard try self.version() == version else { return false }
                try connection.run(Self.createTable)
                try body(next)
                try connection.run(
                    "INSERT INTO main.schema_migrations(version, migration_timestamp) VALUES(\(next), \(Date()))")
                return true
            }
            guard wasRunHere else {
                version = try self.version()
                continue
            }
            count += 1
            did?(next)
            version = next
        }
        return count
    }

    private static let createTable: SQL = """
        CREATE TABLE IF NOT EXISTS main.schema_migrations\
        (version INTEGER UNIQUE NOT NULL, migration_timestamp TEXT NOT NULL)
        """
}

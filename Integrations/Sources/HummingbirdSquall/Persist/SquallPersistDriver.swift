import Hummingbird
import Logging
import Squall

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A persist driver of Hummingbird that keeps its values in a table of a Squall database.
///
///     let database = try Database("app.db")
///     let persist = try await SquallPersistDriver(database)
///     try await persist.create(key: "invitation.ada", value: 3, expires: .seconds(3600))
///     let count = try await persist.get(key: "invitation.ada", as: Int.self)
///     let app = Application(router: router, services: [persist])
///
/// A value is stored as JSON in TEXT. Whether it has expired is decided in the statement that reads or writes it: an
/// expired value is as good as missing, also before it is swept. As a service, the driver deletes expired rows at an
/// interval.
///
/// Several drivers, in any number of processes, can use one table. The driver does not close the database.
public struct SquallPersistDriver: PersistDriver {
    /// The settings of a driver.
    public struct Configuration: Sendable {
        /// The name of the table, which is quoted where it is used.
        public var table: String
        /// The maximum duration of each access to the database, including waits; `nil` for no limit.
        public var deadline: Duration?
        /// The time between two sweeps of expired rows; at least a millisecond.
        public var sweepInterval: Duration
        /// The maximum number of rows that one transaction of a sweep deletes; at least 1.
        public var sweepBatch: Int

        public init(
            table: String = "hummingbird_persist", deadline: Duration? = .seconds(5),
            sweepInterval: Duration = .seconds(60), sweepBatch: Int = 500
        ) {
            self.table = table
            self.deadline = deadline
            self.sweepInterval = sweepInterval
            self.sweepBatch = sweepBatch
        }
    }

    let database: Database
    let configuration: Configuration
    let logger: Logger
    let now: @Sendable () -> Date

    /// Makes a driver, and its table and index if they are missing:
    ///
    ///     CREATE TABLE "hummingbird_persist"(
    ///         key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL, expires_at INTEGER)
    ///     CREATE INDEX "hummingbird_persist_expires_at" ON "hummingbird_persist"(expires_at)
    ///         WHERE expires_at IS NOT NULL
    ///
    /// `expires_at` is in milliseconds since 1970. Nothing is written when both exist.
    ///
    /// - Parameters:
    ///   - database: The database, which must stay open as long as the driver is used.
    ///   - configuration: The settings of the driver.
    ///   - logger: Receives a warning for each sweep that fails.
    ///   - now: Returns the present time. Processes that share a table must agree on it.
    /// - Throws: ``/Squall/SQLiteError``, also for a table of that name with other columns.
    public init(
        _ database: Database, configuration: Configuration = Configuration(),
        logger: Logger = Logger(label: "SquallPersistDriver"), now: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        self.database = database
        self.configuration = configuration
        self.logger = logger
        self.now = now
        try await createTable()
    }

    /// Stores a value for a key that has none, or whose value has expired.
    ///
    ///     INSERT INTO "hummingbird_persist"(key, value, expires_at) VALUES(?, ?, ?)
    ///         ON CONFLICT(key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
    ///         WHERE expires_at <= :now
    ///
    /// - Parameters:
    ///   - key: The key. Keys are equal when their bytes are equal.
    ///   - value: The value.
    ///   - expires: The time after which the value expires, rounded up to milliseconds; `nil` for never. A value that
    ///     is stored with zero or a negative time has expired at once.
    /// - Throws: `PersistError.duplicate` for a key that has a value; `EncodingError`; ``/Squall/SQLiteError``, also
    ///   when the deadline has passed and when the database is locked; `CancellationError`.
    public func create<Object: Codable & Sendable>(key: String, value: Object, expires: Duration?) async throws {
        let json = try encode(value)
        let isCreated = try await write { connection, now in
            try connection.run(
                """
                INSERT INTO \(name: table) AS old(key, value, expires_at)
                VALUES(\(key), \(json), \(now.advanced(by: expires)))
                ON CONFLICT(key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
                WHERE old.expires_at <= \(now.milliseconds)
                """)
            return connection.changes > 0
        }
        guard isCreated else { throw PersistError.duplicate }
    }

    /// Stores a value for a key, whether or not it has one.
    ///
    /// - Parameters:
    ///   - key: The key. Keys are equal when their bytes are equal.
    ///   - value: The value.
    ///   - expires: The time after which the value expires, rounded up to milliseconds; `nil` to keep the expiry of the
    ///     present value, if there is one that has not expired. Otherwise, the new value never expires.
    /// - Throws: `EncodingError`; ``/Squall/SQLiteError``, also when the deadline has passed and when the database is
    ///   locked; `CancellationError`.
    public func set<Object: Codable & Sendable>(key: String, value: Object, expires: Duration?) async throws {
        let json = try encode(value)
        try await write { connection, now in
            try connection.run(
                """
                INSERT INTO \(name: table) AS old(key, value, expires_at)
                VALUES(\(key), \(json), \(now.advanced(by: expires)))
                ON CONFLICT(key) DO UPDATE SET value = excluded.value, expires_at = coalesce(
                    excluded.expires_at,
                    CASE WHEN old.expires_at > \(now.milliseconds) THEN old.expires_at END)
                """)
        }
    }

    /// Stores a value for a key that has one, and does nothing for any other key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The new value.
    ///   - expires: The time after which the value expires; `nil` to keep the expiry of the present value.
    /// - Returns: Whether the key had a value that has not expired.
    /// - Throws: `EncodingError`; ``/Squall/SQLiteError``, also when the deadline has passed and when the database is
    ///   locked; `CancellationError`.
    @discardableResult
    public func replace(key: String, value: some Codable & Sendable, expires: Duration? = nil) async throws -> Bool {
        let json = try encode(value)
        return try await write { connection, now in
            try connection.run(
                """
                UPDATE \(name: table)
                SET value = \(json), expires_at = coalesce(\(now.advanced(by: expires)), expires_at)
                WHERE key = \(key) AND (expires_at IS NULL OR expires_at > \(now.milliseconds))
                """)
            return connection.changes > 0
        }
    }

    /// Returns the value of a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The type of the value.
    /// - Returns: The value; `nil` if there is none, or it has expired.
    /// - Throws: `PersistError.invalidConversion` for a value that does not decode as the type;
    ///   ``/Squall/SQLiteError``, also when the deadline has passed; `CancellationError`.
    public func get<Object: Codable & Sendable>(key: String, as type: Object.Type) async throws -> Object? {
        try await getWithTTL(key: key, as: type)?.object
    }

    /// Returns the value of a key, and the time until it expires.
    ///
    ///     SELECT value, expires_at FROM "hummingbird_persist"
    ///         WHERE key = ? AND (expires_at IS NULL OR expires_at > :now)
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The type of the value.
    /// - Returns: The value, and `nil` as its time if it never expires; `nil` if there is no value, or it has expired.
    /// - Throws: `PersistError.invalidConversion` for a value that does not decode as the type;
    ///   ``/Squall/SQLiteError``, also when the deadline has passed; `CancellationError`.
    public func getWithTTL<Object: Codable & Sendable>(
        key: String, as type: Object.Type
    ) async throws -> (object: Object, ttl: Duration?)? {
        let found = try await database.read(deadline: configuration.deadline) { connection in
            let now = Instant(self.now())
            return try connection.first(
                """
                SELECT value, expires_at FROM \(name: table)
                WHERE key = \(key) AND (expires_at IS NULL OR expires_at > \(now.milliseconds))
                """, as: (String, Int64?).self
            ).map { (json: $0, ttl: $1.map(now.duration(to:))) }
        }
        guard let found else { return nil }
        return (try decode(type, found.json), found.ttl)
    }

    /// Removes a key and its value, if there is one: `DELETE FROM "hummingbird_persist" WHERE key = ?`.
    ///
    /// - Throws: ``/Squall/SQLiteError``, also when the deadline has passed and when the database is locked;
    ///   `CancellationError`.
    public func remove(key: String) async throws {
        try await write { connection, _ in
            try connection.run("DELETE FROM \(name: table) WHERE key = \(key)")
        }
    }
}

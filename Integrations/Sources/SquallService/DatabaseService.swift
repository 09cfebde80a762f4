import IntegrationSupport
import Logging
import ServiceLifecycle
import Squall

/// A database as a service: it opens, checks and migrates the file, and at the graceful shutdown waits for what runs,
/// checkpoints the write-ahead log and closes.
///
///     let service = DatabaseService(migratedBy: schema, check: .quick) { try Database("app.db") }
///     let group = ServiceGroup(
///         services: [service, server], gracefulShutdownSignals: [.sigterm], logger: logger)
///     try await group.run()
///
/// A service group starts its services at the same time, and shuts them down in the reverse order. List the database
/// before the services that use it: it is closed last. They get it from ``database``, which suspends until it is ready.
///
/// A service runs once: after its end, ``database`` and ``run()`` throw ``DatabaseServiceError/closed``.
public final class DatabaseService: Service {
    /// How thoroughly the file is checked for damage before it is migrated.
    public enum Check: Hashable, Sendable {
        /// Runs no check.
        case none
        /// Runs `PRAGMA quick_check(100)`, which does not compare indexes with their tables.
        case quick
        /// Runs `PRAGMA integrity_check(100)`.
        case full
    }

    let state = Locked(ServiceState())
    let open: @Sendable () throws -> Database
    let schema: Schema?
    let check: Check
    let limit: Duration
    let logger: Logger

    /// Makes a service that opens a database.
    ///
    /// The database is opened when ``run()`` or the first use of ``database`` needs it.
    ///
    /// - Parameters:
    ///   - schema: The schema to whose latest version the file is migrated; `nil` to leave the file as it is.
    ///   - check: The check for damage before the migration. It reads the whole file.
    ///   - limit: The time that running closures have to end at the shutdown. Their statements are then interrupted.
    ///   - logger: A logger of the steps of the service, and of how long each took.
    ///   - open: Opens the database. It is called once, outside the threads that tasks share.
    public init(
        migratedBy schema: Schema? = nil, check: Check = .none, interruptingAfter limit: Duration = .seconds(5),
        logger: Logger = Logger(label: "squall.service"), open: @escaping @Sendable () throws -> Database
    ) {
        self.open = open
        self.schema = schema
        self.check = check
        self.limit = limit
        self.logger = logger
    }

    /// Makes a service of a database that is already open, which it closes at its end.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - schema: The schema to whose latest version the file is migrated; `nil` to leave the file as it is.
    ///   - check: The check for damage before the migration. It reads the whole file.
    ///   - limit: The time that running closures have to end at the shutdown. Their statements are then interrupted.
    ///   - logger: A logger of the steps of the service, and of how long each took.
    public convenience init(
        _ database: Database, migratedBy schema: Schema? = nil, check: Check = .none,
        interruptingAfter limit: Duration = .seconds(5), logger: Logger = Logger(label: "squall.service")
    ) {
        self.init(migratedBy: schema, check: check, interruptingAfter: limit, logger: logger) { database }
    }

    /// Whether the database is open, checked and migrated, and the service is not shutting down. It does not wait: the
    /// answer of a readiness probe.
    public var isReady: Bool { state.withLock { $0.readyDatabase != nil } }

    /// The database, once it is open, checked and migrated.
    ///
    ///     let cars: [Car] = try await service.database.read { try $0.query("SELECT * FROM cars") }
    ///
    /// The first use, or ``run()``, begins the opening, which happens once for all callers. Cancelling the task of a
    /// caller ends its wait, not the opening.
    ///
    /// - Throws: The error of the opening, the check or the migration, to all callers;
    ///   ``DatabaseServiceError/closed`` from the beginning of the shutdown; `CancellationError`.
    public var database: Database {
        get async throws {
            if let database = state.withLock({ $0.readyDatabase }) { return database }
            return try await waitForDatabase()
        }
    }

    /// Opens the database, waits for the graceful shutdown, and closes the database.
    ///
    /// At the shutdown:
    ///
    /// 1. ``database`` and every new call of the database throw, and so do the calls that wait for a connection.
    /// 2. Running closures may end. After the limit, their statements are interrupted, and their transactions are rolled
    ///    back: their callers get `SQLITE_INTERRUPT` (9). What a call has returned from is committed and kept.
    /// 3. The readers and then the writer are closed. As the last connection of the file, the writer copies the
    ///    write-ahead log into the file and removes it. If another process has the file open, the log is truncated
    ///    (`PRAGMA wal_checkpoint(TRUNCATE)`); if the process also reads for longer than a second, the log stays.
    ///
    /// A shutdown during the check or the migration ends it: the version that runs is rolled back, the earlier ones are
    /// kept, and no later one begins. `run` then returns; the next start continues with that version.
    ///
    /// Cancelling the task interrupts the running statements at once, and closes the database.
    ///
    /// - Throws: The error of the opening, the check or the migration, after the database was closed;
    ///   `CancellationError` when the task is cancelled before a graceful shutdown; ``DatabaseServiceError/closed`` when
    ///   the service has run before.
    public func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { _ = try await self.database }
            try await gracefulShutdown()
        } catch {
            let isShuttingDown = Task.isShuttingDownGracefully
            try await close()
            // Not the reason for which the wait has ended.
            if isShuttingDown, error is CancellationError { return }
            throw error
        }
        try await close()
    }
}

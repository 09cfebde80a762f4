import Squall
import SquallChanges
import SquallSync

/// The hub of devices: its order of changes counts for all.
///
///     let hub = try await SyncHub(database) {
///         SyncTable("lists")
///         SyncTable("items", conflicts: .replicaWins)
///     }
///     let transport = hub.transport(for: SyncPrincipal(user: "ada"))
///
/// The server authenticates a device, and passes its ``SyncPrincipal``. Commits of the server's own code in the `Database` are sent to the
/// devices as well.
public final class SyncHub: Sendable {
    /// The database.
    public var database: Database { followed.database }
    /// The version of the tables, which devices must have too.
    public var version: Int { log.version }

    let followed: FollowedLog
    private let tables: [SyncTable]

    var log: SyncLog { followed.log }

    /// Makes the log of the database, or opens it again, and records its commits from then on.
    ///
    ///     CREATE TABLE squall_sync_devices(origin TEXT PRIMARY KEY, principal TEXT)
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - origin: The name of the hub, which stays the same.
    ///   - version: The version of the tables: that of the last migration with `SyncLog.migrate`.
    ///   - tables: The tables that take part.
    /// - Throws: `SQLiteError`, with a `SyncSetupProblem`; as `SyncLog.follow`.
    public init(
        _ database: Database, origin: String = "hub", version: Int = 0,
        @ListBuilder<SyncTable> tables: () -> [SyncTable]
    ) async throws {
        let tables = tables()
        followed = try await tables.follow(database, origin: origin, role: .hub, version: version)
        try await database.write { connection in
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS main.squall_sync_devices(
                    origin TEXT PRIMARY KEY, principal TEXT NOT NULL) WITHOUT ROWID
                """)
        }
        self.tables = tables
    }

    // MARK: - Answers

    /// Merges changes of a device, in one transaction. A batch that is sent again is answered as before.
    ///
    /// - Returns: The position up to which the hub has the changes of the device.
    /// - Throws: A `SyncRefusal`; `CancellationError`; `SQLiteError` for which the device tries again, as on a full disk.
    public func push(_ batch: SyncBatch, by principal: SyncPrincipal) async throws -> SyncCursor {
        try check(batch.version)
        while true {
            // Statements of the server that have committed by themselves come first.
            try await followed.flush()
            if let cursor = try await merge(batch, principal) { return cursor }
        }
    }

    /// Returns `nil` if changes of the server have no place in the log yet.
    private func merge(_ batch: SyncBatch, _ principal: SyncPrincipal) async throws -> SyncCursor? {
        try await database.write(isolated: true) { [log] connection in
            try connection.bind(batch.sender, to: principal)
            do {
                return try log.merge(batch, on: connection).cursor
            } catch let error as SQLiteError {
                let problem = error.problem(SyncProblem.self)
                if problem == .unrecordedChanges { return nil }
                let isRefused = problem != nil || [.mismatch, .constraint].contains(error.resultCode)
                throw isRefused ? SyncRefusal.batch(error.message) : error
            }
        }
    }

    /// Returns the changes after the position of a device.
    ///
    /// - Throws: A `SyncRefusal`; `CancellationError`; `SQLiteError`.
    public func pull(_ request: SyncPullRequest, by principal: SyncPrincipal) async throws -> SyncPage {
        try await admit(request.origin, request.version, principal)
        try await followed.flush()
        return try await database.read { [log] connection in
            let end = try log.end(on: connection)
            do {
                if let cursor = request.cursor, cursor.log == end.log {
                    let batch = try log.changes(since: cursor, byteLimit: Self.bytes(request.byteLimit), on: connection)
                    return SyncPage(batch: batch, hasMore: batch.cursor != end)
                }
            } catch let error as SQLiteError where error.problem(SyncProblem.self) == .entriesRemoved {}
            return SyncPage(
                batch: try log.start(of: request.origin, on: connection), hasMore: false, begins: true)
        }
    }

    /// Returns rows of a table for a device that begins.
    ///
    /// - Throws: A `SyncRefusal`; `CancellationError`; `SQLiteError`.
    public func rows(_ request: SyncRowsRequest, by principal: SyncPrincipal) async throws -> SyncRows {
        try await admit(request.origin, request.version, principal)
        return try await database.read { [log] connection in
            do {
                return try log.rows(
                    of: request.table, after: request.key, byteLimit: Self.bytes(request.byteLimit), on: connection)
            } catch let error as SQLiteError where error.problem(SyncProblem.self) != nil {
                throw SyncRefusal.batch(error.message)
            }
        }
    }

    /// The bytes of changes in one answer.
    private static func bytes(_ limit: Int) -> Int { max(1, min(limit, 4_000_000)) }

    /// The positions of the hub: the present one, and those after later commits. The stream ends when the database is closed.
    public func events(for principal: SyncPrincipal) -> AsyncThrowingStream<SyncCursor, any Error> {
        let (positions, continuation) = AsyncThrowingStream.makeStream(
            of: SyncCursor.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            do {
                try await tables.forEachCommit(of: database) { continuation.yield(try await self.position()) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return positions
    }

    /// The end of the log.
    private func position() async throws -> SyncCursor {
        try await followed.flush()
        return try await database.read { [log] in try log.end(on: $0) }
    }

    private func admit(_ origin: String, _ version: Int, _ principal: SyncPrincipal) async throws {
        try check(version)
        if try await !database.read({ try $0.isBound(origin, to: principal) }) {
            try await database.write { try $0.bind(origin, to: principal) }
        }
    }

    private func check(_ version: Int) throws {
        if version != self.version { throw SyncRefusal.version(hub: self.version) }
    }
}

extension Connection {
    fileprivate func isBound(_ origin: String, to principal: SyncPrincipal) throws -> Bool {
        let owner: String? = try query("SELECT principal FROM main.squall_sync_devices WHERE origin = \(origin)")
        if let owner, owner != principal.user { throw SyncRefusal.origin }
        return owner != nil
    }

    /// Gives an origin to the principal that uses it first.
    fileprivate func bind(_ origin: String, to principal: SyncPrincipal) throws {
        if try isBound(origin, to: principal) { return }
        try run("INSERT INTO main.squall_sync_devices VALUES(\(origin), \(principal.user))")
    }
}

extension SyncHub {
    /// Returns a transport for a device in the same process.
    public func transport(for principal: SyncPrincipal) -> some SyncTransport {
        DirectTransport(hub: self, principal: principal)
    }
}

private struct DirectTransport: SyncTransport {
    let hub: SyncHub
    let principal: SyncPrincipal

    func push(_ batch: SyncBatch) async throws -> SyncCursor { try await hub.push(batch, by: principal) }

    func pull(_ request: SyncPullRequest) async throws -> SyncPage { try await hub.pull(request, by: principal) }

    func rows(_ request: SyncRowsRequest) async throws -> SyncRows { try await hub.rows(request, by: principal) }

    func events() -> AsyncThrowingStream<SyncCursor, any Error> { hub.events(for: principal) }
}

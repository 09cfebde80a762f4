import Squall
import SquallBase
import SquallChanges
import SquallSync

/// The hub of devices: its order of changes counts for all.
///
///     let hub = try await SyncHub(database) {
///         SyncTable(
///             "lists",
///             visible: "id IN (SELECT list FROM members WHERE user = :user)")
///         SyncTable("news", conflicts: .replicaWins)
///     }
///     let transport = hub.transport(for: SyncPrincipal(user: "ada"))
///
/// The server authenticates a device, and passes its ``SyncPrincipal``. Commits of the server's own code in the `Database` are sent to the
/// devices as well. The tables that conditions read, such as `members`, need a primary key. Their changes are recorded, and are sent only if
/// they take part themselves.
public final class SyncHub: Sendable {
    /// The database.
    public var database: Database { followed.database }
    /// The version of the tables, which devices must have too.
    public var version: Int { log.version }

    let followed: FollowedLog
    private let scopes: HubScopes
    private let streams: HubStreams

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
    /// - Throws: `SQLiteError`, with a `SyncSetupProblem`, or a ``SyncScopeProblem`` for a condition; as `SyncLog.follow`.
    public init(
        _ database: Database, origin: String = "hub", version: Int = 0,
        @ListBuilder<SyncTable> tables: @Sendable () -> [SyncTable]
    ) async throws {
        let tables = tables()
        let (scopes, recorded) = try await database.read { connection in
            (try HubScopes(tables, on: connection), try connection.recordedTables())
        }
        let names = Set(tables.map { Identifier($0.name) })
        let dropped = try await database.write { connection in
            let dropped = try recorded.filter { try !connection.hasSource(named: $0.spelling) }
            for table in dropped { try SyncLog.remove(table.spelling, on: connection) }
            return dropped
        }
        let others = scopes.readTables.union(recorded).subtracting(names).subtracting(dropped).map(\.spelling)
        followed = try await tables.follow(
            database, origin: origin, role: .hub, version: version, others: others)
        try await database.write { connection in
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS main.squall_sync_devices(
                    origin TEXT PRIMARY KEY, principal TEXT NOT NULL) WITHOUT ROWID
                """)
        }
        self.scopes = scopes
        streams = HubStreams(followed, scopes, names.map(\.spelling) + others)
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
        try await database.write(isolated: true) { [log, scopes] connection in
            try connection.bind(batch.sender, to: principal)
            let reader = ScopeReader(scopes, principal, on: connection)
            do {
                let report = try log.merge(
                    batch, on: connection, refusing: { try reader.refusal($0, $1) }, showsRow: { try reader.shows($0) })
                return report.cursor
            } catch let error as SQLiteError {
                switch error.problem(SyncProblem.self) {
                case .unrecordedChanges: return nil
                case .missingEntries(let number, _): throw SyncRefusal.missing(after: number)
                case .reusedNumbers, .otherLogOfOrigin: throw SyncRefusal.reused
                case nil where ![.mismatch, .constraint].contains(error.resultCode): throw error
                default: throw SyncRefusal.batch(error.message)
                }
            }
        }
    }

    /// Returns the changes after the position of a device.
    ///
    /// - Throws: A `SyncRefusal`; `CancellationError`; `SQLiteError`.
    public func pull(_ request: SyncPullRequest, by principal: SyncPrincipal) async throws -> SyncPage {
        try await admit(request.origin, request.version, principal)
        try await followed.flush()
        return try await database.read { [log, scopes] connection in
            let reading = try ScopedLog(log, scopes, principal, on: connection)
            do {
                if let cursor = request.cursor, try reading.knows(cursor) {
                    return try reading.page(
                        after: cursor, for: request.origin, byteLimit: Self.bytes(request.byteLimit))
                }
            } catch let error as SQLiteError where error.problem(SyncProblem.self) == .entriesRemoved {}
            return try reading.start(of: request.origin)
        }
    }

    /// Returns rows of a table for a device that begins.
    ///
    /// - Throws: A `SyncRefusal`; `CancellationError`; `SQLiteError`.
    public func rows(_ request: SyncRowsRequest, by principal: SyncPrincipal) async throws -> SyncRows {
        try await admit(request.origin, request.version, principal)
        return try await database.read { [log, scopes] connection in
            let reading = try ScopedLog(log, scopes, principal, on: connection)
            guard try reading.knows(request.cursor) else {
                throw SyncRefusal.batch("the position is not known any more")
            }
            do {
                return try reading.rows(
                    of: request.table, after: request.key, at: request.cursor, byteLimit: Self.bytes(request.byteLimit))
            } catch let error as SQLiteError where error.problem(SyncProblem.self) != nil {
                throw SyncRefusal.batch(error.message)
            }
        }
    }

    /// Returns the position of the first range of rows of which the hub has other ones for a device; `nil` if it has the same.
    ///
    /// - Throws: A `SyncRefusal`; `CancellationError`; `SQLiteError`.
    public func audit(_ request: SyncAuditRequest, by principal: SyncPrincipal) async throws -> Int? {
        try await admit(request.origin, request.version, principal)
        return try await database.read { [log, scopes] connection in
            let reading = try ScopedLog(log, scopes, principal, on: connection)
            guard try reading.knows(request.cursor) else {
                throw SyncRefusal.batch("the position is not known any more")
            }
            do { return try reading.firstDifference(request) } catch let error as SQLiteError
                where error.problem(SyncProblem.self) != nil
            { throw SyncRefusal.batch(error.message) }
        }
    }

    /// The bytes of changes in one answer.
    private static func bytes(_ limit: Int) -> Int { max(1, min(limit, 4_000_000)) }

    /// The positions of the hub: the present one, and those after later commits that have changed rows for the principal. The stream ends when the
    /// database is closed.
    public func events(for principal: SyncPrincipal) -> AsyncThrowingStream<SyncCursor, any Error> {
        streams.stream(for: principal)
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
    /// The tables that the log of the database has, also from earlier conditions.
    fileprivate func recordedTables() throws -> [Identifier] {
        let tables: Int = try query("SELECT count(*) FROM main.sqlite_schema WHERE name = 'squall_sync_columns'")
        if tables == 0 { return [] }
        let names: [String] = try query("SELECT DISTINCT tbl FROM main.squall_sync_columns")
        return names.map { Identifier($0) }
    }

    fileprivate func isBound(_ origin: String, to principal: SyncPrincipal) throws -> Bool {
        let owner: String? = try query("SELECT principal FROM main.squall_sync_devices WHERE origin = \(origin)")
        // Equal by their bytes, as in conditions.
        if let owner, !owner.utf8.elementsEqual(principal.user.utf8) { throw SyncRefusal.origin }
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

    func audit(_ request: SyncAuditRequest) async throws -> Int? { try await hub.audit(request, by: principal) }

    func events() -> AsyncThrowingStream<SyncCursor, any Error> { hub.events(for: principal) }
}

import Foundation
import Squall
import SquallBase
import SquallChanges

/// Synchronises a database with a hub. Every commit of the `Database` takes part, whoever writes it.
///
///     let sync = try await SyncEngine(database, transport: transport) {
///         SyncTable("lists")
///         SyncTable("items")
///     }
///     try await sync.now()                    // once: send, receive
///     let running = Task { try await sync.run() }
///     for await state in sync.states { … }
///
/// The device works without the hub. Its changes are sent when the hub can be reached; a local write is dropped only after the hub has
/// merged it, or has decided that a row of its own wins: ``SyncSummary/conflicts``.
///
/// Only one engine, in one process, uses a database file. The tables of the log are in the database: see `SyncLog`.
public actor SyncEngine {
    /// The database.
    public nonisolated var database: Database { followed.database }
    /// The name of this device at the hub, a UUID that is stored in the database. A file that was restored or copied gets another one.
    public nonisolated var origin: String { log.origin }
    /// The version of the tables, which the hub must have too.
    public nonisolated var version: Int { log.version }

    private let current: Locked<FollowedLog>
    let transport: any SyncTransport
    let clock: any Clock<Duration>
    nonisolated let tables: [SyncTable]
    /// The position up to which the hub is known to have the changes of this device.
    var pushed: SyncCursor?
    /// The work since the last round that has ended well: a round that fails may have found conflicts.
    var unfinished = SyncSummary()
    /// Whether the hub has told of changes that are not here.
    var hubHasMore = false
    private var stateStreams = SyncStates()
    private var isBusy = false
    private var waiters: [(id: UUID, continuation: CheckedContinuation<Void, any Error>)] = []

    nonisolated var followed: FollowedLog { current.withLock { $0 } }
    nonisolated var log: SyncLog { followed.log }

    /// Makes the log of the database, or opens it again, and records its commits from then on.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - transport: The way to the hub.
    ///   - version: The version of the tables: that of the last migration with `SyncLog.migrate`.
    ///   - clock: The clock by which ``run()`` waits after failures.
    ///   - tables: The tables that take part.
    /// - Throws: `SQLiteError`, with a ``SyncSetupProblem``; as `SyncLog.follow`.
    public init(
        _ database: Database, transport: any SyncTransport, version: Int = 0,
        clock: any Clock<Duration> = ContinuousClock(), @ListBuilder<SyncTable> tables: @Sendable () -> [SyncTable]
    ) async throws {
        let tables = tables()
        let origin = try await database.read { try $0.syncOrigin() } ?? UUID().uuidString
        current = Locked(try await tables.follow(database, origin: origin, role: .replica, version: version))
        self.transport = transport
        self.clock = clock
        self.tables = tables
    }

    /// Sends all changes of this device, and receives those of the hub.
    ///
    /// A call during another one, or during a round of ``run()``, waits for it and makes a round of its own.
    ///
    /// - Throws: A ``SyncRefusal`` of the hub; an error of the transport; `CancellationError`; `SQLiteError`. Changes that were not sent
    ///   stay in the log.
    @discardableResult
    public func now() async throws -> SyncSummary {
        try await beginRound()
        defer { endRound() }
        return try await round()
    }

    // MARK: - Conflicts

    /// Returns the changes of this device that the hub did not keep, each with both rows, until they are resolved. They are stored in the
    /// database.
    ///
    /// - Throws: As `SyncLog.conflicts(on:)`.
    public nonisolated func conflicts() async throws -> [SyncConflict] {
        try await database.read { [log] in try log.conflicts(on: $0) }
    }

    /// Ends a conflict: with the row of the hub, or with a new change that makes the row of this device.
    ///
    ///     for conflict in try await sync.conflicts() {
    ///         try await sync.resolve(conflict, keeping: .replica)
    ///     }
    ///
    /// - Parameters:
    ///   - conflict: One of ``conflicts()``, or of a ``SyncSummary``.
    ///   - winner: The side whose row is kept.
    /// - Throws: As `SyncLog.resolve(_:keeping:on:)`.
    public nonisolated func resolve(_ conflict: SyncConflict, keeping winner: SyncConflict.Winner) async throws {
        try await database.write { [log] in try log.resolve(conflict, keeping: winner, on: $0) }
    }

    /// Goes on as another device, whose changes have numbers from 1 on.
    func renew() async throws {
        let next = try await followed.renewed(origin: UUID().uuidString)
        current.withLock { $0 = next }
        pushed = nil
    }

    // MARK: - States

    /// The states of the device: the present one, and each that follows. Each call returns a stream by itself, which ends when its task is
    /// cancelled.
    public nonisolated var states: AsyncStream<SyncState> {
        AsyncStream { continuation in
            let id = UUID()
            continuation.onTermination = { _ in Task { await self.removeStates(id) } }
            Task { await self.addStates(continuation, id) }
        }
    }

    private func addStates(_ stream: AsyncStream<SyncState>.Continuation, _ id: UUID) { stateStreams.add(stream, id) }

    private func removeStates(_ id: UUID) { stateStreams.remove(id) }

    func report(_ state: SyncState) { stateStreams.report(state) }

    // MARK: - One round at a time

    func beginRound() async throws {
        guard isBusy else { return isBusy = true }
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                waiters.append((id, continuation))
            }
        } onCancel: {
            Task { await self.cancelWaiter(id) }
        }
    }

    private func cancelWaiter(_ id: UUID) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(throwing: CancellationError())
    }

    /// Hands the turn to the next call.
    func endRound() {
        if waiters.isEmpty { isBusy = false } else { waiters.removeFirst().continuation.resume() }
    }
}

extension Connection {
    /// The origin of the log that the database has.
    fileprivate func syncOrigin() throws -> String? {
        let tables: Int = try query("SELECT count(*) FROM main.sqlite_schema WHERE name = 'squall_sync_state'")
        if tables == 0 { return nil }
        return try query("SELECT value FROM main.squall_sync_state WHERE name = 'origin'")
    }
}

import Squall

/// A log that records each commit of a database, also of writes outside ``SyncLog/record(on:_:)``.
///
///     let followed = try await SyncLog.follow(
///         database, origin: deviceID, role: .replica, tables: ["notes": .hubWins])
///     try await database.write { try $0.run("UPDATE notes SET text = \(text)") }
///     let batch = try await database.read { try followed.log.changes(on: $0) }
///
/// A transaction has its entry in the same commit: a crash loses both or neither. If the entry cannot be written, the commit fails. The
/// changes of a statement that commits by itself, as in `Database.writeWithoutTransaction(deadline:_:)`, and of an outermost savepoint in
/// SQL, get their entry with the next transaction, by ``flush()``, or by ``stop()``; closing the database or a crash before that loses the entry. A merge is
/// the first write of its transaction.
///
/// The program does not see the SQL of entries, but its observers of rows do, and `Connection.changes` counts them after a commit. An entry is one
/// value: a transaction with more than a billion bytes of changes fails.
///
/// Commits of other processes, and of other `Database`s of the file, are not recorded. Call ``stop()`` before a migration that calls
/// ``SyncLog/migrate(_:to:from:columns:lastWriter:on:)``, and follow again afterwards: until then, commits can fail. Recording also ends when
/// the value is released.
public final class FollowedLog: Sendable {
    /// The log, which merges the changes of others.
    public let log: SyncLog
    /// The database.
    public let database: Database
    private let state: FollowedState
    private let token: DatabaseObserverToken

    fileprivate init(_ log: SyncLog, _ database: Database, _ state: FollowedState) {
        self.log = log
        self.database = database
        self.state = state
        token = database.addObserver { connection in
            let recording = LogRecording(log, state)
            let follower = connection.transactionFollower
            follower.add(recording, on: connection)
            return ObserverToken { [unowned connection] in follower.remove(recording, on: connection) }
        }
    }

    deinit { token.cancel() }

    /// Ends recording. Ending it again does nothing.
    public func stop() { token.cancel() }

    /// Gives the log of a replica another origin, when its file was restored or copied: the hub knows its numbers as those of other changes. The
    /// changes that the hub has not confirmed are sent again under the new origin. It is a transaction; this value ends recording.
    ///
    /// - Parameter origin: The new name of this replica, which no other one has had.
    /// - Returns: The log, which records from then on.
    /// - Throws: As ``SyncLog/follow(_:origin:role:tables:version:runsTriggers:)``. This value goes on recording then.
    public nonisolated(nonsending) func renewed(origin: String) async throws -> FollowedLog {
        try await flush()
        let tables = [String: SyncLog.Policy](log.policies.map { ($0.key.spelling, $0.value) }) { first, _ in first }
        let next = FollowedLog(
            try SyncLog(
                origin: origin, role: log.role, tables: tables, version: log.version, runsTriggers: log.runsTriggers),
            database, FollowedState())
        do {
            try await database.write(isolated: true) { [log, state, next] connection in
                try state.writeWaiting(log, on: connection)
                try log.renew(origin: origin, on: connection)
                state.hasBegun.withLock { $0 = false }
                next.state.hasBegun.withLock { $0 = true }
            }
        } catch {
            state.hasBegun.withLock { $0 = true }
            next.stop()
            throw error
        }
        stop()
        return next
    }

    /// Gives the changes an entry that wait for a transaction, and checks that all commits were recorded.
    ///
    /// - Throws: The error that has prevented recording: a table has lost its primary key, for instance. Commits since then are not in the
    ///   log. As `Database.write(deadline:isolated:_:)`.
    public nonisolated(nonsending) func flush() async throws {
        if !state.waiting.withLock(\.isEmpty) {
            try await database.write(isolated: true) { [log, state] connection in
                // Otherwise the commit writes them.
                if connection.transactionFollower.recording(of: log) == nil {
                    try state.writeWaiting(log, on: connection)
                }
            }
        }
        if let error = state.loss.withLock({ $0 }) ?? state.failure.withLock({ $0 }) { throw error }
    }
}

extension SyncLog {
    /// Makes the log of a database, or opens it again, and records each commit of the database from then on.
    ///
    ///     let followed = try await SyncLog.follow(
    ///         database, origin: deviceID, role: .replica, tables: ["notes": .hubWins])
    ///
    /// It is a transaction. The rows that the tables already have are entries of a new log. The commits of this `Database` before the
    /// call are not in a log that is opened again.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - origin: The name of this replica, which no other one has.
    ///   - role: The part of this database in the exchange.
    ///   - tables: The tables, and the rules by which one of two changes wins.
    ///   - version: The version of the values, of the last migration of the log.
    ///   - runsTriggers: Whether triggers run when a merge writes rows.
    /// - Throws: `SQLiteError` as ``init(_:origin:role:tables:version:runsTriggers:)``; as
    ///   `Database.write(deadline:isolated:_:)`.
    public nonisolated(nonsending) static func follow(
        _ database: Database, origin: String, role: Role = .peer, tables: [String: Policy], version: Int = 0,
        runsTriggers: Bool = false
    ) async throws -> FollowedLog {
        let log = try SyncLog(
            origin: origin, role: role, tables: tables, version: version, runsTriggers: runsTriggers)
        let state = FollowedState()
        // The connection is followed before the rows become entries, so that no commit is between.
        let followed = FollowedLog(log, database, state)
        try await database.write(isolated: true) { connection in
            try log.install(on: connection)
            state.hasBegun.withLock { $0 = true }
        }
        return followed
    }
}

import Squall

/// A log of the changes of tables, with which databases are synchronised over any transport.
///
///     let log = try database.blocking.writeWithoutTransaction { connection in
///         try SyncLog(
///             connection, origin: deviceID,
///             tables: ["notes": .lastWriter(by: "updated_at")])
///     }
///     try database.blocking.writeWithoutTransaction { connection in
///         try log.record(on: connection) {
///             try $0.run("INSERT INTO notes VALUES(\(id), \(text), \(now))")
///         }
///     }
///     let batch = try database.blocking.read { try log.changes(since: cursor, on: $0) }
///     let report = try other.blocking.writeWithoutTransaction {
///         try otherLog.merge(batch, on: $0)
///     }
///
/// The log is a value without a connection: its methods take one of the database in which it was made, so that they work in the
/// blocking and in the asynchronous closures of `Database`. Its entries are in tables of the database: `squall_sync_rows` of a peer,
/// `squall_sync_log` of a hub and a replica, `squall_sync_conflicts` of a replica, and `squall_sync_state`, `squall_sync_columns` and
/// `squall_sync_cursors`.
///
/// Peers that have merged the changes of one another have the same rows: for each, the version of the last writer. Replicas of a hub
/// that have sent and received everything have the rows of the hub. No change is dropped without a report.
///
/// It does not promise that clocks are right; that rows which constraints other than the primary key forbid are stored everywhere: they
/// are reported, and stay in the log of peers; that other changes of columns than new ones at the end are understood; or that a batch
/// comes from the origin that it names. Only changes inside ``record(on:_:)``, those of a database that ``follow(_:origin:role:tables:version:runsTriggers:)``
/// follows, and those with which an ``UndoHistory`` undoes and redoes
/// its steps, are in the log. Rows with NULL in their primary key are not. A table must have a declared primary key, and no generated
/// columns.
public struct SyncLog: Sendable {
    /// The name of this replica, which no other one has.
    public let origin: String
    /// The part of this database in the exchange.
    public let role: Role
    /// The version of the values, which the databases that exchange changes must have in common.
    public let version: Int
    /// Whether triggers run when a merge writes rows.
    public let runsTriggers: Bool
    let policies: [Identifier: Policy]

    init(origin: String, role: Role, policies: [Identifier: Policy], version: Int) {
        self.origin = origin
        self.role = role
        self.policies = policies
        self.version = version
        runsTriggers = false
    }

    /// Makes the log of a database, or opens it again.
    ///
    ///     CREATE TABLE squall_sync_rows(sequence INTEGER PRIMARY KEY AUTOINCREMENT, …)
    ///
    /// The rows that the tables already have become entries. It is one transaction, or a savepoint inside a transaction. A peer that is
    /// opened with another origin than before, because its file was copied, gets a new log of the same rows.
    ///
    /// - Parameters:
    ///   - connection: A connection that can write.
    ///   - origin: The name of this replica. It must be different in each; a UUID that is stored outside the database, for instance.
    ///   - role: The part of this database in the exchange.
    ///   - tables: The tables, and the rules by which one of two changes wins. All replicas must have the same.
    ///   - version: The version of the values, of the last migration of the log: ``migrate(_:to:from:columns:lastWriter:on:)``. Batches of
    ///     another version are refused.
    ///   - runsTriggers: Whether triggers run when a merge writes rows. The changes that triggers make in the tables of the log are
    ///     entries already: let them run only if they write other tables. Triggers that only write to search tables and R*Trees always run.
    /// - Throws: `SQLiteError`, with a ``SyncProblem`` or a ``RecordingProblem``.
    public init(
        _ connection: Connection, origin: String, role: Role = .peer, tables: [String: Policy], version: Int = 0,
        runsTriggers: Bool = false
    ) throws {
        try self.init(origin: origin, role: role, tables: tables, version: version, runsTriggers: runsTriggers)
        try connection.inTransaction { try self.install(on: connection) }
    }

    /// A log that is not installed.
    init(origin: String, role: Role, tables: [String: Policy], version: Int, runsTriggers: Bool) throws {
        self.origin = origin
        self.role = role
        self.version = version
        self.runsTriggers = runsTriggers
        policies = Dictionary(tables.map { (Identifier($0), $1) }) { first, _ in first }
        if origin.isEmpty || origin.utf8.contains(0) { throw SQLiteError(SyncProblem.invalidOrigin) }
        for (name, policy) in tables where !policy.fits(role) {
            throw SQLiteError(SyncProblem.policy, of: .table(name))
        }
    }

    /// Calls a closure, and adds the changes that it makes to the tables of the log, in one transaction: a crash loses both or
    /// neither.
    ///
    ///     try log.record(on: connection) { try $0.run("DELETE FROM notes WHERE id = \(id)") }
    ///
    /// It is a savepoint inside a transaction. A recording inside another one is a part of it.
    ///
    /// - Parameters:
    ///   - connection: A connection that can write.
    ///   - body: The closure. Changes of the columns of tables are not possible in it.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, after which neither its changes nor entries are kept; `SQLiteError`.
    @discardableResult
    public func record<Result>(on connection: Connection, _ body: (Connection) throws -> Result) throws -> Result {
        let activity = connection.syncActivity
        // A followed log records every transaction at its end.
        if connection.transactionFollower.recording(of: self) != nil {
            return try connection.inTransaction { try body(connection) }
        }
        switch activity.phase {
        case .recording: return try connection.inTransaction { try body(connection) }
        case .merging: throw SQLiteError(SyncProblem.nested)
        case .none: break
        }
        return try connection.inTransaction {
            let open = try OpenLog(self, connection)
            try open.storeNewColumns()
            let recorder = try connection.startRecording(in: open.tableNames)
            defer { recorder.stop() }
            activity.phase = .recording
            defer { activity.phase = .none }
            let result = try body(connection)
            try open.add(open.changes(recorder.changesetWithoutNames()))
            return result
        }
    }

    /// Returns the changes after a position: the versions of rows of a peer, the log of a hub, and the changes of a replica that the
    /// hub has not confirmed.
    ///
    /// - Parameters:
    ///   - cursor: The end of the last batch that the receiver has merged: ``SyncReport/cursor``, or ``cursor(of:on:)`` of the
    ///     receiver. `nil` for a receiver that has none. A cursor of another log counts as none.
    ///   - limit: The maximum number of entries.
    ///   - connection: A connection of the database, which may be a reader.
    /// - Throws: `SQLiteError`: with a ``SyncProblem`` if entries after the position were removed.
    public func changes(
        since cursor: SyncCursor? = nil, limit: Int? = nil, on connection: Connection
    ) throws -> SyncBatch {
        try batch(since: cursor, on: connection) { _, _ in limit }
    }

    /// Returns the changes after a position, as many as have together at most some bytes. One entry is returned in any case.
    ///
    /// - Parameters:
    ///   - cursor: The end of the last batch that the receiver has merged; `nil` for a receiver that has none.
    ///   - byteLimit: The number of bytes of all entries.
    ///   - connection: A connection of the database, which may be a reader.
    /// - Throws: As ``changes(since:limit:on:)``.
    public func changes(since cursor: SyncCursor?, byteLimit: Int, on connection: Connection) throws -> SyncBatch {
        try batch(since: cursor, on: connection) { try $0.entryCount(after: $1, byteLimit: byteLimit) }
    }

    private func batch(
        since cursor: SyncCursor?, on connection: Connection, limit: @escaping (OpenLog, Int64) throws -> Int?
    ) throws -> SyncBatch {
        let body = {
            let open = try OpenLog(self, connection)
            // A replica keeps changes that its hub has confirmed.
            let start = try max(open.position(of: cursor), role == .replica ? open.state("confirmed") : 0)
            return try open.batch(after: start, limit: limit(open, start))
        }
        if connection.isInTransaction { return try body() }
        return try connection.savepoint(named: "squall_sync", transactionType: .deferred, closure: body)
    }

    /// Merges changes of another database, in one transaction, or in a savepoint inside a transaction. After an error nothing of
    /// it is left.
    ///
    /// A batch can be merged again, and peers can merge batches in any order. A hub merges batches of replicas, and a replica those of
    /// its hub.
    ///
    /// - Parameters:
    ///   - batch: The changes.
    ///   - connection: A connection that can write.
    /// - Returns: The changes of the tables, and all changes that are not in the tables.
    /// - Throws: `SQLiteError`: with a ``SyncProblem`` for a batch that does not fit; the error of a closure.
    @discardableResult
    public func merge(_ batch: SyncBatch, on connection: Connection) throws -> SyncReport {
        try merging([batch], on: connection) { open in
            switch role {
            case .peer: try PeerMerge(open, batch).run()
            case .hub: try HubMerge(open, batch).run()
            case .replica: try ReplicaMerge(open, batch).run()
            }
        }
    }

    /// Calls a closure that merges changes, in one transaction.
    func merging(
        _ batches: [SyncBatch], on connection: Connection, _ merge: (OpenLog) throws -> SyncReport
    ) throws -> SyncReport {
        let activity = connection.syncActivity
        guard activity.phase == .none else { throw SQLiteError(SyncProblem.nested) }
        if connection.transactionFollower.recording(of: self)?.hasUnrecordedChanges(on: connection) == true {
            throw SQLiteError(SyncProblem.unrecordedChanges)
        }
        return try connection.inTransaction {
            let open = try OpenLog(self, connection)
            for batch in batches { try open.check(batch) }
            try open.storeNewColumns()
            activity.phase = .merging
            defer { activity.phase = .none }
            // The changes of others are not those of this database.
            return try connection.transactionFollower.merging(on: connection) {
                try merge(open)
            } rows: { report in
                (report.applied + report.recorded).map { ($0.table, $0.key) }
            }
        }
    }

    /// Returns the position up to which the changes of another database are known here, or `nil` if none are.
    ///
    /// It is stored in the transaction of each merge, so that it is never ahead of the rows.
    public func cursor(of origin: String, on connection: Connection) throws -> SyncCursor? {
        try OpenLog(self, connection).cursor(of: origin)
    }

    /// Returns the position after all changes of this log: the ``SyncReport/cursor`` of one who has merged them.
    public func end(on connection: Connection) throws -> SyncCursor {
        let table = role == .peer ? "squall_sync_rows" : "squall_sync_log"
        let last: Int64? = try connection.query("SELECT max(sequence) FROM main.\(name: table)")
        return SyncCursor(log: try OpenLog(self, connection).id, sequence: last ?? 0)
    }

    /// Returns the rows that have won, and cannot be stored because of constraints. Peers have such rows; see
    /// ``SyncReport/pending``.
    public func pending(on connection: Connection) throws -> [SyncReport.PendingChange] {
        try OpenLog(self, connection).pendingChanges()
    }

    /// Makes the log smaller.
    ///
    /// A peer forgets deletions up to the position. That is safe when every replica has merged them: a replica that has not would bring
    /// the rows back. A hub combines its entries up to the position into one, and keeps conflicts that a replica may not have. Replicas that have merged the position, and new ones,
    /// go on; ``changes(since:limit:on:)`` throws for those between. A replica cannot be compacted.
    ///
    /// - Parameters:
    ///   - cursor: A position of this log that all others have reached: the smallest of theirs.
    ///   - connection: A connection that can write.
    /// - Throws: `SQLiteError`, with a ``SyncProblem`` for a replica.
    public func compact(through cursor: SyncCursor, on connection: Connection) throws {
        try connection.inTransaction {
            let open = try OpenLog(self, connection)
            switch role {
            case .peer: try open.removeTombstones(through: open.position(of: cursor))
            case .hub: try open.combineEntries(through: open.position(of: cursor))
            case .replica: throw SQLiteError(SyncProblem.compactionOfReplica)
            }
        }
    }
}

/// The activity of the logs of a connection, which cannot be nested.
final class SyncActivity {
    enum Phase { case none, recording, merging }

    var phase = Phase.none
}

extension Connection {
    var syncActivity: SyncActivity { companion { SyncActivity() } }

    /// Runs a closure in a transaction, or in a savepoint inside a transaction.
    func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        if isInTransaction { return try savepoint(named: "squall_sync", closure: body) }
        return try transaction(transactionType: .immediate, closure: body)
    }
}

import SquallSQLite

/// A connection that a ``PoolCore`` leases, to one thread at a time.
///
/// Sendable, because only the thread with the lease uses the connection and the properties of the lease: between
/// `acquire` and `release` of the core, whose locks make the changes of one user visible to the next. The properties of
/// the core are used under its lock.
///
/// The properties that an empty read uses are `@exclusivity(unchecked)`: see the benchmark
/// `access-read-empty`.
@usableFromInline
package final class PooledConnection: @unchecked Sendable {
    @usableFromInline package let connection: Connection
    /// The handle for interrupts from other threads. The core interrupts leased connections under its lock, so that
    /// they cannot be closed at the same time.
    private(set) var handle: OpaquePointer?
    private let core: ObjectIdentifier
    /// Whether the core can open another connection.
    private let isReplaceable: Bool
    private let fork: ForkGuard

    // Properties of the lease.

    // Unmanaged: the leases of a thread end in reverse order, so that the outer connection outlives this property.
    /// The connection that the thread was using when it leased this one.
    @exclusivity(unchecked) private var outer: Unmanaged<PooledConnection>?
    @exclusivity(unchecked) var transactionStatements = TransactionStatements()
    /// Whether the connection may be returned to the slot of the thread: not after an asynchronous closure, whose
    /// thread is rarely the next to read.
    @exclusivity(unchecked) var returnsToSlot = true
    @exclusivity(unchecked) var held = HeldSnapshot()
    @exclusivity(unchecked) var optimizeSchedule: OptimizeSchedule
    /// The time of the last check of the file for this connection, on `CoarseClock`.
    var lastFileCheck: UInt64 = 0
    @exclusivity(unchecked) private var reportedStatistics = StatementCacheStatistics(capacity: 0)
    @exclusivity(unchecked) private var reportedRows = 0
    /// The time at which the call that uses the connection began, on `MonotonicClock`; 0 if it is not measured.
    @exclusivity(unchecked) var callStart: UInt64 = 0
    /// The group whose transaction is open between two closures.
    var group: CommitGroup?
    /// Whether another connection is opened in place of this one, which is closed, although it is the only one of its core.
    var mustBeReopened = false
    /// The observers of the database that are installed on the connection.
    var observers: [Int: ObserverToken] = [:]

    // Properties of the core.

    /// Whether observers of the database have been added or removed since `observers` were installed.
    var hasOldObservers = true

    init(_ connection: Connection, core: PoolCore) {
        self.connection = connection
        self.handle = connection.handle
        self.core = ObjectIdentifier(core)
        self.isReplaceable = core.opensConnections
        self.fork = core.fork
        optimizeSchedule = OptimizeSchedule(isOn: connection.configuration.autoOptimize && !core.opensConnections)
        if core.groupsCommits {
            connection.addCommitListener { [unowned connection] in connection.lease.mustNotCommit }
        }
        // After the listener: a returned connection takes no hooks.
        connection.access = .returned
        if let events = core.events { _ = connection.companion { events } }
        if core.readers != nil || core.events != nil {
            connection.followers.insert(CheckpointFollower(readers: core.readers, databaseEvents: core.events))
        }
    }

    deinit {
        // A child process must not close the connection, because this would release the locks of its parent.
        if fork.isChild {
            _ = Unmanaged.passRetained(connection)
        } else {
            close()
        }
    }

    /// From now on, interrupts from other threads do nothing. Called with the lock of the core before the connection is closed.
    func forgetHandle() { handle = nil }

    /// Closes the connection. Closing again does nothing.
    ///
    /// - Parameter optimizes: Whether the statistics are updated before, as configured.
    func close(optimizing optimizes: Bool = false) {
        transactionStatements.finalize(on: connection)
        connection.access = .own
        guard optimizes else { return connection.close(nil) }
        connection.close { [connection] in connection.databaseEvents?.send($0) }
    }
}

// MARK: - The leases of a thread

extension PooledConnection {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    // Unmanaged: the thread has leased the connection, and the core keeps it open until the lease ends.
    /// The connection that this thread leased last.
    private static var current: Unmanaged<PooledConnection>? {
        pthread_getspecific(key).map { Unmanaged.fromOpaque($0) }
    }

    /// Returns the connection that this thread leased last from a core, or from either of two; `nil` when it has leased
    /// none of theirs.
    static func innermost(of core: PoolCore, or other: PoolCore? = nil) -> PooledConnection? {
        let other = other.map { ObjectIdentifier($0) }
        var next = current
        while let unmanaged = next {
            let pooled = unmanaged.takeUnretainedValue()
            if pooled.core == ObjectIdentifier(core) || pooled.core == other { return pooled }
            next = pooled.outer
        }
        return nil
    }

    /// Returns the connection as ``innermost(of:or:)`` does, for a nested verb.
    ///
    /// - Throws: ``SQLiteError`` in a child process.
    static func nested(in core: PoolCore, or other: PoolCore? = nil) throws -> PooledConnection? {
        guard let pooled = innermost(of: core, or: other) else { return nil }
        try pooled.fork.check()
        return pooled
    }

    /// Returns the limits of a call of this thread: its deadline, and those of the closure inside which it is made.
    /// The caller ends them.
    static func cancellation(until deadline: Deadline? = nil) -> Cancellation? {
        guard let outer = current?.takeUnretainedValue() else { return deadline.map { Cancellation(deadline: $0) } }
        return outer.connection.interruption.nestedCancellation(until: deadline)
    }

    /// Whether this thread runs a closure with a leased connection.
    static var isUsedByThread: Bool { current != nil }

    /// Throws when the closure that this thread runs must end.
    static func checkInterruption() throws {
        try current?.takeUnretainedValue().connection.checkMayBegin()
    }

    /// Whether the connection is used inside a closure with a deadline or a cancellation.
    var isInsideLimits: Bool {
        outer.map { $0.takeUnretainedValue().connection.interruption.hasLimits } ?? false
    }

    /// Marks the connection as leased by this thread. Its statements end with the outer closure of the thread.
    func enter(_ access: Connection.Access) {
        connection.access = access
        outer = Self.current
        if let outer {
            connection.interruption.inherit(
                from: outer._withUnsafeGuaranteedRef { $0.connection.interruption }, on: connection)
        }
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Marks the connection as returned, after ``enter(_:)``.
    func leave() {
        pthread_setspecific(Self.key, outer?.toOpaque())
        outer = nil
        connection.access = .returned
        connection.invalidateInterruptHandle()
    }
}

extension PooledConnection {
    /// Returns the uses of the statement cache, and the reads that have continued a transaction, since the last call.
    func takeUsage() -> IdleSlots.Usage {
        let statistics = connection.statementCache
        defer {
            reportedStatistics = statistics
            reportedRows = connection.lease.returnedRows
            held.continuedReads = 0
        }
        return IdleSlots.Usage(
            continuedReads: held.continuedReads,
            cacheHits: statistics.hits - reportedStatistics.hits,
            cacheMisses: statistics.misses - reportedStatistics.misses,
            returnedRows: connection.lease.returnedRows &- reportedRows
        )
    }
}

// MARK: - Cleaning

extension PooledConnection {
    /// Whether a read has left nothing but its transaction.
    var isClean: Bool {
        returnsToSlot && outer == nil && connection.hasOnlyIdleStatements && connection.lease.settings.isEmpty
            && !connection.lease.mayHaveLeftovers && !connection.lease.isTraced && !connection.lease.isClosed
    }

    /// Ends statements and transactions that a closure has left open, which hold locks, and restores the settings that
    /// it has changed.
    ///
    /// - Returns: Whether a transaction was open. It is rolled back.
    @discardableResult
    func clean() -> Bool {
        if outer != nil { connection.interruption.endInheritance(on: connection) }
        if connection.lease.mayHaveLeftovers {
            connection.lease.mayHaveLeftovers = false
            // A statement of an earlier closure may have attached a database, which stays.
            held.forgetIndex()
        }
        if !connection.lease.settings.isEmpty { connection.undoLimits() }
        let wasInTransaction = endTransaction()
        if !connection.lease.settings.isEmpty { undoSettings() }
        return wasInTransaction
    }

    /// Restores the settings that a closure has changed. A connection for which this fails is closed, if the pool can
    /// open another one.
    func undoSettings() {
        if !connection.undoSettings(), isReplaceable { connection.lease.isClosed = true }
    }

    /// Restores the file if a write has failed while it changed it, as on a full disk. SQLite leaves this to the next use of a
    /// connection that may write, and readers may not.
    func playBackJournal() {
        let path = connection.fileName
        guard !path.isEmpty, let handle = connection.handle, sqlite3_get_autocommit(handle) != 0,
            access(path + "-journal", F_OK) == 0
        else { return }
        connection.pragmaValue("schema_version", on: handle)
    }

    private func endTransaction() -> Bool {
        guard let handle = connection.handle, sqlite3_txn_state(handle, nil) != SQLITE_TXN_NONE else {
            return endEmptyTransaction()
        }
        let isInTransaction = connection.isInTransaction
        if isInTransaction { connection.rollBackOpenTransaction() }
        connection.endBusyStatements()
        return isInTransaction
    }

    private func endEmptyTransaction() -> Bool {
        guard connection.isInTransaction else { return false }
        connection.rollBackOpenTransaction()
        return true
    }

    /// Ends the use of the connection by a closure, but not its transaction.
    func leaveTransactionOpen() {
        if outer != nil { connection.interruption.endInheritance(on: connection) }
        if !connection.hasOnlyIdleStatements { connection.endBusyStatements() }
        leave()
    }

    /// Resets the statements that a closure has left on a row, which hold locks.
    func endStatements() {
        if outer != nil { connection.interruption.endInheritance(on: connection) }
        guard let handle = connection.handle, sqlite3_txn_state(handle, nil) != SQLITE_TXN_NONE else { return }
        connection.endBusyStatements()
    }
}

import SquallSQLite
import Foundation

/// A connection that a ``PoolCore`` lends, to one thread at a time.
///
/// Sendable, because whoever has been lent the pooled has it alone: the connection and the properties of the lease are
/// used between `acquire` and `release` of the core, whose locks order the memory of one user before that of the
/// next. The other properties are the core's, under that lock.
@usableFromInline
final class PooledConnection: @unchecked Sendable {
    @usableFromInline let connection: Connection
    /// For interrupts from other threads, which the core sends under its lock to connections that are lent. A connection
    /// that is lent cannot be closed.
    @exclusivity(unchecked) private(set) var handle: OpaquePointer?
    private let core: ObjectIdentifier
    /// Whether the core can open another connection.
    private let isReplaceable: Bool
    private let fork: ForkGuard

    // Of the lease.

    /// What the thread was using when it was lent this.
    @exclusivity(unchecked) private var outer: Unmanaged<PooledConnection>?
    @exclusivity(unchecked) var transactionStatements = TransactionStatements()
    /// Whether the thread that gives the pooled back may park it: not one that runs asynchronous closures.
    @exclusivity(unchecked) var isToPark = true
    /// When the file was checked last for this pooled, on `CoarseClock`.
    @exclusivity(unchecked) var lastLook: UInt64 = 0
    @exclusivity(unchecked) private var reportedStatistics = StatementCacheStatistics(capacity: 0)
    /// The observers of the database that the connection has.
    @exclusivity(unchecked) var observers: [Int: ObserverToken] = [:]

    // Of the core.

    @exclusivity(unchecked) var nextIdle: PooledConnection?
    @exclusivity(unchecked) var isLent = false
    /// Whether observers of the database have come or gone since the connection got its own.
    @exclusivity(unchecked) var hasOldObservers = true

    init(_ connection: Connection, core: PoolCore) {
        self.connection = connection
        self.handle = connection.handle
        self.core = ObjectIdentifier(core)
        self.isReplaceable = core.opensConnections
        self.fork = core.fork
        connection.lending = .givenBack
    }

    deinit {
        // A child must leave the connection alone: to close it would release the locks of the parent's.
        if fork.isChild {
            _ = Unmanaged.passRetained(connection)
        } else {
            close()
        }
    }

    /// Called with the lock of the core before the connection is closed: there is nothing to interrupt any more.
    func forgetHandle() { handle = nil }

    /// Closes the connection. Doing it again does nothing.
    func close() {
        transactionStatements.finalize()
        connection.lending = .own
        connection.close()
    }
}

// MARK: - The connections of a thread

extension PooledConnection {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The pooled that this thread was lent last.
    private static var current: Unmanaged<PooledConnection>? {
        pthread_getspecific(key).map { Unmanaged.fromOpaque($0) }
    }

    /// The innermost pooled that this thread has of a core, or of either of two.
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

    /// Marks the pooled as used by this thread.
    func enter(_ lending: Connection.Lending) {
        connection.lending = lending
        outer = Self.current
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    }

    func leave() {
        pthread_setspecific(Self.key, outer?.toOpaque())
        outer = nil
        connection.lending = .givenBack
        connection.invalidateInterruptHandle()
    }
}

extension PooledConnection {
    /// What the cache has done since this was asked last.
    func takeUsage() -> IdleSlots.Usage {
        let statistics = connection.statementCache
        defer { reportedStatistics = statistics }
        return IdleSlots.Usage(
            cacheHits: statistics.hits - reportedStatistics.hits,
            cacheMisses: statistics.misses - reportedStatistics.misses
        )
    }
}

// MARK: - What is left behind

extension PooledConnection {
    /// Ends what a closure has left running, and puts back the settings that it has changed, so that the next user finds nothing
    /// of it, and the file no lock.
    ///
    /// - Returns: Whether a transaction was open, which is rolled back.
    @discardableResult
    func clean() -> Bool {
        if !connection.settingsOfClosure.isEmpty { connection.undoLimits() }
        let wasInTransaction = endTransaction()
        if !connection.settingsOfClosure.isEmpty { undoSettings() }
        return wasInTransaction
    }

    /// Puts back the settings that a closure has changed. A connection for which that fails is replaced, if it can be.
    func undoSettings() {
        if !connection.undoSettings(), isReplaceable { connection.close() }
    }

    private func endTransaction() -> Bool {
        guard let handle = connection.handle, sqlite3_txn_state(handle, nil) != SQLITE_TXN_NONE else {
            return endEmptyTransaction()
        }
        let isInTransaction = connection.isInTransaction
        if isInTransaction { connection.rollBackEverything() }
        connection.endBusyStatements()
        return isInTransaction
    }

    private func endEmptyTransaction() -> Bool {
        guard connection.isInTransaction else { return false }
        connection.rollBackEverything()
        return true
    }

    /// Resets the statements that a closure has left standing on a row, which hold locks.
    func endStatements() {
        guard let handle = connection.handle, sqlite3_txn_state(handle, nil) != SQLITE_TXN_NONE else { return }
        connection.endBusyStatements()
    }
}

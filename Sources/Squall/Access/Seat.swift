import CSQLite
import Foundation

/// A connection that a ``Lender`` lends, to one thread at a time.
///
/// Sendable, because whoever has been lent the seat has it alone: the connection and the properties of the loan are
/// used between `acquire` and `release` of the lender, whose locks order the memory of one user before that of the
/// next. The other properties are the lender's, under that lock.
@usableFromInline
final class Seat: @unchecked Sendable {
    @usableFromInline let connection: Connection
    /// For interrupts from other threads, which the lender sends under its lock to seats that are lent. A connection
    /// that is lent cannot be closed.
    @exclusivity(unchecked) private(set) var handle: OpaquePointer?
    private let lender: ObjectIdentifier
    /// Whether the lender can open another connection.
    private let isReplaceable: Bool
    private let fork: Fork

    // Of the loan.

    /// What the thread was using when it was lent this.
    @exclusivity(unchecked) private var outer: Unmanaged<Seat>?
    @exclusivity(unchecked) var transactionStatements = TransactionStatements()
    /// Whether the thread that gives the seat back may park it: not one that runs asynchronous closures.
    @exclusivity(unchecked) var isToPark = true
    /// When the file was checked last for this seat, on `CoarseClock`.
    @exclusivity(unchecked) var lastLook: UInt64 = 0
    @exclusivity(unchecked) private var reportedStatistics = StatementCacheStatistics(capacity: 0)
    /// The observers of the database that the connection has.
    @exclusivity(unchecked) var observers: [Int: ObserverToken] = [:]

    // Of the lender.

    @exclusivity(unchecked) var nextIdle: Seat?
    @exclusivity(unchecked) var isLent = false
    /// Whether observers of the database have come or gone since the connection got its own.
    @exclusivity(unchecked) var hasOldObservers = true

    init(_ connection: Connection, lender: Lender) {
        self.connection = connection
        self.handle = connection.handle
        self.lender = ObjectIdentifier(lender)
        self.isReplaceable = lender.opensConnections
        self.fork = lender.fork
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

    /// Called with the lock of the lender before the connection is closed: there is nothing to interrupt any more.
    func forgetHandle() { handle = nil }

    /// Closes the connection. Doing it again does nothing.
    func close() {
        transactionStatements.finalize()
        connection.lending = .own
        connection.close()
    }
}

// MARK: - The seats of a thread

extension Seat {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The seat that this thread was lent last.
    private static var current: Unmanaged<Seat>? {
        pthread_getspecific(key).map { Unmanaged.fromOpaque($0) }
    }

    /// The innermost seat that this thread has of a lender, or of either of two.
    static func innermost(of lender: Lender, or other: Lender? = nil) -> Seat? {
        let other = other.map { ObjectIdentifier($0) }
        var next = current
        while let unmanaged = next {
            let seat = unmanaged.takeUnretainedValue()
            if seat.lender == ObjectIdentifier(lender) || seat.lender == other { return seat }
            next = seat.outer
        }
        return nil
    }

    /// Marks the seat as used by this thread.
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

extension Seat {
    /// What the cache has done since this was asked last.
    func takeUsage() -> ParkingLot.Usage {
        let statistics = connection.statementCache
        defer { reportedStatistics = statistics }
        return ParkingLot.Usage(
            cacheHits: statistics.hits - reportedStatistics.hits,
            cacheMisses: statistics.misses - reportedStatistics.misses
        )
    }
}

// MARK: - What is left behind

extension Seat {
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

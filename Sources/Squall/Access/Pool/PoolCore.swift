import Dispatch
import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Leases up to a maximum number of connections, each to one caller at a time, in the order of the calls.
///
///     let pooled = try core.acquire()       // or `perform`, for a task
///     pooled.enter(.reading)                // the connection is that of the thread
///     … pooled.connection …
///     pooled.clean()                        // ends what the closure has left
///     core.end(pooled)                      // the thread leaves it; the pool has it again
///
/// 1. `acquire` takes the connection from the slot of the thread (``IdleSlots``), which keeps most leases away from the lock.
/// 2. Otherwise ``PoolState`` decides under the lock: an idle connection, a permit to open one, or a place in the line.
/// 3. A ``Waiter`` stands in the line. A blocked thread waits for a semaphore, a task for the executor ``Request``.
/// 4. `release` puts the connection into the slot, or gives it to the first waiter, or makes it idle, or closes it.
///
/// Connections are opened, closed and granted after the lock is released.
///
/// Sendable, because `state` and the other variables are used under the lock, except that `file` is read without it
/// after the first connection was opened. Each slot has a separate lock.
final class PoolCore: @unchecked Sendable {
    let fork = ForkGuard()
    /// The object that its user closes. A queue or a pool without a database is never closed.
    private let subject: SQLiteError.Closable
    /// Opens a connection; `nil` when the core has only the connection that was given to it.
    let open: (@Sendable (Cancellation?) throws -> Connection)?
    /// Opens the connection that was given to the core again, after a suspension has closed it.
    let reopen: (@Sendable (Cancellation?) throws -> Connection)?
    /// The limit of the write-ahead log, which is kept after each write.
    let logLimit: LogLimit?
    /// The core of the readers, whose kept snapshots end before a checkpoint of this core's connection.
    let readers: PoolCore?
    /// Whether writes that wait for each other are committed together.
    let groupsCommits: Bool
    /// The time after which no closure joins the first one of a group. Set before the core is used.
    var longestGroup = Duration.milliseconds(2)
    /// Whether the owner of the core makes another one when this one is closed. Set before the core is used.
    var isReopened = false
    /// Whether idle connections keep their read transactions for a while.
    let keepsSnapshots: Bool
    let drainDelay: TimeInterval?
    /// The time for which a check of the file is valid, in nanoseconds of `CoarseClock`.
    let timeBetweenChecks: UInt64
    /// Returns the observers that every connection must have, by their numbers.
    let observers: @Sendable () -> [Int: DatabaseObservers.Installation]
    /// The events of the database; `nil` for a core of another owner.
    let events: DatabaseEvents?

    let idleSlots: IdleSlots
    let callQueues = CallQueues()
    let lock = Lock()
    var state: PoolState<PooledConnection, Waiter>
    /// The uses of the statement caches, except those that are counted by the slots.
    var usage = IdleSlots.Usage()
    var lostTransactions = 0
    var whenClosed: [() -> Void] = []
    var whenQuiet = NumberedList<() -> Void>()
    var isDrainPending = false
    /// Whether the statements of running closures are refused until ``resume()``, also those of connections that are opened later.
    var refusesStatements = false
    /// The file of the database, if it is in a file. It is set by the initialiser or with the first connection, and not
    /// later: callers that have a connection read it without the lock.
    var file: DatabaseFile?
    var nextFileCheck: UInt64 = 0
    /// Whether connections that are closed from now on update the statistics before.
    var optimizesAtEnd = false

    /// The maximum of the state, which may be read without the lock.
    let maximum: Int
    var opensConnections: Bool { open != nil }

    /// Leases connections that are opened as they are needed.
    init(
        _ subject: SQLiteError.Closable, maximum: Int, drainDelay: TimeInterval?, keepsSnapshots: Bool = false,
        file: DatabaseFile? = nil, events: DatabaseEvents? = nil,
        observers: @escaping @Sendable () -> [Int: DatabaseObservers.Installation] = { [:] },
        open: @escaping @Sendable (Cancellation?) throws -> Connection
    ) {
        self.subject = subject
        self.drainDelay = drainDelay
        self.open = open
        self.reopen = nil
        self.logLimit = nil
        self.readers = nil
        self.groupsCommits = false
        self.keepsSnapshots = keepsSnapshots
        self.timeBetweenChecks = 1_000_000_000
        self.file = file
        self.events = events
        self.observers = observers
        self.maximum = max(1, maximum)
        state = PoolState(maximum: self.maximum)
        idleSlots = IdleSlots(connections: self.maximum)
    }

    /// Leases one connection, which belongs to the core from now on.
    init(
        _ subject: SQLiteError.Closable, _ connection: sending Connection, timeBetweenChecks: UInt64 = 1_000_000_000,
        logLimit: LogLimit? = nil, readers: PoolCore? = nil, groupsCommits: Bool = false, events: DatabaseEvents? = nil,
        observers: @escaping @Sendable () -> [Int: DatabaseObservers.Installation] = { [:] },
        reopen: (@Sendable (Cancellation?) throws -> Connection)? = nil
    ) {
        self.subject = subject
        self.drainDelay = nil
        self.open = nil
        self.reopen = reopen
        self.logLimit = logLimit
        self.readers = readers
        self.groupsCommits = groupsCommits
        self.keepsSnapshots = false
        self.timeBetweenChecks = timeBetweenChecks
        self.events = events
        self.observers = observers
        maximum = 1
        state = PoolState(maximum: 1)
        idleSlots = IdleSlots(connections: 1)
        file = DatabaseFile(connection)
        state = PoolState(only: PooledConnection(connection, core: self))
    }

    deinit {
        idleSlots.deallocate()
    }

    var closedError: SQLiteError { .misuse(.closed(subject)) }

    /// The error of a request that is refused in the present phase. Called with the lock.
    private var refusalError: SQLiteError {
        if case .suspended = state.phase { return .suspended }
        return closedError
    }

    /// Throws the error of a request while the pool is suspended, stopped or closed.
    func checkIsRunning() throws(SQLiteError) {
        if let error = lock.withLock({ state.phase == .running ? nil : refusalError }) { throw error }
    }
}

// MARK: - Requests

extension PoolCore {
    /// Leases a connection. Blocks the thread while none is free, until a deadline if there is one.
    ///
    /// - Parameter keepsSnapshot: Whether the connection may have kept a read transaction, for ``PooledConnection/beginSnapshot()``.
    /// - Throws: ``SQLiteError`` after `close`, in a child process, in a preparation that the core calls, when a
    ///   connection cannot be opened, when the file has been deleted or replaced, and when the deadline has passed.
    func acquire(
        until deadline: Deadline? = nil, keepsSnapshot: Bool = false,
        joining membership: Waiter.Membership = .none
    ) throws -> PooledConnection {
        try fork.check()
        let now = CoarseClock.now
        if let (pooled, checksFile) = idleSlots.take(now, timeBetweenChecks: timeBetweenChecks) {
            if !keepsSnapshot { pooled.endKeptSnapshot() }
            if checksFile { try checkFile(releasing: pooled) }
            return pooled
        }
        return try acquireSlowly(now, until: deadline, membership)
    }

    @inline(never)
    private func acquireSlowly(
        _ now: UInt64, until deadline: Deadline?, _ membership: Waiter.Membership
    ) throws -> PooledConnection {
        // Not in `acquire`: a connection that is in a slot can be used without waiting.
        try checkIsNotOpening()
        let start = timeOfCall
        let cancellation = PooledConnection.cancellation(until: deadline)
        defer { cancellation?.end() }
        lock.lock()
        switch nextTurn() {
        case nil:
            let error = refusalError
            lock.unlock()
            throw error
        case .wait: return try waitForConnection(cancellation, joining: membership, since: start)
        case .open:
            lock.unlock()
            let pooled = try openConnection(cancellation)
            pooled.callStart = start
            return pooled
        case .use(let pooled):
            let checksFile = isFileCheckDue(now)
            lock.unlock()
            pooled.callStart = start
            if checksFile { try checkFile(releasing: pooled) }
            return pooled
        }
    }

    /// Returns the turn of a new caller; `nil` when the pool is stopped. Called with the lock.
    private func nextTurn() -> PoolState<PooledConnection, Waiter>.Turn? {
        guard state.phase == .running else { return nil }
        var answer = state.request()
        while true {
            switch answer {
            case .turn(let turn): return turn
            case .searchSlots:
                if let pooled = idleSlots.takeAny() {
                    state.leasedFromSlot()
                    return .use(pooled)
                }
                answer = state.request(slotsAreEmpty: true)
            case .stopSharing:
                stopSharing()
                answer = state.request()
            }
        }
    }

    /// Called with the lock, which it releases.
    @inline(never)
    func waitForConnection(
        _ cancellation: Cancellation?, joining membership: Waiter.Membership = .none, since start: UInt64 = 0
    ) throws -> PooledConnection {
        let isDone = DispatchSemaphore(value: 0)
        let waiter = Waiter(joining: membership)
        waiter.callStart = start
        wait(waiter) { [unowned waiter] in
            waiter.outcome = $0
            isDone.signal()
        }
        lock.unlock()
        // A task that could not open its connection blocks here, and may be cancelled.
        cancellation?.onCancel { self.withdraw(waiter, CancellationError()) }
        defer { cancellation?.onCancel(nil) }
        if isDone.wait(timeout: cancellation?.deadline?.dispatchTime ?? .distantFuture) == .timedOut {
            withdraw(waiter, deadlineError)
            isDone.wait()
        }
        return try connection(of: waiter, cancellation)
    }

    /// Called with the lock.
    private func wait(_ waiter: Waiter, resume: @escaping Waiter.Resume) {
        waiter.hasWaited = true
        waiter.stage = .waiting(number: state.wait(waiter), resume: resume)
    }

    /// Requests a connection. `resume` is called once with the outcome: at once, at the deadline, or on the thread that
    /// returns a connection. It must not block.
    func requestConnection(
        for waiter: Waiter, until deadline: Deadline?, resume: @escaping Waiter.Resume
    ) {
        waiter.callStart = timeOfCall
        lock.lock()
        if case .withdrawn(let error) = waiter.stage {
            lock.unlock()
            return resume(.refused(error))
        }
        switch nextTurn() {
        case nil:
            let error = refusalError
            lock.unlock()
            resume(.refused(error))
        case .wait:
            wait(waiter) { [unowned waiter] outcome in
                waiter.timer?.cancel()
                resume(outcome)
            }
            lock.unlock()
            if let deadline { startTimer(of: waiter, deadline) }
        case .open:
            lock.unlock()
            resume(.granted(nil))
        case .use(let pooled):
            lock.unlock()
            resume(.granted(pooled))
        }
    }

    /// Removes a waiter from the line, or keeps it from joining. A waiter that has been resumed is not affected.
    func withdraw(_ waiter: Waiter, _ error: any Error) {
        lock.lock()
        switch waiter.stage {
        case .new:
            waiter.stage = .withdrawn(error)
            lock.unlock()
        case .waiting(let number, let resume):
            _ = state.withdraw(number)
            waiter.stage = .resumed
            lock.unlock()
            resume(.refused(error))
        case .resumed, .withdrawn:
            lock.unlock()
        }
    }

    /// Returns the connection of a waiter that was resumed.
    func connection(
        of waiter: Waiter, _ cancellation: Cancellation?
    ) throws -> PooledConnection {
        if waiter.hasWaited { reportWait(of: waiter) }
        let pooled = try take(waiter.outcome, cancellation)
        if case .joined = waiter.outcome { return pooled }
        pooled.callStart = waiter.callStart
        return pooled
    }

    /// Returns the connection of an outcome, and opens it if the outcome is a permit.
    private func take(
        _ outcome: Waiter.Outcome, _ cancellation: Cancellation?
    ) throws -> PooledConnection {
        switch outcome {
        case .refused(let error): throw error
        case .granted(nil): return try openConnection(cancellation)
        case .joined(let pooled):
            pooled.returnsToSlot = false
            return pooled
        case .granted(let pooled?):
            pooled.returnsToSlot = false
            let now = CoarseClock.now
            if lock.withLock({ isFileCheckDue(now) }) { try checkFile(releasing: pooled) }
            return pooled
        }
    }
}

// MARK: - Slots

extension PoolCore {
    /// Takes all connections out of the slots, and keeps others from being put there. Called with the lock.
    func stopSharing() { state.stopSharing(idleSlots.setSharing(false)) }
}

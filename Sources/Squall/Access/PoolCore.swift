import SquallSQLite
import Foundation

/// Lends connections, each to one user at a time, up to a number of them, to users in the order in which they ask.
///
/// A user holds a permit from the time that its turn has come; a permit without an idle connection is a permit to open
/// one, which happens outside the lock. Nobody waits while holding the lock.
///
/// Sendable, because all that changes is under the lock, or has locks of its own; the watch, once it is set, stays as it is.
final class PoolCore: @unchecked Sendable {
    let maximum: Int
    let fork = ForkGuard()
    /// What is lent, for messages: "the database".
    private let name: String
    /// Opens a connection; `nil` when there is only the one that was given.
    private let open: (@Sendable (Cancellation?) throws -> Connection)?
    var opensConnections: Bool { open != nil }
    let drainDelay: TimeInterval?
    /// How old a look at the file may be, in nanoseconds of `CoarseClock`.
    let timeBetweenLooks: UInt64

    let idleSlots: IdleSlots
    let lock = Lock()
    @exclusivity(unchecked) var connections: [PooledConnection] = []
    @exclusivity(unchecked) var firstIdle: PooledConnection?
    @exclusivity(unchecked) var idleCount = 0
    /// How many permits are out, also those of connections that are parked or being closed.
    @exclusivity(unchecked) var permits = 0
    @exclusivity(unchecked) var line = WaitingLine()
    /// Whether connections may not be parked, because somebody waits for one, or their observers are to be brought up to date.
    @exclusivity(unchecked) var isBarred = false
    /// Whether nobody is lent anything any more.
    @exclusivity(unchecked) var isStopped = false
    /// Whether what is given back is closed, too.
    @exclusivity(unchecked) var isClosed = false
    @exclusivity(unchecked) var whenClosed: [() -> Void] = []
    @exclusivity(unchecked) var isDrainPending = false
    @exclusivity(unchecked) var watch: FileIdentity?
    @exclusivity(unchecked) var nextLook: UInt64 = 0
    @exclusivity(unchecked) var counts = Counts()
    /// The observers that every connection is to have.
    let observers: @Sendable () -> [Int: DatabaseObservers.Installation]

    /// What has been done so far.
    struct Counts {
        var leases = 0
        var waits = 0
        var opened = 0
        var cacheHits = 0
        var cacheMisses = 0
    }

    /// Lends connections that are opened as they are needed.
    init(
        _ name: String, maximum: Int, drainDelay: TimeInterval?, watch: FileIdentity? = nil,
        observers: @escaping @Sendable () -> [Int: DatabaseObservers.Installation] = { [:] },
        open: @escaping @Sendable (Cancellation?) throws -> Connection
    ) {
        self.name = name
        self.maximum = max(1, maximum)
        self.drainDelay = drainDelay
        self.open = open
        self.timeBetweenLooks = 1_000_000_000
        self.idleSlots = IdleSlots(connections: self.maximum)
        self.watch = watch
        self.observers = observers
    }

    /// Lends one connection, which the core has from now on.
    init(
        _ name: String, _ connection: sending Connection, timeBetweenLooks: UInt64 = 1_000_000_000,
        observers: @escaping @Sendable () -> [Int: DatabaseObservers.Installation] = { [:] }
    ) {
        self.name = name
        self.maximum = 1
        self.drainDelay = nil
        self.open = nil
        self.timeBetweenLooks = timeBetweenLooks
        self.observers = observers
        idleSlots = IdleSlots(connections: 1)
        watch = FileIdentity(connection)
        let pooled = PooledConnection(connection, core: self)
        connections = [pooled]
        firstIdle = pooled
        idleCount = 1
    }

    deinit {
        idleSlots.deallocate()
    }

    var closedError: SQLiteError { .misuse("\(name) is closed") }

    /// The file that is lent, if it is one and a connection has been opened.
    var fileIdentity: FileIdentity? { lock.withLock { watch } }
}

// MARK: - Lending

extension PoolCore {
    /// Waits for a pooled, blocking the thread, until a deadline if there is one.
    ///
    /// - Throws: ``SQLiteError`` after `close`, in a child process, when a connection cannot be opened, when the
    ///   file has been deleted or replaced, and when the deadline has passed.
    func acquire(until deadline: ContinuousClock.Instant? = nil) throws -> PooledConnection {
        try fork.check()
        let now = CoarseClock.now
        if let (pooled, looks) = idleSlots.take(now, timeBetweenLooks: timeBetweenLooks) {
            if looks { try look(pooled) }
            return pooled
        }
        return try acquireSlowly(now, deadline.map { Cancellation(deadline: $0) })
    }

    @inline(never)
    private func acquireSlowly(_ now: UInt64, _ cancellation: Cancellation?) throws -> PooledConnection {
        lock.lock()
        guard !isStopped else {
            lock.unlock()
            throw closedError
        }
        switch turn() {
        case .wait: return try waitForConnection(cancellation)
        case .open:
            lock.unlock()
            return try openConnection(cancellation)
        case .use(let pooled):
            let looks = isTimeToLook(now)
            lock.unlock()
            if looks { try look(pooled) }
            return pooled
        }
    }

    private enum Turn {
        case use(PooledConnection), open, wait
    }

    /// What somebody who comes gets. Called with the lock.
    private func turn() -> Turn {
        guard line.isEmpty else { return .wait }
        let turn: Turn
        if permits < maximum, let pooled = takeIdle() {
            permits += 1
            turn = .use(pooled)
        } else if let pooled = idleSlots.takeAny() {
            turn = .use(pooled)
        } else if permits < maximum {
            permits += 1
            turn = .open
        } else {
            // Somebody may have parked a pooled just now; from here on nobody does.
            isBarred = true
            var parked = idleSlots.bar(true)
            guard let pooled = parked.popLast() else { return .wait }
            for other in parked { makeIdle(other) }
            turn = .use(pooled)
        }
        counts.leases += 1
        return turn
    }

    /// Called with the lock, which it releases.
    @inline(never)
    private func waitForConnection(_ cancellation: Cancellation?) throws -> PooledConnection {
        let isDone = DispatchSemaphore(value: 0)
        let waiter = Waiter()
        waiter.resume = { [unowned waiter] in
            waiter.outcome = $0
            isDone.signal()
        }
        counts.waits += 1
        line.append(waiter)
        lock.unlock()
        let deadline = cancellation?.deadline?.dispatchTime ?? .distantFuture
        if isDone.wait(timeout: deadline) == .timedOut {
            withdraw(waiter, Self.deadlineError)
            isDone.wait()
        }
        return try pooled(waiter.outcome, cancellation)
    }

    /// Requests a pooled. `resume` is called with the outcome as soon as there is one: now, at the deadline, or on the thread
    /// of whoever gives a pooled back. It must not block.
    func request(
        _ waiter: Waiter, until deadline: ContinuousClock.Instant?, resume: @escaping (Waiter.Outcome) -> Void
    ) {
        lock.lock()
        if let refusal = waiter.refusal ?? (isStopped ? closedError : nil) {
            lock.unlock()
            return resume(.refused(refusal))
        }
        switch turn() {
        case .wait:
            counts.waits += 1
            waiter.resume = { [unowned waiter] outcome in
                waiter.timer?.cancel()
                resume(outcome)
            }
            line.append(waiter)
            lock.unlock()
            if let deadline { watch(waiter, until: deadline) }
        case .open:
            lock.unlock()
            resume(.granted(nil))
        case .use(let pooled):
            lock.unlock()
            resume(.granted(pooled))
        }
    }

    /// Takes a waiter out of the line, or keeps it from joining. One whose turn has come is not affected.
    func withdraw(_ waiter: Waiter, _ error: any Error) {
        let resume = lock.withLock {
            waiter.refusal = waiter.refusal ?? error
            return line.withdraw(waiter)
        }
        resume?(.refused(error))
    }

    /// The pooled of an outcome, opened if need be.
    func pooled(_ outcome: Waiter.Outcome, _ cancellation: Cancellation?) throws -> PooledConnection {
        switch outcome {
        case .refused(let error): throw error
        case .granted(nil): return try openConnection(cancellation)
        case .granted(let pooled?):
            pooled.isToPark = false
            let now = CoarseClock.now
            if lock.withLock({ isTimeToLook(now) }) { try look(pooled) }
            return pooled
        }
    }

    /// Gives a pooled back, to the next in the line if there is one. The connection must be clean.
    func release(_ pooled: PooledConnection) {
        // A connection whose closure has closed it is of no use to others.
        if pooled.connection.isClosePutOff { return discard(pooled) }
        let usage = pooled.takeUsage()
        if pooled.isToPark, idleSlots.park(pooled, usage) { return }
        releaseSlowly(pooled, usage)
    }

    @inline(never)
    private func releaseSlowly(_ pooled: PooledConnection, _ usage: IdleSlots.Usage) {
        pooled.isToPark = true
        lock.lock()
        while pooled.hasOldObservers {
            lock.unlock()
            updateObservers(of: pooled)
            lock.lock()
        }
        counts.cacheHits += usage.cacheHits
        counts.cacheMisses += usage.cacheMisses
        if let resume = line.removeFirst() {
            counts.leases += 1
            lock.unlock()
            return resume(.granted(pooled))
        }
        guard !isClosed else {
            lock.unlock()
            return discard(pooled)
        }
        if isBarred, !isStopped, !connections.contains(where: \.hasOldObservers) {
            isBarred = false
            _ = idleSlots.bar(false)
        }
        makeIdle(pooled)
        lock.unlock()
    }

    /// Closes a connection and gives its permit back.
    private func discard(_ pooled: PooledConnection) {
        guard open != nil || lock.withLock({ isClosed }) else {
            // There is no other connection; it tells the next user that it is closed.
            lock.withLock { pooled.forgetHandle() }
            pooled.close()
            pooled.connection.lending = .givenBack
            return release(pooled)
        }
        lock.withLock { forget(pooled) }
        pooled.close()
        releasePermit()
    }

    /// Gives back a permit without a connection.
    func releasePermit() {
        lock.lock()
        if let resume = line.removeFirst() {
            counts.leases += 1
            lock.unlock()
            return resume(.granted(nil))
        }
        permits -= 1
        let callbacks = takeClosedCallbacks()
        lock.unlock()
        for callback in callbacks { callback() }
    }

    private func openConnection(_ cancellation: Cancellation?) throws -> PooledConnection {
        do {
            guard let open else { throw closedError }
            if cancellation?.isCancelled == true { throw CancellationError() }
            let watch = fileIdentity
            try watch?.check()
            let connection = try open(cancellation)
            let opened = FileIdentity(connection)
            // It may have opened another file than the others.
            try watch?.check()
            let pooled = PooledConnection(connection, core: self)
            pooled.lastLook = CoarseClock.now
            lock.withLock {
                pooled.isLent = true
                connections.append(pooled)
                counts.opened += 1
                if self.watch == nil { self.watch = opened }
                if connections.count > 1, !isDrainPending { scheduleDrain() }
            }
            updateObservers(of: pooled)
            return pooled
        } catch {
            if let error = error as? SQLiteError, error.resultCode == .cantOpen,
                let pooled = try connectionInsteadOfOpening(cancellation)
            {
                return pooled
            }
            releasePermit()
            throw error
        }
    }

    /// Goes on without the connection that could not be opened, as at the limit of open files: takes one that is idle, or
    /// waits for one that is in use.
    ///
    /// - Returns: `nil` when there is none to wait for; the permit is then still the caller's.
    private func connectionInsteadOfOpening(_ cancellation: Cancellation?) throws -> PooledConnection? {
        lock.lock()
        guard !isStopped, !connections.isEmpty else {
            lock.unlock()
            return nil
        }
        permits -= 1
        isBarred = true
        for pooled in idleSlots.bar(true) { makeIdle(pooled) }
        guard let pooled = takeIdle() else {
            // It is counted when it is granted.
            counts.leases -= 1
            return try waitForConnection(cancellation)
        }
        permits += 1
        lock.unlock()
        return pooled
    }

    // The following are called with the lock.

    func takeIdle() -> PooledConnection? {
        guard let pooled = firstIdle else { return nil }
        firstIdle = pooled.nextIdle
        pooled.nextIdle = nil
        idleCount -= 1
        pooled.isLent = true
        return pooled
    }

    /// Takes the permit from a pooled.
    func makeIdle(_ pooled: PooledConnection) {
        pooled.isLent = false
        pooled.nextIdle = firstIdle
        firstIdle = pooled
        idleCount += 1
        permits -= 1
    }

    func forget(_ pooled: PooledConnection) {
        pooled.forgetHandle()
        connections.removeAll { $0 === pooled }
    }

    func takeClosedCallbacks() -> [() -> Void] {
        guard isClosed, permits == 0 else { return [] }
        defer { whenClosed = [] }
        return whenClosed
    }
}

// The states of a connection of a pool. A permit allows one connection to be open and not idle; there are `maximum` of
// them.
//
// | state   | user of the connection                            | owner of its permit                            |
// |---------|---------------------------------------------------|------------------------------------------------|
// | opening | none yet                                          | the caller that opens it                       |
// | leased  | one caller, from its turn to `release`            | the caller; it passes to a waiter with it      |
// | in slot | the slot of a thread (`IdleSlots`)                | the slot, until a thread takes the connection  |
// | idle    | the idle list of `PoolState`                      | none: the permit is free                       |
// | closing | the thread that closes it; not in the state       | that thread, until the connection is closed    |
//
// A closing connection keeps its permit. Otherwise a new connection could be opened too early, and the maximum exceeded.
//
// While the pool is held, free connections and permits stay free, and callers wait in the line. The pool is quiet when no
// permit is in use. A suspended pool refuses callers, and closes connections as they are returned.

/// The state of a ``PoolCore``: its connections, its waiters, and whether the pool is being closed.
///
/// A plain value without lock, closures or I/O. Its methods are the transitions. They return the actions that the core
/// performs after it has released its lock.
///
/// The pool of a cluster has another state: its permits depend on the use, and its connections on the leader. It has no slots, and
/// cannot be held or suspended.
struct PoolState<Pooled: AnyObject, Waiter> {
    enum Phase: Equatable {
        case running
        /// New requests are refused until ``resume()``. Returned connections are closed, or become idle.
        case suspended(closesConnections: Bool)
        /// New requests are refused; returned connections become idle.
        case stopped
        /// New requests are refused; returned connections are closed.
        case closed
    }

    /// The turn of a caller that has requested a connection.
    enum Turn {
        /// The connection is leased to the caller.
        case use(Pooled)
        /// The caller has a permit, and opens a connection.
        case open
        /// No connection is free: ``wait(_:)``.
        case wait
    }

    /// The answer to a request.
    enum Answer {
        case turn(Turn)
        /// Take a connection from any slot, if there is one, and report it with ``leasedFromSlot()``. Otherwise,
        /// request again with `slotsAreEmpty`.
        case searchSlots
        /// Take all connections from the slots, keep others out, call ``stopSharing(_:)``, and request again.
        case stopSharing
    }

    /// The action for a connection, or for a permit, that is returned.
    enum Action {
        /// The waiter has it now.
        case grant(Waiter)
        /// The connection is removed from the state: close it, then call ``releasePermit()``.
        case close
        /// The connection is idle, or the permit is free.
        case keep
    }

    /// A waiter and its connection; with `nil`, a permit to open one.
    struct Grant {
        let waiter: Waiter
        let connection: Pooled?
    }

    struct Counts {
        var leases = 0
        var waits = 0
        var opened = 0
    }

    let maximum: Int
    private(set) var phase = Phase.running
    /// The connections that are open, except those that are closing.
    private(set) var connections: [Pooled] = []
    /// The idle connections; the one that was returned last is used first.
    private(set) var idle: [Pooled] = []
    /// The number of permits in use.
    private(set) var permits = 0
    private(set) var line = WaitingLine<Waiter>()
    /// Whether connections may be put into slots: `false` while a caller waits for one.
    private(set) var isSharing = true
    /// Whether callers wait although connections are free.
    private(set) var isHeld = false
    private(set) var counts = Counts()

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// A state with one idle connection, to which no others are added.
    init(only connection: Pooled) {
        maximum = 1
        connections = [connection]
        idle = [connection]
    }

    /// Whether the pool and its last connection are closed.
    var isFinished: Bool { phase == .closed && isQuiet }

    /// Whether no connection is in use, in a slot, being opened or being closed.
    var isQuiet: Bool { permits == 0 }

    private var closesReturnedConnections: Bool { phase == .closed || phase == .suspended(closesConnections: true) }

    /// The connections that are leased or in slots.
    var leasedOrInSlots: [Pooled] { connections.filter { connection in !idle.contains { $0 === connection } } }
}

// MARK: - Requests

extension PoolState {
    /// Answers the request of a new caller. Called only while the phase is `running`.
    ///
    /// - Parameter slotsAreEmpty: The slots have just been searched.
    mutating func request(slotsAreEmpty: Bool = false) -> Answer {
        guard line.isEmpty, !isHeld else { return .turn(.wait) }
        if let connection = leaseIdle() { return .turn(.use(connection)) }
        if isSharing, !slotsAreEmpty { return .searchSlots }
        if permits < maximum {
            permits += 1
            counts.leases += 1
            return .turn(.open)
        }
        // Another thread may have put a connection into a slot since they were searched.
        return isSharing ? .stopSharing : .turn(.wait)
    }

    /// Notes that a caller has taken a connection from a slot, and the permit with it.
    mutating func leasedFromSlot() { counts.leases += 1 }

    /// Puts a waiter at the end of the line.
    ///
    /// - Returns: The number by which the waiter is withdrawn.
    mutating func wait(_ waiter: Waiter) -> Int {
        counts.waits += 1
        return line.append(waiter)
    }

    /// Removes a waiter from the line, and returns it; `nil` if it has left the line already.
    mutating func withdraw(_ number: Int) -> Waiter? { line.remove(number) }

    private mutating func leaseIdle() -> Pooled? {
        guard permits < maximum, let connection = idle.popLast() else { return nil }
        permits += 1
        counts.leases += 1
        return connection
    }
}

// MARK: - Opening

extension PoolState {
    /// Adds a connection that was opened with a permit, and is now leased.
    mutating func opened(_ connection: Pooled) {
        connections.append(connection)
        counts.opened += 1
    }

    /// Whether a caller whose connection could not be opened can use another, or wait for one.
    var canSubstitute: Bool { phase == .running && !connections.isEmpty }

    /// Takes back the count of a lease whose connection could not be opened. The caller then returns its permit.
    mutating func openingAborted() { counts.leases -= 1 }

    /// Takes the permit from a caller that could not open a connection, as at the limit of open files. Called after
    /// ``stopSharing(_:)``. The turn is counted as a lease when the caller gets a connection.
    ///
    /// - Returns: The idle connection that the caller gets instead; `nil` when it waits for one.
    mutating func openingFailed() -> Pooled? {
        permits -= 1
        counts.leases -= 1
        return leaseIdle()
    }
}

// MARK: - Returning

extension PoolState {
    /// Returns a leased connection.
    mutating func release(_ connection: Pooled) -> Action {
        if let waiter = grant() { return .grant(waiter) }
        guard !closesReturnedConnections else {
            remove(connection)
            return .close
        }
        makeIdle(connection)
        return .keep
    }

    /// Returns the permit of a connection that could not be opened, or has been closed.
    ///
    /// - Returns: The waiter that gets the permit; `nil` when the permit is free.
    mutating func releasePermit() -> Waiter? {
        if let waiter = grant() { return waiter }
        permits -= 1
        return nil
    }

    /// Removes a connection that is about to be closed. Its permit is returned when it is closed.
    mutating func remove(_ connection: Pooled) {
        connections.removeAll { $0 === connection }
    }

    private mutating func grant() -> Waiter? {
        guard !isHeld, let waiter = line.removeFirst() else { return nil }
        counts.leases += 1
        return waiter
    }

    /// Gives a leased connection to the first waiter if it fulfils a condition.
    mutating func handOver(where condition: (Waiter) -> Bool) -> Waiter? {
        guard phase == .running, !isHeld, let waiter = line.removeFirst(where: condition) else { return nil }
        counts.leases += 1
        return waiter
    }

    private mutating func makeIdle(_ connection: Pooled) {
        permits -= 1
        idle.append(connection)
    }
}

// MARK: - Slots

extension PoolState {
    /// Makes connections that were taken from slots idle.
    mutating func collect(_ connections: [Pooled]) {
        for connection in connections { makeIdle(connection) }
    }

    /// Keeps connections out of the slots, and makes those that were in them idle.
    mutating func stopSharing(_ inSlots: [Pooled]) {
        isSharing = false
        collect(inSlots)
    }

    /// Whether sharing has stopped, and no waiter needs that any longer.
    var canResumeSharing: Bool { !isSharing && phase == .running && line.isEmpty && !isHeld }

    mutating func resumeSharing() { isSharing = true }
}

// MARK: - Holding and suspending

extension PoolState {
    /// Makes callers wait until ``endHold()``. Called after ``stopSharing(_:)``.
    mutating func hold() { isHeld = true }

    /// Ends a hold.
    ///
    /// - Returns: The waiters that get a connection or a permit now, in their order.
    mutating func endHold() -> [Grant] {
        isHeld = false
        var grants: [Grant] = []
        while permits < maximum, let waiter = line.removeFirst() {
            if let connection = leaseIdle() {
                grants.append(Grant(waiter: waiter, connection: connection))
            } else {
                permits += 1
                counts.leases += 1
                grants.append(Grant(waiter: waiter, connection: nil))
            }
        }
        return grants
    }

    /// Refuses requests until ``resume()``. Called after ``stopSharing(_:)``. A pool that is stopped or closed stays so.
    ///
    /// - Parameter closesConnections: Whether to close connections as they are returned.
    /// - Returns: The waiters, which the core refuses, and the connections that the core closes now, each with a permit.
    mutating func suspend(closesConnections: Bool) -> (refused: [Waiter], closing: [Pooled]) {
        if phase == .running || closesConnections && phase == .suspended(closesConnections: false) {
            phase = .suspended(closesConnections: closesConnections)
        }
        let isClosing = phase == .suspended(closesConnections: true)
        return (line.removeAll(), isClosing ? closeIdle() : [])
    }

    /// Gives a caller the permit to open the only connection of a suspended pool again.
    ///
    /// - Returns: Whether it has the permit: no connection is open.
    mutating func leaseToReopen() -> Bool {
        guard case .suspended = phase, connections.isEmpty, permits == 0 else { return false }
        permits += 1
        counts.leases += 1
        return true
    }

    /// Ends a suspension.
    ///
    /// - Returns: Whether the pool was suspended.
    mutating func resume() -> Bool {
        guard case .suspended = phase else { return false }
        phase = .running
        return true
    }
}

// MARK: - All connections

extension PoolState {
    /// Leases all idle connections to one caller, which returns each.
    mutating func leaseAllIdle() -> [Pooled] {
        permits += idle.count
        defer { idle = [] }
        return idle
    }

    /// Refuses requests from now on. Called after ``stopSharing(_:)``.
    ///
    /// - Returns: The waiters, which the core refuses.
    mutating func stop() -> [Waiter] {
        if phase != .closed { phase = .stopped }
        return line.removeAll()
    }

    /// Closes returned connections from now on. Called after ``stop()``.
    ///
    /// - Returns: The connections that the core closes now, each with a permit.
    mutating func close() -> [Pooled] {
        phase = .closed
        return closeIdle()
    }

    /// Closes all idle connections except one, if no connection is in use. Called with empty slots.
    ///
    /// - Returns: The connections that the core closes now, each with a permit; `nil` to try again later.
    mutating func drain() -> [Pooled]? {
        guard connections.count > 1, phase == .running else { return [] }
        return permits == 0 ? closeIdle(except: 1) : nil
    }

    /// Closes all idle connections except those that were used last.
    ///
    /// - Returns: The connections that the core closes now, each with a permit.
    mutating func closeIdle(except kept: Int = 0) -> [Pooled] {
        // Those that were used last, whose caches are warm, are kept.
        let closing = Array(idle.dropLast(kept))
        idle.removeFirst(closing.count)
        for connection in closing { remove(connection) }
        permits += closing.count
        return closing
    }
}

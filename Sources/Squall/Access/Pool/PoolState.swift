// The states of a connection of a pool. A permit allows one connection to be open and not idle; there are `maximum` of them.
//
// | state   | who has the connection                            | who owns its permit                           |
// |---------|---------------------------------------------------|-----------------------------------------------|
// | opening | nobody yet                                        | the caller that opens it                      |
// | leased  | one caller, from its turn to `release`            | the caller; it passes to a waiter with a lease |
// | in slot | the slot of a thread (`IdleSlots`)                | the slot, until a thread takes the connection |
// | idle    | the idle list of `PoolState`                      | nobody: the permit is free                    |
// | closing | whoever closes it; the state has forgotten it     | the closer, until the connection is closed    |
//
// A connection that is opened in place of one that is closing would exceed the maximum; this is why closing needs a permit.

/// The state of a ``PoolCore``: which connections are idle, who waits, and whether the pool is being closed.
///
/// A plain value without lock, closures or I/O. Its methods are the transitions, and return what the core has to do after it
/// has released its lock.
struct PoolState<Pooled: AnyObject, Waiter> {
    enum Phase {
        case running
        /// New requests are refused; returned connections become idle.
        case stopped
        /// Returned connections are closed, too.
        case closed
    }

    /// The answer to a request.
    enum Turn {
        /// The connection is leased to the caller.
        case use(Pooled)
        /// The caller has a permit, and opens a connection.
        case open
        /// Take a connection from any slot, if there is one, and report it with ``leasedFromSlot()``. Otherwise, request again
        /// with `slotsAreEmpty`.
        case searchSlots
        /// Take all connections from the slots, keep others out, call ``stopSharing(_:)``, and request again.
        case stopSharing
        /// No connection is free: ``wait(_:)``.
        case wait
    }

    /// What happens to a connection, or to a permit, that is returned.
    enum Action {
        /// The waiter has it now.
        case grant(Waiter)
        /// The connection is forgotten: close it, then call ``releasePermit()``.
        case close
        /// The connection is idle, or the permit is free.
        case keep
    }

    /// What a caller gets whose connection could not be opened.
    enum Substitute {
        case use(Pooled)
        case wait
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
    /// The permits that are owned by somebody.
    private(set) var permits = 0
    private(set) var line = WaitingLine<Waiter>()
    /// Whether connections may be put into slots. Not while somebody waits for one.
    private(set) var isSharing = true
    private(set) var counts = Counts()

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// A state with one idle connection, which is the only one there will be.
    init(only connection: Pooled) {
        maximum = 1
        connections = [connection]
        idle = [connection]
    }

    /// Whether the pool is closed, and its last connection as well.
    var isFinished: Bool { phase == .closed && permits == 0 }

    /// The connections that are leased or in slots.
    var used: [Pooled] { connections.filter { connection in !idle.contains { $0 === connection } } }
}

// MARK: - Requests

extension PoolState {
    /// Decides what a new caller gets. Callers ask only while the phase is `running`.
    ///
    /// - Parameter slotsAreEmpty: The slots have just been searched.
    mutating func request(slotsAreEmpty: Bool = false) -> Turn {
        guard line.isEmpty else { return .wait }
        if let connection = leaseIdle() { return .use(connection) }
        if isSharing, !slotsAreEmpty { return .searchSlots }
        if permits < maximum {
            permits += 1
            counts.leases += 1
            return .open
        }
        // Another thread may have put a connection into a slot since they were searched.
        return isSharing ? .stopSharing : .wait
    }

    /// A caller has got a connection from a slot, and the permit with it.
    mutating func leasedFromSlot() { counts.leases += 1 }

    /// Puts a waiter at the end of the line.
    ///
    /// - Returns: The number by which the waiter is withdrawn.
    mutating func wait(_ waiter: Waiter) -> Int {
        counts.waits += 1
        return line.append(waiter)
    }

    /// Takes a waiter out of the line; `nil` when it is no longer there.
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
    /// The connection of an open permit, which is leased from now on.
    mutating func opened(_ connection: Pooled) {
        connections.append(connection)
        counts.opened += 1
    }

    /// Whether a caller whose connection could not be opened can use or await one of the others.
    var canSubstitute: Bool { phase == .running && !connections.isEmpty }

    /// Takes the permit from a caller that could not open a connection, as at the limit of open files, and lets it continue
    /// without. Sharing has been stopped before. The turn is counted as a lease when the caller gets a connection.
    mutating func openingFailed() -> Substitute {
        permits -= 1
        counts.leases -= 1
        return leaseIdle().map { .use($0) } ?? .wait
    }
}

// MARK: - Returning

extension PoolState {
    /// Returns a leased connection.
    mutating func release(_ connection: Pooled) -> Action {
        if let waiter = grant() { return .grant(waiter) }
        guard phase != .closed else {
            remove(connection)
            return .close
        }
        makeIdle(connection)
        return .keep
    }

    /// Returns a permit without a connection: of one that could not be opened, or has been closed.
    mutating func releasePermit() -> Action {
        if let waiter = grant() { return .grant(waiter) }
        permits -= 1
        return .keep
    }

    /// Forgets a connection that is about to be closed. Its permit is released when it is closed.
    mutating func remove(_ connection: Pooled) {
        connections.removeAll { $0 === connection }
    }

    private mutating func grant() -> Waiter? {
        guard let waiter = line.removeFirst() else { return nil }
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
    /// Makes connections idle that were taken from slots.
    mutating func collect(_ connections: [Pooled]) {
        for connection in connections { makeIdle(connection) }
    }

    /// Keeps connections out of the slots, and makes those idle that were in them.
    mutating func stopSharing(_ inSlots: [Pooled]) {
        isSharing = false
        collect(inSlots)
    }

    /// Whether sharing has stopped and nobody needs that any longer.
    var canResumeSharing: Bool { !isSharing && phase == .running && line.isEmpty }

    mutating func resumeSharing() { isSharing = true }
}

// MARK: - All connections

extension PoolState {
    /// Leases all idle connections to one caller, which returns each.
    mutating func leaseAllIdle() -> [Pooled] {
        permits += idle.count
        defer { idle = [] }
        return idle
    }

    /// Refuses requests from now on. Sharing has been stopped before.
    ///
    /// - Returns: The waiters, which are to be refused.
    mutating func stop() -> [Waiter] {
        if phase == .running { phase = .stopped }
        return line.removeAll()
    }

    /// Closes returned connections from now on. The pool has been stopped before.
    ///
    /// - Returns: The connections that are to be closed now, each with a permit.
    mutating func close() -> [Pooled] {
        phase = .closed
        return closeIdle(except: 0)
    }

    /// Closes all idle connections but one, if no connection is in use. The slots have been emptied before.
    ///
    /// - Returns: The connections that are to be closed now, each with a permit; `nil` to try again later.
    mutating func drain() -> [Pooled]? {
        guard connections.count > 1, phase == .running else { return [] }
        return permits == 0 ? closeIdle(except: 1) : nil
    }

    private mutating func closeIdle(except kept: Int) -> [Pooled] {
        let closing = Array(idle.dropFirst(kept))
        idle.removeLast(closing.count)
        for connection in closing { remove(connection) }
        permits += closing.count
        return closing
    }
}

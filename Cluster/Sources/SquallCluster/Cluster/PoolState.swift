/// The state of a pool of connections to the leader: its idle connections and its waiters.
///
/// A plain value without lock or I/O. A permit allows one connection to be open and not idle; there are `maximum` of
/// them. SQLite has one writer at a time, so one permit at most is for writing: other writers would only find the
/// database locked, in no order. Waiters get their turn in the order of their requests. A reader may overtake writers
/// that wait for the writer.
///
/// Not the library's `PoolState`: that one leases equal connections to a file, also from slots of threads, can be held and suspended,
/// and has no use for writers, leaders and evictions, which are most of this state.
struct PoolState<Connection, Waiter: AnyObject> {
    enum Use: Hashable, Sendable {
        case reading, writing
    }

    /// The turn of a caller.
    enum Turn {
        /// The caller has a permit and the connection.
        case use(Pooled)
        /// The caller has a permit, and opens a connection.
        case open
        /// No permit is free: ``enter(_:_:)``.
        case wait
        case refuse
    }

    /// A connection and the number of the leader that it leads to.
    struct Pooled {
        let connection: Connection
        let leader: Int
    }

    /// The result of returning a permit.
    struct Return {
        /// The waiter that has a permit now.
        var waiter: Waiter?
        /// The connection that the waiter gets. Without one, it opens one.
        var granted: Pooled?
        /// The connection to be closed.
        var closing: Connection?
    }

    fileprivate struct Entry {
        let use: Use
        let waiter: Waiter
    }

    let maximum: Int
    /// The number of permits in use.
    private(set) var permits = 0
    private(set) var hasWriter = false
    /// The idle connections; the one that was returned last is used first.
    private(set) var idle: [Pooled] = []
    private(set) var isClosed = false
    private var line: [Entry] = []
    /// The number of the first leader whose connections are kept.
    private var firstLeader = 0

    /// Makes the state of a pool of at least one connection.
    init(maximum: Int) {
        self.maximum = max(maximum, 1)
    }

    /// The number of callers that wait.
    var waiting: Int { line.count }
}

extension PoolState {
    /// Answers a caller.
    mutating func request(_ use: Use) -> Turn {
        if isClosed { return .refuse }
        guard isFree(for: use) else { return .wait }
        take(use)
        return idle.popLast().map(Turn.use) ?? .open
    }

    /// Puts a waiter at the end of the line.
    mutating func enter(_ use: Use, _ waiter: Waiter) {
        line.append(Entry(use: use, waiter: waiter))
    }

    /// Removes a waiter from the line.
    ///
    /// - Returns: Whether it was there: it has not had its turn.
    mutating func withdraw(_ waiter: Waiter) -> Bool {
        guard let index = line.firstIndex(where: { $0.waiter === waiter }) else { return false }
        line.remove(at: index)
        return true
    }

    /// Returns a permit.
    ///
    /// - Parameter pooled: The connection if it can be used again.
    mutating func release(_ use: Use, _ pooled: Pooled?) -> Return {
        permits -= 1
        if use == .writing { hasWriter = false }
        var result = Return()
        if let pooled {
            if isClosed || pooled.leader < firstLeader {
                result.closing = pooled.connection
            } else {
                idle.append(pooled)
            }
        }
        if let index = line.firstIndex(where: { isFree(for: $0.use) }) {
            let entry = line.remove(at: index)
            take(entry.use)
            result.waiter = entry.waiter
            result.granted = idle.popLast()
        }
        return result
    }

    /// Removes the connections to a leader and to those before it. Those in use are closed when they are returned.
    ///
    /// - Returns: The idle connections, which are to be closed.
    mutating func evict(leader: Int) -> [Connection] {
        firstLeader = max(firstLeader, leader + 1)
        let closing = idle.filter { $0.leader <= leader }
        idle.removeAll { $0.leader <= leader }
        return closing.map(\.connection)
    }

    /// Refuses requests from now on.
    ///
    /// - Returns: The waiters, which are to be refused, and the idle connections, which are to be closed.
    mutating func close() -> (refused: [Waiter], closing: [Connection]) {
        isClosed = true
        defer {
            line = []
            idle = []
        }
        return (line.map(\.waiter), idle.map(\.connection))
    }

    private func isFree(for use: Use) -> Bool { permits < maximum && (use == .reading || !hasWriter) }

    private mutating func take(_ use: Use) {
        permits += 1
        if use == .writing { hasWriter = true }
    }
}

extension PoolState: Sendable where Connection: Sendable, Waiter: Sendable {}
extension PoolState.Pooled: Sendable where Connection: Sendable, Waiter: Sendable {}
extension PoolState.Entry: Sendable where Connection: Sendable, Waiter: Sendable {}

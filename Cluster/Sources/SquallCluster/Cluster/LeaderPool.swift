import NIOConcurrencyHelpers
import NIOCore

/// A pool of connections to the leader, each with the database open.
final class LeaderPool: Sendable {
    typealias Use = State.Use
    typealias State = PoolState<WatchedConnection, CallWaiter<Turn>>

    /// The turn of a waiter.
    enum Turn: Sendable {
        case use(Lease)
        case open
    }

    /// A connection that is lent to one call.
    struct Lease: Sendable {
        fileprivate let watched: WatchedConnection
        let leader: Int

        var connection: NodeConnection { watched.connection }
    }

    private let state: NIOLockedValueBox<State>
    private let directory: LeaderDirectory
    private let database: String
    private let settings: ClusterSettings

    init(directory: LeaderDirectory, database: String, settings: ClusterSettings) {
        state = NIOLockedValueBox(State(maximum: settings.maximumConnections))
        self.directory = directory
        self.database = database
        self.settings = settings
    }

    /// The number of calls that wait for a connection.
    var waiting: Int { state.withLockedValue(\.waiting) }

    /// Lends a connection, in the order of the calls. Each is returned by ``release(_:_:isUsable:)``, and watched until
    /// then.
    nonisolated(nonsending) func lease(_ use: Use, until deadline: CallDeadline) async throws -> Lease {
        let lease = try await unwatchedLease(use, until: deadline)
        lease.watched.begin(until: deadline)
        return lease
    }

    private nonisolated(nonsending) func unwatchedLease(
        _ use: Use, until deadline: CallDeadline
    ) async throws -> Lease {
        try Task.checkCancellation()
        try deadline.check()
        switch try await turn(use, until: deadline) {
        case .use(let lease) where lease.connection.isOpen: return lease
        case .use, .open: break
        }
        do {
            return try await open(until: deadline)
        } catch {
            perform(state.withLockedValue { $0.release(use, nil) })
            throw error
        }
    }

    /// Returns a connection.
    ///
    /// - Parameter isUsable: Whether no transaction is open on it. Otherwise, it is closed.
    func release(_ lease: Lease, _ use: Use, isUsable: Bool) {
        lease.watched.end()
        let isUsable = isUsable && lease.connection.isOpen
        if !isUsable { lease.connection.closeSoon() }
        let pooled = State.Pooled(connection: lease.watched, leader: lease.leader)
        perform(state.withLockedValue { $0.release(use, isUsable ? pooled : nil) })
    }

    /// Closes the connections to a leader. Those that are lent are closed when they are returned.
    func evict(leader: Int) {
        for pooled in state.withLockedValue({ $0.evict(leader: leader) }) { pooled.connection.closeSoon() }
    }

    /// Refuses calls from now on. Connections that are lent are closed when they are returned.
    func close() async {
        let (refused, closing) = state.withLockedValue { $0.close() }
        for waiter in refused { waiter.resume(with: .failure(ClusterError.clusterClosed)) }
        for pooled in closing { await pooled.connection.close() }
    }
}

extension LeaderPool {
    private nonisolated(nonsending) func turn(_ use: Use, until deadline: CallDeadline) async throws -> Turn {
        switch state.withLockedValue({ $0.request(use) }) {
        case .use(let pooled): return .use(Lease(pooled))
        case .open: return .open
        case .refuse: throw ClusterError.clusterClosed
        case .wait: break
        }
        return try await CallWaiter<Turn>().wait(
            until: deadline, on: settings.connection.eventLoopGroup.any(),
            start: { waiter in
                // A permit may have been returned in the meantime.
                let turn = state.withLockedValue { state in
                    let turn = state.request(use)
                    if case .wait = turn { state.enter(use, waiter) }
                    return turn
                }
                switch turn {
                case .use(let pooled): waiter.resume(with: .success(.use(Lease(pooled))))
                case .open: waiter.resume(with: .success(.open))
                case .refuse: waiter.resume(with: .failure(ClusterError.clusterClosed))
                case .wait: break
                }
            },
            withdraw: { [state] waiter in state.withLockedValue { $0.withdraw(waiter) } },
            lateError: { .deadlineExceeded(mayHaveRun: false) })
    }

    /// Opens a connection to the leader. A leader that cannot be reached is forgotten.
    private nonisolated(nonsending) func open(until deadline: CallDeadline) async throws -> Lease {
        let leader = try await directory.leader(until: deadline)
        do {
            var connectionSettings = settings.connection
            connectionSettings.connectDeadline = min(connectionSettings.connectDeadline, deadline.rest)
            let connection = try await NodeConnection.connect(to: leader.address, settings: connectionSettings)
            do {
                try await connection.open(database, deadline: deadline.rest)
            } catch {
                connection.closeSoon()
                throw error
            }
            let watched = WatchedConnection(connection, directory, interval: settings.watchInterval)
            return Lease(watched: watched, leader: leader.number)
        } catch let error as ClusterError {
            directory.lose(leader.number)
            evict(leader: leader.number)
            throw error
        }
    }

    private func perform(_ result: State.Return) {
        result.closing?.connection.closeSoon()
        guard let waiter = result.waiter else { return }
        waiter.resume(with: .success(result.granted.map { .use(Lease($0)) } ?? .open))
    }
}

extension LeaderPool.Lease {
    fileprivate init(_ pooled: LeaderPool.State.Pooled) {
        self.init(watched: pooled.connection, leader: pooled.leader)
    }
}

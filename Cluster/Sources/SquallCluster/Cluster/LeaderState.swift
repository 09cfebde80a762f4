/// The state of finding the leader: the leader, or the tasks that wait for it, and the nodes that may be asked.
///
/// A plain value without lock or I/O. All tasks that wait share one search.
struct LeaderState<Waiter: AnyObject> {
    fileprivate enum Phase {
        case unknown
        case known(Leader)
        case searching([Waiter])
        case closed
    }

    /// The answer to a task that needs the leader.
    enum Turn: Equatable {
        case use(Leader)
        /// The task waits for the search that is going on.
        case wait
        /// The task waits, and a search is started.
        case search
        case refuse
    }

    private var phase = Phase.unknown
    private var leaders = 0
    private let seeds: [String]
    private(set) var members: [ClusterMember] = []
    /// The last problem of each node in the search.
    private(set) var problems: [NodeProblem] = []

    /// Makes the state for the addresses of some nodes.
    init(seeds: [String]) {
        self.seeds = seeds
    }

    /// The addresses of the nodes to ask: the members, and those that the client was given.
    var addresses: [String] {
        let known = members.map(\.address)
        return known + seeds.filter { !known.contains($0) }
    }

    /// The leader, if it is known.
    var leader: Leader? {
        if case .known(let leader) = phase { leader } else { nil }
    }

    /// Answers a task that needs the leader. It is a waiter from now on if it must wait.
    mutating func request(_ waiter: Waiter) -> Turn {
        switch phase {
        case .known(let leader): return .use(leader)
        case .closed: return .refuse
        case .unknown:
            problems = addresses.map { NodeProblem(address: $0, reason: "it has not answered yet") }
            phase = .searching([waiter])
            return .search
        case .searching(let waiters):
            phase = .searching(waiters + [waiter])
            // A search without waiters ends after its round, unless others come.
            return .wait
        }
    }

    /// Removes a waiter.
    ///
    /// - Returns: Whether it was there: it has not been answered.
    mutating func withdraw(_ waiter: Waiter) -> Bool {
        guard case .searching(var waiters) = phase, let index = waiters.firstIndex(where: { $0 === waiter })
        else { return false }
        waiters.remove(at: index)
        phase = .searching(waiters)
        return true
    }

    /// Ends the search.
    ///
    /// - Returns: The leader and the waiters that get it.
    mutating func found(_ address: String, members: [ClusterMember]) -> (leader: Leader, waiters: [Waiter])? {
        guard case .searching(let waiters) = phase else { return nil }
        leaders += 1
        let leader = Leader(address: address, number: leaders)
        phase = .known(leader)
        self.members = members
        problems = []
        return (leader, waiters)
    }

    /// Notes why a node did not name the leader.
    mutating func note(_ problem: NodeProblem) {
        if let index = problems.firstIndex(where: { $0.address == problem.address }) { problems[index] = problem }
    }

    /// Ends a round in which no node named the leader.
    ///
    /// - Returns: Whether tasks still wait. Otherwise, the search has ended.
    mutating func failed() -> Bool {
        guard case .searching(let waiters) = phase else { return false }
        if waiters.isEmpty { phase = .unknown }
        return !waiters.isEmpty
    }

    /// Forgets a leader that lost its leadership, or cannot be reached.
    ///
    /// - Returns: Whether it was the leader that is known.
    mutating func lose(_ number: Int) -> Bool {
        guard case .known(let leader) = phase, leader.number == number else { return false }
        phase = .unknown
        return true
    }

    /// Refuses requests from now on.
    ///
    /// - Returns: The waiters, which are to be refused.
    mutating func close() -> [Waiter] {
        defer { phase = .closed }
        guard case .searching(let waiters) = phase else { return [] }
        return waiters
    }
}

extension LeaderState: Sendable where Waiter: Sendable {}
extension LeaderState.Phase: Sendable where Waiter: Sendable {}

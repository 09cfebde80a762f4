import Logging
import NIOConcurrencyHelpers
import NIOCore

/// Finds the leader, and keeps it until it is lost.
final class LeaderDirectory: Sendable {
    private typealias Waiter = CallWaiter<Leader>

    private let state: NIOLockedValueBox<LeaderState<Waiter>>
    /// Whether a task asks whether the leader was replaced.
    private let isAsking = NIOLockedValueBox(false)
    private let settings: ClusterSettings

    init(seeds: [String], settings: ClusterSettings) {
        state = NIOLockedValueBox(LeaderState(seeds: seeds))
        self.settings = settings
    }

    var members: [ClusterMember] { state.withLockedValue(\.members) }

    /// Returns the leader. Without one, all tasks that call this wait for one search.
    nonisolated(nonsending) func leader(until deadline: CallDeadline) async throws -> Leader {
        if let leader = state.withLockedValue({ $0.leader }) { return leader }
        return try await Waiter().wait(
            until: deadline, on: settings.connection.eventLoopGroup.any(),
            start: { waiter in
                switch state.withLockedValue({ $0.request(waiter) }) {
                case .use(let leader): waiter.resume(with: .success(leader))
                case .refuse: waiter.resume(with: .failure(ClusterError.clusterClosed))
                case .wait: break
                case .search: Task { await self.search() }
                }
            },
            withdraw: { [state] waiter in state.withLockedValue { $0.withdraw(waiter) } },
            lateError: { [state] in .noLeader(state.withLockedValue(\.problems)) })
    }

    /// Forgets a leader.
    func lose(_ number: Int) {
        if state.withLockedValue({ $0.lose(number) }) { settings.logger.info("leader lost") }
    }

    /// Returns whether another node leads than the one at the address. The other nodes are asked by one task at a time.
    func isReplaced(_ address: NodeAddress) async -> Bool {
        guard let leader = state.withLockedValue(\.leader) else { return false }
        guard NodeAddress(leader.address) == address else { return true }
        if isAsking.withLockedValue({ isAsking in
            defer { isAsking = true }
            return isAsking
        }) {
            return false
        }
        defer { isAsking.withLockedValue { $0 = false } }
        let others = state.withLockedValue(\.addresses).filter { $0 != leader.address }
        guard !others.isEmpty,
            let found = await LeaderSearch(addresses: others, connection: settings.connection).run(note: { _ in }),
            NodeAddress(found.address) != address
        else { return false }
        lose(leader.number)
        return true
    }

    func close() {
        for waiter in state.withLockedValue({ $0.close() }) {
            waiter.resume(with: .failure(ClusterError.clusterClosed))
        }
    }

    /// Asks all nodes, until one names the leader or no task waits.
    private func search() async {
        var rounds = 0
        while true {
            rounds += 1
            let round = LeaderSearch(
                addresses: state.withLockedValue(\.addresses), connection: settings.connection)
            let found = await round.run { [state] problem in state.withLockedValue { $0.note(problem) } }
            if let (address, members) = found {
                guard let (leader, waiters) = state.withLockedValue({ $0.found(address, members: members) })
                else { return }
                settings.logger.info("leader found", metadata: ["address": "\(address)"])
                for waiter in waiters { waiter.resume(with: .success(leader)) }
                return
            }
            guard state.withLockedValue({ $0.failed() }) else { return }
            var policy = settings.retry
            policy.maximumAttempts = nil
            let pause = policy.pause(afterAttempts: rounds, part: .random(in: 0...1))
            try? await Task.sleep(for: pause ?? .zero)
        }
    }
}

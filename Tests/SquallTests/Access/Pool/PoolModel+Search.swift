@testable import Squall

// The search through all states that a model can reach.

extension PoolModel {
    struct Result {
        var states = 0
        var broken: Rule?
        /// The places of the threads in the states that lead to the broken rule.
        var path: [String] = []
    }

    /// Visits all states, up to the first that breaks a rule.
    func search() -> Result {
        var worlds = [start]
        var known: Set<[UInt8]> = [key(start)]
        var origins = [0]
        var current = 0
        while current < worlds.count {
            let next = steps(from: worlds[current])
            if !next.contains(where: { !$0.isOptional }), let broken = worlds[current].brokenRuleAtEnd {
                return result(broken, at: current, worlds, origins)
            }
            for step in next where known.insert(key(step.world)).inserted {
                worlds.append(step.world)
                origins.append(current)
                if let broken = step.world.brokenRule(self) {
                    return result(broken, at: worlds.count - 1, worlds, origins)
                }
            }
            current += 1
        }
        return Result(states: worlds.count)
    }

    private func result(_ broken: Rule, at last: Int, _ worlds: [World], _ origins: [Int]) -> Result {
        var path: [String] = []
        var number = last
        while number > 0 {
            path.append(worlds[number].threads.map { "\($0.place)" }.joined(separator: ", "))
            number = origins[number]
        }
        return Result(states: worlds.count, broken: broken, path: path.reversed())
    }

    private func key(_ world: World) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(64)
        let state = world.state
        key += [
            state.phase.code, UInt8(truncatingIfNeeded: state.permits), state.isSharing ? 1 : 0, state.isHeld ? 1 : 0,
            world.awaitsQuiet ? 1 : 0, world.awaitsClose ? 1 : 0, UInt8(world.lockOwner ?? 255),
            UInt8(world.forgotten.count),
        ]
        key += state.idle.map(\.number) + [255]
        key += state.connections.map(\.number).sorted() + [255]
        key += world.line.map { UInt8($0) } + [255]
        for (item, isOpen) in zip(world.slots, world.isSlotOpen) { key += [item?.number ?? 254, isOpen ? 1 : 0] }
        for thread in world.threads {
            key.append(UInt8(thread.requests))
            thread.place.append(to: &key)
        }
        return key
    }
}

extension PoolState.Phase {
    fileprivate var code: UInt8 {
        switch self {
        case .running: 0
        case .suspended(let closesConnections): closesConnections ? 1 : 2
        case .stopped: 3
        case .closed: 4
        }
    }
}

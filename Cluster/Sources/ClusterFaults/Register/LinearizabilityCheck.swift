/// A search for an order of the operations on a register that explains their results.
///
/// A history is linearizable if each operation can take effect at one moment between its call and its return. The search
/// is that of Wing and Gong, with a memory of the states that lead nowhere, as Lowe describes it.
struct LinearizabilityCheck {
    /// The state of the search: what has taken effect, and the value of the register.
    fileprivate struct State: Hashable {
        /// The first operation that has not taken effect.
        var first = 0
        /// The operations after `first` that have.
        var ahead: Set<Int> = []
        /// The operations of unknown outcome that have.
        var unknown: Set<Int> = []
        var value: Int
    }

    /// The operations that returned, by their calls.
    private let operations: [RegisterOperation]
    /// The operations of unknown outcome.
    private let unknown: [RegisterOperation]
    private let initial: Int

    init(_ history: [RegisterOperation], initial: Int) {
        operations = history.filter { $0.end != nil }.sorted { $0.call < $1.call }
        // A write that nothing has seen makes no difference: without it, the same order explains the others.
        let seen = Set(history.flatMap(\.seen))
        unknown = history.filter { $0.end == nil && $0.written.map(seen.contains) == true }
        self.initial = initial
    }

    /// Returns an operation that no order explains together with those before it; `nil` if the history is linearizable.
    func violation() -> RegisterOperation? {
        var tried: Set<State> = []
        var furthest = 0
        /// The states that may follow each step of the order, as far as they have not been tried.
        var steps: [[State]] = []
        var state = State(value: initial)
        while state.first < operations.count {
            furthest = max(furthest, state.first)
            steps.append(choices(in: state))
            guard let next = Self.next(&steps, &tried) else { return operations[furthest] }
            state = next
        }
        return nil
    }

    /// Returns the next state that has not been tried, of the latest step that has one.
    private static func next(_ steps: inout [[State]], _ tried: inout Set<State>) -> State? {
        while !steps.isEmpty {
            while let state = steps[steps.count - 1].popLast() {
                if tried.insert(state).inserted { return state }
            }
            steps.removeLast()
        }
        return nil
    }

    /// Returns the states that may follow, the most promising last.
    private func choices(in state: State) -> [State] {
        var states: [State] = []
        var earliestEnd: Duration?
        var index = state.first
        while index < operations.count, earliestEnd.map({ operations[index].call <= $0 }) ?? true {
            defer { index += 1 }
            if state.ahead.contains(index) { continue }
            let operation = operations[index]
            if let value = operation.value(after: state.value) {
                let next = state.after(index, value: value)
                // What only reads can be next without any loss.
                if operation.onlyReads { return [next] }
                states.append(next)
            }
            earliestEnd = [earliestEnd, operation.end].compactMap(\.self).min()
        }
        states.reverse()
        // An operation of unknown outcome takes effect only if nothing else explains what follows.
        for (index, operation) in unknown.enumerated() where !state.unknown.contains(index) {
            guard operation.call <= earliestEnd ?? operation.call, let value = operation.value(after: state.value),
                value != state.value
            else { continue }
            var next = state
            next.unknown.insert(index)
            next.value = value
            states.insert(next, at: 0)
        }
        return states
    }
}

extension LinearizabilityCheck.State {
    /// Returns the state after an operation that returned has taken effect.
    fileprivate func after(_ index: Int, value: Int) -> Self {
        var next = self
        next.value = value
        if index == first {
            next.first += 1
            while next.ahead.remove(next.first) != nil { next.first += 1 }
        } else {
            next.ahead.insert(index)
        }
        return next
    }
}

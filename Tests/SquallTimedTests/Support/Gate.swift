import Foundation
import SquallTestSupport

/// Is opened once, for all who wait.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var tasks: [CheckedContinuation<Void, Never>] = []
    }

    private let condition = NSCondition()
    private let state = Shared(State())

    func open() {
        let tasks = condition.withLock {
            defer { condition.broadcast() }
            return state.update { state in
                defer { state = State(isOpen: true) }
                return state.tasks
            }
        }
        for task in tasks { task.resume() }
    }

    /// Blocks a thread, which must not be one of those that tasks share.
    func wait() {
        condition.withLock { while !state.value.isOpen { condition.wait() } }
    }

    func passed() async {
        await withCheckedContinuation { task in
            let isOpen = state.update { state in
                if !state.isOpen { state.tasks.append(task) }
                return state.isOpen
            }
            if isOpen { task.resume() }
        }
    }
}

/// Waits for a state that is changed elsewhere and that no event reports.
///
/// The pause between two looks leaves the locks of the state to those who change it. No other test pauses.
func until(_ condition: () throws -> Bool) rethrows {
    while try !condition() { usleep(500) }
}

/// Waits in a task, while other tasks run, for a state that is changed elsewhere and that no event reports.
func until(_ condition: () throws -> Bool) async rethrows {
    while try !condition() { await Task.yield() }
}

import Foundation

/// The numbers of runs with other processes, of all pairs that run at the same time.
///
/// Sendable, because a lock protects its state.
final class Tally: @unchecked Sendable {
    enum Event: String, CaseIterable {
        case killed = "with a process that was killed"
        case killedInStep = "of them inside a step"
        case killedAfterCommit = "of them after the commit of the step"
        case outsider = "beside another process"
        case inspected = "inspected by the tool"
    }

    private let lock = NSLock()
    private var counts: [Event: Int] = [:]

    func note(_ event: Event) {
        lock.withLock { counts[event, default: 0] += 1 }
    }

    /// The line at the end of the lane; `nil` if no run had another process.
    var summary: String? {
        let counts = lock.withLock { self.counts }
        if counts.isEmpty { return nil }
        return "runs " + Event.allCases.map { "\($0.rawValue): \(counts[$0, default: 0])" }.joined(separator: ", ")
    }
}

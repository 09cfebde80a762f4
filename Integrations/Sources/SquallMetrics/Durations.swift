import IntegrationSupport
import Squall

/// The durations that are to be recorded, and the events that are to be counted.
final class Durations: Sendable {
    struct Collected {
        var reads: [Duration] = []
        var writes: [Duration] = []
        var readWaits: [Duration] = []
        var writeWaits: [Duration] = []
        var lockWaits: [Duration] = []
        var checkpoints: [Duration] = []
        /// The number of waits that ended at a deadline or a timeout.
        var timeouts = 0
        var completeCheckpoints = 0
        var incompleteCheckpoints = 0
        var failedCheckpoints = 0
        /// The number of durations that were not kept, because there were too many.
        var dropped = 0
    }

    /// The maximum number of durations of one kind between two recordings.
    private static let largest = 10_000

    private let collected = Locked(Collected())

    /// Returns what was collected since the last call.
    func take() -> Collected {
        collected.withLock { collected in
            defer { collected = Collected() }
            return collected
        }
    }

    func add(_ event: DatabaseEvent) {
        switch event {
        case .callEnded(.read, let duration): add(duration, to: \.reads)
        case .callEnded(.write, let duration): add(duration, to: \.writes)
        case .connectionWaitEnded(let wait):
            add(wait.duration, to: wait.access == .read ? \.readWaits : \.writeWaits)
            if wait.isTimeout { collected.withLock { $0.timeouts += 1 } }
        case .lockWaitEnded(let duration): add(duration, to: \.lockWaits)
        case .checkpointEnded(let checkpoint):
            add(checkpoint.duration, to: \.checkpoints)
            collected.withLock { $0.count(checkpoint) }
        case .logLimitExceeded, .fileMoved, .schemaVersionApplied, .transactionsLost, .backupEnded, .optimizationEnded:
            break
        }
    }

    private func add(_ duration: Duration, to list: WritableKeyPath<Collected, [Duration]> & Sendable) {
        collected.withLock { collected in
            if collected[keyPath: list].count < Self.largest {
                collected[keyPath: list].append(duration)
            } else {
                collected.dropped += 1
            }
        }
    }
}

extension DatabaseEvent.ConnectionWait {
    fileprivate var isTimeout: Bool {
        (error as? SQLiteError)?.kind == .interrupted(.deadline)
    }
}

extension Durations.Collected {
    fileprivate mutating func count(_ checkpoint: DatabaseEvent.Checkpoint) {
        if checkpoint.error != nil {
            failedCheckpoints += 1
        } else if checkpoint.isComplete {
            completeCheckpoints += 1
        } else {
            incompleteCheckpoints += 1
        }
    }
}

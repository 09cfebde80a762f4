import Dispatch

/// The dispatch queues on which the closures of tasks run.
///
/// The work of a call has a queue for itself until it has returned. It may block after it has returned its connection: a result
/// that is not delivered is released there, and an executor may continue the caller there. On the queue of a connection, the next
/// user of that connection would wait for it. Not a global queue, whose threads may all be blocked by the application.
struct CallQueues: Sendable {
    /// The maximum number of idle queues.
    private static let mostIdle = 16

    // A new queue takes 2,500 instructions more than one that is used again (callgrind, 2026-11-23).
    private let idle = Locked<[DispatchQueue]>([])

    /// Runs work on another thread, with a quality of service; with `.unspecified`, with that of the queue.
    func run(with quality: DispatchQoS = .unspecified, _ work: @escaping () -> Void) {
        let queue = idle.withLock { $0.popLast() } ?? DispatchQueue(label: "squall.call")
        // Sendable, because only the queue uses it.
        nonisolated(unsafe) let work = work
        queue.async(qos: quality, flags: quality == .unspecified ? [] : [.detached, .enforceQoS]) {
            work()
            idle.withLock { if $0.count < Self.mostIdle { $0.append(queue) } }
        }
    }
}

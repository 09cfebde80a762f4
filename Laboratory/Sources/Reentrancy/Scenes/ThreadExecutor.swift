import Foundation

/// Runs an asynchronous function on the thread that calls it, which may be inside a function of a connection.
///
/// Sendable, because the properties are used under the lock.
final class ThreadExecutor: TaskExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var outcome: Result<Void, any Error>?

    /// Runs a function, and returns when it has ended.
    static func run(_ body: @escaping () async throws -> Void) throws {
        let executor = ThreadExecutor()
        // Never released: the runtime does not retain an executor for the time of `enqueue`, during which the task can end.
        _ = Unmanaged.passRetained(executor)
        // Used on this thread only, by the jobs.
        nonisolated(unsafe) let body = body
        Task.detached(executorPreference: executor) {
            do {
                try await body()
                executor.end(.success(()))
            } catch {
                executor.end(.failure(error))
            }
        }
        while let job = executor.nextJob() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
        try executor.outcome?.get()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    private func end(_ outcome: Result<Void, any Error>) {
        condition.withLock { self.outcome = outcome }
    }

    /// Waits for a job. Returns `nil` when the function has ended.
    private func nextJob() -> UnownedJob? {
        condition.withLock {
            while jobs.isEmpty, outcome == nil { condition.wait() }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}

/// An iterator that is used by one task at a time.
final class IteratorBox<Iterator: AsyncIteratorProtocol>: @unchecked Sendable {
    var iterator: Iterator

    init(_ iterator: Iterator) {
        self.iterator = iterator
    }
}

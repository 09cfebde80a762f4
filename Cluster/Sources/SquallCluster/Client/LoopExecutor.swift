import NIOCore

/// Runs a task on the event loop of a connection.
///
/// A task that makes many requests saves two changes of threads for each of them:
///
///     try await withTaskExecutorPreference(connection.executor) { try await connection.execute(sql) }
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension NodeConnection {
    /// The executor of tasks that run on the event loop of the connection. They must not block.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public var executor: any TaskExecutor { LoopExecutor(eventLoop) }
}

import Squall
import Testing

/// Asynchronous closures are part of the task that calls.
struct TaskContextTests {
    private enum Trace {
        @TaskLocal static var id = "none"
    }

    private let directory: TemporaryDirectory
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        database = try Database(directory.file("app.db"))
        try database.executeWrite { try $0.execute("CREATE TABLE t(a)") }
    }

    @Test func closuresSeeTheTaskLocalValuesOfTheirCaller() async throws {
        let snapshot = try makeSnapshot()
        try await Trace.$id.withValue("request-7") {
            let seen = [
                try await database.read { _ in Trace.id }, try await database.write { _ in Trace.id },
                try await snapshot.read { _ in Trace.id },
            ]
            #expect(seen == ["request-7", "request-7", "request-7"])
        }
    }

    private func makeSnapshot() throws -> ReadSnapshot { try database.readSnapshot() }

    @Test func aClosureThatWaitedInTheLineSeesThemToo() async throws {
        let (gate, isIn) = (Gate(), Gate())
        let holder = Task { [database] in
            try await database.write { _ in
                isIn.open()
                gate.wait()
            }
        }
        await isIn.passed()
        let waiter = Trace.$id.withValue("request-8") {
            Task { [database] in try await database.write { _ in Trace.id } }
        }
        await until { database.statistics.waitingWrites == 1 }
        gate.open()
        try await holder.value
        let seen = try await waiter.value
        #expect(seen == "request-8")
    }

    @Test func aClosureSeesThatItsTaskIsCancelled() async throws {
        for isWrite in [true, false] {
            let isIn = Gate()
            let task = Task { [database] in
                let body: @Sendable (Connection) throws -> Bool = { _ in
                    isIn.open()
                    while !Task.isCancelled {}
                    return Task.isCancelled
                }
                return isWrite ? try await database.write(body) : try await database.read(body)
            }
            await isIn.passed()
            task.cancel()
            // A read that runs no statement afterwards has nothing that could fail; a write has its COMMIT.
            let result = await task.result
            if isWrite {
                #expect(throws: CancellationError.self) { try result.get() }
            } else {
                #expect(try result.get())
            }
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private final class InlineExecutor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// The caller goes on inside the call that resumes it, on the thread of the connection.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(.timeLimit(.minutes(30))) func anExecutorThatRunsJobsAtOnceLeavesTheConnectionUsable() async throws {
        let counts = try await Task.detached(executorPreference: InlineExecutor()) { [database] in
            var counts: [Int] = []
            for _ in 0..<20 {
                try await database.write { try $0.run("INSERT INTO t VALUES(1)") }
                counts.append(try await database.read { try $0.query("SELECT count(*) FROM t") })
            }
            return counts
        }.value
        #expect(counts == Array(1...20))
        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
        #expect(count == 20)
    }
}

import Squall
import SquallTestSupport
import Testing

/// Asynchronous closures are part of the task that calls.
@Suite(.timeLimit(.minutes(10)))
struct TaskContextTests {
    private enum Trace {
        @TaskLocal static var id = "none"
    }

    private let directory: TemporaryDirectory
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        database = try Database(directory.file("app.db"))
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
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

    private func makeSnapshot() throws -> ReadSnapshot { try database.blocking.snapshot() }

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
            let (isIn, wasCancelled) = (Gate(), Gate())
            let task = Task { [database] in
                let body: @Sendable (Connection) throws -> Bool = { _ in
                    isIn.open()
                    wasCancelled.wait()
                    return Task.isCancelled
                }
                return isWrite ? try await database.write(body) : try await database.read(body)
            }
            await isIn.passed()
            task.cancel()
            wasCancelled.open()
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

    /// Its caller may block there, for a connection that waits for nothing of this call.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func anExecutorThatRunsJobsAtOnceMayBlock() async throws {
        let database = try Database(directory.file("one.db"), maximumReaders: 1)
        let (isIn, gate) = (Gate(), Gate())
        let first = Task.detached(executorPreference: InlineExecutor()) {
            let one: Int = try await database.read {
                isIn.open()
                gate.wait()
                return try $0.query("SELECT 1")
            }
            return try one + Self.two(database)
        }
        await isIn.passed()
        let second = Task { try await database.read { try $0.query("SELECT 4") as Int } }
        await until { database.statistics.waitingReads == 1 }
        gate.open()
        #expect(try await first.value == 3)
        #expect(try await second.value == 4)
    }

    private static func two(_ database: Database) throws -> Int {
        try database.blocking.read { try $0.query("SELECT 2") }
    }

    private final class Audit: Sendable {
        let database: Database

        init(_ database: Database) {
            self.database = database
        }

        deinit { try? database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES('audit')") } }
    }

    @Test func aResultThatIsNotDeliveredMayUseTheDatabase() async throws {
        let (isIn, gate) = (Gate(), Gate())
        let first = Task { [database] in
            _ = try await database.writeWithoutTransaction { connection in
                try connection.execute("BEGIN")
                isIn.open()
                gate.wait()
                return Audit(database)
            }
        }
        await isIn.passed()
        let second = Task { [database] in try await database.write { try $0.run("INSERT INTO t VALUES('second')") } }
        await until { database.statistics.waitingWrites == 1 }
        gate.open()
        let error = await #expect(throws: SQLiteError.self) { try await first.value }
        #expect(error?.kind == .problem(DatabaseProblem.transactionLeftOpen))
        try await second.value
        #expect(try await database.read { try $0.query("SELECT a FROM t ORDER BY a") } == ["audit", "second"])
    }

    /// The caller goes on inside the call that resumes it, on the thread of the connection.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func anExecutorThatRunsJobsAtOnceLeavesTheConnectionUsable() async throws {
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

import Foundation
import Squall
import SquallTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DatabaseAsyncTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    private func open(maximumReaders: Int? = nil, busyTimeout: Duration = .seconds(5)) throws -> Database {
        var configuration = Configuration.recommended
        configuration.busyTimeout = busyTimeout
        let database = try Database(path, configuration: configuration, maximumReaders: maximumReaders)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)") }
        return database
    }

    private static let endless: SQL =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    private func expectCancelled(_ task: Task<some Sendable, any Error>) async {
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test func writesAreReadAndRolledBackWhenTheyThrow() async throws {
        for database in [try open(), try Database()] {
            try await database.write {
                try $0.execute("CREATE TABLE IF NOT EXISTS cars(id INTEGER PRIMARY KEY, name TEXT)")
            }
            let id = try await database.write { connection in
                try connection.run("INSERT INTO cars(name) VALUES('Audi')")
                #expect(connection.isInTransaction)
                return connection.lastInsertRowID
            }
            #expect(id == 1)
            await #expect(throws: SQLiteError.self) {
                try await database.write { connection in
                    try connection.run("DELETE FROM cars")
                    try connection.run("nonsense")
                }
            }
            let names: [String] = try await database.read { try $0.query("SELECT name FROM cars") }
            #expect(names == ["Audi"])
            await #expect(throws: SQLiteError.self) { try await database.read { try $0.run("DELETE FROM cars") } }
            // Inside, the rules of the thread hold.
            try await database.write { connection in
                try database.blocking.write { #expect($0 === connection) }
                try database.blocking.read { #expect($0 === connection) }
            }
            await #expect(throws: SQLiteError.self) {
                try await database.read { _ in try database.blocking.writeWithoutTransaction { _ in } }
            }
        }
    }

    @Test func thoseWhoWaitAreServedInOrderWithoutThreads() async throws {
        let database = try open(maximumReaders: 4)
        let (first, others, order) = (Gate(), Gate(), Shared<[Int]>([]))
        let holders = [first, others, others, others].map { gate in
            Task { try await database.read { _ in gate.wait() } }
        }
        await until { database.statistics.busyReaders == 4 }
        let threads = Self.threads
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<1000 {
            tasks.append(Task { try await database.read { _ in order.update { $0.append(number) } } })
            await until { database.statistics.waitingReads == number + 1 }
        }
        #expect(Self.threads < threads + 300)
        // One connection serves them all, so that their order can be seen.
        first.open()
        for task in tasks { try await task.value }
        others.open()
        for task in holders { try await task.value }
        #expect(order.value == Array(0..<1000))
        #expect(database.statistics.waits == 1000)
    }

    /// The threads of the process (0 where there is no /proc).
    private static var threads: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }

    @Test func writesAreServedStrictlyInOrder() async throws {
        let database = try open()
        let (gate, isIn, order) = (Gate(), Gate(), Shared<[Int]>([]))
        let holder = Task {
            try await database.write { _ in
                isIn.open()
                gate.wait()
            }
        }
        await isIn.passed()
        var waiting: [Task<Void, any Error>] = []
        var threads: [ThreadResult<Void>] = []
        // Tasks and threads wait in one line.
        for number in 0..<100 {
            if number % 2 == 0 {
                waiting.append(Task { try await database.write { _ in order.update { $0.append(number) } } })
            } else {
                threads.append(ThreadResult { try database.blocking.writeWithoutTransaction { _ in order.update { $0.append(number) } } })
            }
            await until { database.statistics.waitingWrites == number + 1 }
        }
        gate.open()
        for task in [holder] + waiting { try await task.value }
        for thread in threads { try thread.get() }
        #expect(order.value == Array(0..<100))
    }

    // MARK: Cancelling

    @Test func whatRunsIsCancelled() async throws {
        for database in [try open(), try Database()] {
            let isRunning = Gate()
            let task = Task {
                try await database.read { connection in
                    isRunning.open()
                    let _: Int = try connection.query(Self.endless)
                }
            }
            await isRunning.passed()
            task.cancel()
            await expectCancelled(task)
            let one: Int = try await database.read { try $0.query("SELECT 1") }
            #expect(one == 1)
        }
    }

    @Test func whatWaitsInTheLineIsCancelledAtOnce() async throws {
        let database = try open()
        let (gate, isIn) = (Gate(), Gate())
        let holder = Task {
            try await database.write { _ in
                isIn.open()
                gate.wait()
            }
        }
        await isIn.passed()
        let hasRun = Shared(false)
        let task = Task { try await database.write { _ in hasRun.update { $0 = true } } }
        await until { database.statistics.waitingWrites == 1 }
        task.cancel()
        await expectCancelled(task)
        #expect(database.statistics.waitingWrites == 0)
        gate.open()
        try await holder.value
        #expect(!hasRun.value)
        try await database.write { _ in }
    }

    @Test func aTaskThatIsCancelledAlreadyDoesNothing() async throws {
        let database = try open()
        let (gate, hasRun) = (Gate(), Shared(false))
        let task = Task {
            await gate.passed()
            try await database.write { _ in hasRun.update { $0 = true } }
        }
        task.cancel()
        gate.open()
        await expectCancelled(task)
        #expect(!hasRun.value)
    }

    @Test func theWaitForALockIsCancelled() async throws {
        // Longer than this task may wait for its turn: a write that has failed is never seen to be busy.
        let database = try open(busyTimeout: .seconds(3600))
        let other = try Connection(path)
        try other.run("BEGIN IMMEDIATE")
        let task = Task { try await database.write { try $0.run("DELETE FROM cars") } }
        await until { database.statistics.isWriterBusy }
        task.cancel()
        await expectCancelled(task)
        try other.run("COMMIT")
        try await database.write { try $0.run("DELETE FROM cars") }
    }

    @Test func noStatementBeginsAfterTheCancellationAlsoWhenTheClosureCatches() async throws {
        let database = try open()
        let (isRunning, gate, ran) = (Gate(), Gate(), Shared(0))
        let task = Task {
            try await database.write { connection in
                try connection.run("INSERT INTO cars(name) VALUES('Audi')")
                isRunning.open()
                gate.wait()
                for _ in 0..<3 {
                    if (try? connection.run("INSERT INTO cars(name) VALUES('Saab')")) != nil { _ = ran.next() }
                }
            }
        }
        await isRunning.passed()
        task.cancel()
        gate.open()
        await expectCancelled(task)
        #expect(ran.value == 0)
        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM cars") }
        #expect(count == 0)
    }

    @Test func aStandingStatementDoesNotStandInTheWay() async throws {
        let database = try open()
        try await database.write { connection in
            for name in ["a", "b"] { try connection.run("INSERT INTO cars(name) VALUES(?)", name) }
        }
        let isRunning = Gate()
        let task = Task {
            try await database.write { connection in
                try connection.run("DELETE FROM cars WHERE name = 'a'")
                let statement = try connection.prepare("SELECT * FROM cars")
                try statement.step()
                isRunning.open()
                let _: Int = try connection.query(Self.endless)
            }
        }
        await isRunning.passed()
        task.cancel()
        await expectCancelled(task)
        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM cars") }
        #expect(count == 2)
        try await database.write { try $0.run("DELETE FROM cars") }
    }

    // MARK: Deadlines

    private func expectDeadline(_ body: () async throws -> Void) async {
        let error = await #expect(throws: SQLiteError.self) { try await body() }
        #expect(error?.resultCode == .interrupt)
        #expect(error?.message.contains("deadline") == true)
    }

    @Test func theDeadlineEndsWhatRuns() async throws {
        let database = try open()
        await expectDeadline {
            let _: Int = try await database.read(deadline: .milliseconds(20)) { try $0.query(Self.endless) }
        }
        await expectDeadline { try await database.read(deadline: .zero) { try $0.run("SELECT 1") } }
        try await database.write(deadline: .seconds(3600)) { try $0.run("DELETE FROM cars") }
    }

    @Test func theDeadlineCountsTheWaitingInTheLine() async throws {
        let database = try open()
        let (gate, isIn) = (Gate(), Gate())
        let holder = Task {
            try await database.write { _ in
                isIn.open()
                gate.wait()
            }
        }
        await isIn.passed()
        await expectDeadline { try await database.write(deadline: .milliseconds(20)) { _ in } }
        gate.open()
        try await holder.value
        #expect(database.statistics.waitingWrites == 0)
    }

    @Test func theDeadlineEndsTheWaitForALock() async throws {
        let database = try open()
        let other = try Connection(path)
        try other.run("BEGIN IMMEDIATE")
        await expectDeadline {
            try await database.write(deadline: .milliseconds(20)) { try $0.run("DELETE FROM cars") }
        }
        try other.run("COMMIT")
        try await database.write(deadline: .seconds(3600)) { try $0.run("DELETE FROM cars") }
    }

    @Test func aBusyTimeoutThatThePreparationSetsByHandCounts() async throws {
        try await open().close()
        let database = try Database(path) { try $0.run("PRAGMA busy_timeout = 2") }
        try await database.write { try $0.run("DELETE FROM cars") }
        try await database.write { try $0.run("PRAGMA busy_timeout = 60000") }
        let other = try Connection(path)
        try other.run("BEGIN IMMEDIATE")
        let error = await #expect(throws: SQLiteError.self) { try await database.write { _ in } }
        #expect(error?.resultCode == .busy)
        try other.run("COMMIT")
        #expect(try blocking { try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA busy_timeout") } } == 2)
    }

    // MARK: Closing

    @Test func shuttingDownRefusesThoseWhoWait() async throws {
        let database = try open()
        let (gate, isIn) = (Gate(), Gate())
        let holder = Task {
            try await database.write { connection in
                isIn.open()
                gate.wait()
                try connection.run("INSERT INTO cars(name) VALUES('Audi')")
            }
        }
        await isIn.passed()
        let task = Task { try await database.write { try $0.run("DELETE FROM cars") } }
        await until { database.statistics.waitingWrites == 1 }
        let closing = Task { try await database.close() }
        let result = await task.result
        #expect(try sqliteError { try result.get() }.message == "the database is closed")
        gate.open()
        try await holder.value
        try await closing.value
        try await database.close()
        await #expect(throws: SQLiteError.self) { try await database.read { _ in } }
        #expect(try Connection(path).query("SELECT count(*) FROM cars") == 1)
    }
}

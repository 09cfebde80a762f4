import SquallTestSupport
import Testing

@testable import Squall

/// Opening a reader may have to wait for a lock: its pragmas and its preparation read the file.
@Suite(.timeLimit(.minutes(10)))
struct OpeningTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    /// Outside WAL mode, an exclusive transaction keeps readers out. The busy timeout is longer than the time limit of the test.
    private func open(preparation: (@Sendable (Connection) throws -> Void)? = nil) throws -> Database {
        var configuration = Configuration.recommended
        configuration.journalMode = .delete
        configuration.busyTimeout = .seconds(3600)
        let database = try Database(path, configuration: configuration, readerConnectionPreparation: preparation)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
        return database
    }

    private func lock() throws -> Connection {
        let holder = try Connection(storageLocation: .onDisk(path))
        try holder.run("BEGIN EXCLUSIVE")
        return holder
    }

    @Test func isCancelled() async throws {
        let database = try open()
        let holder = try lock()
        let task = Task { try await database.read { try $0.query("SELECT a FROM t") as Int } }
        await until { database.readers.lock.withLock { database.readers.state.permits == 1 } }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(database.statistics.openedReaders == 0)
        try holder.run("COMMIT")
        let a: Int = try await database.read { try $0.query("SELECT a FROM t") }
        #expect(a == 1)
    }

    @Test func countsTowardsTheDeadline() async throws {
        let database = try open()
        let holder = try lock()
        let error = await #expect(throws: SQLiteError.self) {
            try await database.read(deadline: .milliseconds(20)) { let _: Int = try $0.query("SELECT a FROM t") }
        }
        #expect(error?.resultCode == .interrupt)
        let blocking = try blockingRead(database)
        #expect(blocking.resultCode == .interrupt)
        try holder.run("COMMIT")
        let a: Int = try await database.read(deadline: .seconds(3600)) { try $0.query("SELECT a FROM t") }
        #expect(a == 1)
        // What was set while the connection was being opened holds.
        let timeout = try busyTimeout(database)
        #expect(timeout == 3_600_000)
    }

    private func busyTimeout(_ database: Database) throws -> Int {
        try database.blocking.read { try $0.query("PRAGMA busy_timeout") }
    }

    private func blockingRead(_ database: Database) throws -> SQLiteError {
        try sqliteError {
            try database.blocking.read(deadline: .milliseconds(20)) { let _: Int = try $0.query("SELECT a FROM t") }
        }
    }

    @Test func endsInsideThePreparationToo() async throws {
        let isPrepared = Shared(0)
        let database = try open { connection in
            _ = isPrepared.next()
            let _: Int = try connection.query(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
        }
        let task = Task { try await database.read { _ in } }
        await until { isPrepared.value == 1 }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        let error = await #expect(throws: SQLiteError.self) {
            try await database.read(deadline: .milliseconds(20)) { _ in }
        }
        #expect(error?.message == "interrupted: the deadline has passed")
        #expect(database.readers.lock.withLock { database.readers.state.permits } == 0)
    }
}

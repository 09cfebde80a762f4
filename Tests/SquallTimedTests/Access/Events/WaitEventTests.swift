import Foundation
import Squall
import SquallTestSupport
import Testing

/// The events of waits, and observers of events that many threads add.
@Suite(.timeLimit(.minutes(10)))
struct WaitEventTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ change: (inout Configuration) -> Void = { _ in }) throws -> Database {
        var configuration = Configuration.recommended
        change(&configuration)
        let database = try Database(directory.file("app.db"), configuration: configuration)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE IF NOT EXISTS t(a)") }
        return database
    }

    /// The events of a database from now on.
    private func events(of database: Database) -> Shared<[DatabaseEvent]> {
        let events = Shared<[DatabaseEvent]>([])
        database.addEventObserver { event in events.update { $0.append(event) } }
        return events
    }

    @Test func aWaitForTheWriterIsReported() async throws {
        let database = try open()
        let events = events(of: database)
        let (isWriting, mayEnd) = (Gate(), Gate())
        let first = ThreadResult {
            try database.blocking.writeWithoutTransaction { _ in
                isWriting.open()
                mayEnd.wait()
            }
        }
        await isWriting.passed()
        let second = Task { try await database.write { try $0.run("INSERT INTO t VALUES(1)") } }
        await until { database.statistics.waitingWrites == 1 }
        let refused = Task { try await database.write(deadline: .zero) { _ in } }
        await #expect(throws: SQLiteError.self) { try await refused.value }
        mayEnd.open()
        try first.get()
        try await second.value
        let waits = events.value.compactMap { if case .connectionWaitEnded(let wait) = $0 { wait } else { nil } }
        #expect(waits.map(\.access) == [.write, .write])
        #expect((waits[0].error as? SQLiteError)?.kind == .interrupted(.deadline))
        #expect(waits[1].error == nil)
        #expect(waits.allSatisfy { $0.duration > .zero })
    }

    @Test func aWaitForALockIsReportedAlsoWithoutADeadline() throws {
        let database = try open { $0.busyTimeout = .milliseconds(20) }
        let events = events(of: database)
        let rival = try Connection(directory.file("app.db"))
        try rival.execute("BEGIN IMMEDIATE")
        #expect(throws: SQLiteError.self) { try database.blocking.write { _ in } }
        let waits = events.value.compactMap { if case .lockWaitEnded(let duration) = $0 { duration } else { nil } }
        #expect(waits.count == 1)
        #expect(waits.allSatisfy { $0 >= .milliseconds(20) })
    }

    /// Squall's busy handler is installed in both, and `PRAGMA busy_timeout` returns 0 for it.
    @Test func aTimeoutOfZeroThatAPragmaSetsIsKept() async throws {
        // Longer than the time limit of the test.
        let database = try open { $0.busyTimeout = .seconds(3600) }
        let rival = try Connection(directory.file("app.db"))
        try rival.execute("BEGIN IMMEDIATE")
        let write: @Sendable (Connection) throws -> Void = { connection in
            try connection.run("PRAGMA busy_timeout = 0")
            // Installs the handlers again.
            try connection.withDeadline(.seconds(3600)) { _ = try connection.run("INSERT INTO t VALUES(1)") }
        }
        let error = await #expect(throws: SQLiteError.self) { try await database.writeWithoutTransaction(write) }
        database.addEventObserver { _ in }
        let observed = try sqliteError { try blocking { try database.blocking.writeWithoutTransaction(write) } }
        #expect(error?.resultCode == .busy)
        #expect(observed.resultCode == .busy)
        try rival.execute("COMMIT")
        #expect(try await database.read { try $0.query("SELECT count(*) FROM t") as Int } == 0)
    }

    @Test func aReplacedFileIsReported() throws {
        let database = try open()
        let events = events(of: database)
        try FileManager.default.moveItem(atPath: database.fileName, toPath: database.fileName + "-old")
        until { (try? database.blocking.writeWithoutTransaction { _ in }) == nil }
        let errors = events.value.compactMap { if case .fileMoved(let error) = $0 { error } else { nil } }
        #expect(errors.first?.extendedResultCode == .fileMoved)
    }

    @Test func observersAreAddedAndCancelledOnManyThreads() throws {
        let database = try open()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for _ in 0..<50 {
                let token = database.addEventObserver { _ in }
                if thread % 2 == 0 { _ = try? database.blocking.read { _ in } }
                token.cancel()
            }
        }
        #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA busy_timeout") as Int } == 5_000)
        let count = Shared(0)
        database.addEventObserver { _ in count.update { $0 += 1 } }
        try database.blocking.writeWithoutTransaction { _ in }
        #expect(count.value == 1)
        #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA busy_timeout") as Int } == 0)
    }
}

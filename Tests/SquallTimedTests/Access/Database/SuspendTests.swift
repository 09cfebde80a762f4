import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// `suspend` and `resume`.
@Suite(.timeLimit(.minutes(10)))
struct SuspendTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    private func open() throws -> Database {
        let database = try Database(path)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE IF NOT EXISTS t(a); INSERT INTO t VALUES(1)") }
        return database
    }

    private func count(_ database: Database) throws -> Int {
        try database.blocking.read { try $0.query("SELECT count(*) FROM t") }
    }

    private static let endless: SQL =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    private func lockInOtherProcess() throws -> String {
        try TestProcess(["exclusive", path]).end().output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(arguments: [Configuration.JournalMode.wal, .delete])
    func anotherProcessCanLockTheFile(_ mode: Configuration.JournalMode) throws {
        var configuration = Configuration.recommended
        configuration.journalMode = mode
        let database = try Database(path, configuration: configuration)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
        #expect(try count(database) == 0)
        let snapshot = try database.blocking.snapshot()
        #expect(try lockInOtherProcess() == "5")
        try database.blocking.suspend()
        #expect(database.statistics.readers == 0)
        #expect(database.statistics.snapshots == 0)
        #expect(try lockInOtherProcess() == "done")
        #expect(try errorKind { try snapshot.blocking.read { _ in } } == .closed(.snapshot))
        try database.blocking.resume()
        #expect(try count(database) == 1)
        try database.blocking.write { try $0.run("INSERT INTO t VALUES(2)") }
        #expect(try count(database) == 2)
        if mode == .wal { #expect(try lockInOtherProcess() == "5") }
    }

    @Test func newCallsAreRefusedUntilResume() async throws {
        let database = try open()
        try await database.suspend()
        let calls: [() throws -> Void] = [
            { try database.blocking.read { _ in } }, { try database.blocking.writeWithoutTransaction { _ in } },
            { try database.blocking.write { _ in } }, { _ = try database.blocking.snapshot() },
            { try database.blocking.checkpoint() }, { try database.blocking.vacuum() },
            { try database.blocking.backup(to: directory.file("copy")) },
            { try database.blocking.read(deadline: .seconds(3600)) { _ in } },
            { try database.readerConnectionPool.execute { _ in } },
            { try database.writerConnectionQueue.execute { _ in } },
        ]
        for call in calls {
            let error = try sqliteError(call)
            #expect(error.kind == .problem(DatabaseProblem.suspended))
            #expect(error.resultCode == .busy)
            #expect(error.message == "the database is suspended")
        }
        let error = await #expect(throws: SQLiteError.self) { try await database.read { _ in } }
        #expect(error?.kind == .problem(DatabaseProblem.suspended))
        try await database.suspend()
        try await database.resume()
        try await database.resume()
        #expect(try await database.read { try $0.query("SELECT a FROM t") as Int } == 1)
    }

    @Test func callsThatWaitAreRefused() throws {
        let database = try open()
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult {
            try database.blocking.write { connection in
                isIn.open()
                gate.wait()
                try connection.run("INSERT INTO t VALUES(2)")
            }
        }
        isIn.wait()
        let waiting = ThreadResult { try database.blocking.writeWithoutTransaction { _ in } }
        until { database.statistics.waitingWrites == 1 }
        let suspension = ThreadResult { try database.blocking.suspend(interruptingAfter: .seconds(3600)) }
        #expect(try errorKind { try waiting.get() } == .problem(DatabaseProblem.suspended))
        // The closure that runs may end.
        gate.open()
        try holder.get()
        try suspension.get()
        try database.blocking.resume()
        #expect(try count(database) == 2)
    }

    @Test func insideAClosureItThrows() throws {
        let database = try open()
        let snapshot = try database.blocking.snapshot()
        let suspend = {
            let error = try sqliteError { try database.blocking.suspend() }
            #expect(error.kind == .problem(DatabaseProblem.suspendedInsideClosure))
            #expect(error.resultCode == .misuse)
        }
        try database.blocking.read { _ in try suspend() }
        try database.blocking.write { _ in try suspend() }
        try database.readerConnectionPool.execute { _ in try suspend() }
        try snapshot.blocking.read { _ in try suspend() }
        #expect(try count(database) == 1)
    }

    @Test func runningStatementsAreInterrupted() throws {
        let database = try open()
        let (isReading, isWriting) = (Gate(), Gate())
        let read = ThreadResult {
            try database.blocking.read { connection in
                isReading.open()
                let _: Int = try connection.query(Self.endless)
            }
        }
        let write = ThreadResult {
            try database.blocking.write { connection in
                try connection.run("DELETE FROM t")
                isWriting.open()
                // Also a closure that catches the error and continues.
                for _ in 0..<3 { _ = try? connection.query(Self.endless) as Int }
                try connection.run("INSERT INTO t VALUES(2)")
                let _: Int = try connection.query(Self.endless)
            }
        }
        isReading.wait()
        isWriting.wait()
        try database.blocking.suspend(interruptingAfter: .zero)
        #expect(try sqliteError { try read.get() }.resultCode == .interrupt)
        #expect(throws: SQLiteError.self) { try write.get() }
        #expect(try lockInOtherProcess() == "done")
        try database.blocking.resume()
        #expect(try count(database) == 2)
    }

    @Test func atTheDeadlineTheDatabaseStaysSuspended() throws {
        let database = try open()
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult {
            try database.blocking.read { connection in
                try connection.run("SELECT * FROM t")
                isIn.open()
                gate.wait()
            }
        }
        isIn.wait()
        let error = try sqliteError { try database.blocking.suspend(interruptingAfter: .zero, deadline: .milliseconds(20)) }
        #expect(error.kind == .interrupted(.deadline))
        #expect(try errorKind { try database.blocking.read { _ in } } == .problem(DatabaseProblem.suspended))
        gate.open()
        try holder.get()
        // Its connection is closed after it is returned.
        until { (try? lockInOtherProcess()) == "done" }
        #expect(database.statistics.readers == 0)
        try database.blocking.resume()
        #expect(try count(database) == 2)
    }

    @Test func resumingWhileItWaitsEndsTheWait() throws {
        let database = try open()
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult {
            try database.blocking.writeWithoutTransaction { _ in
                isIn.open()
                gate.wait()
            }
        }
        isIn.wait()
        let suspension = ThreadResult { try database.blocking.suspend(interruptingAfter: .seconds(3600)) }
        until { database.writer.isSuspended }
        try database.blocking.resume()
        try suspension.get()
        #expect(try count(database) == 1)
        gate.open()
        try holder.get()
        try database.blocking.write { try $0.run("INSERT INTO t VALUES(2)") }
    }

    @Test func theConnectionsArePreparedAndObservedAgain() throws {
        let writers = Shared(0)
        let database = try Database(
            path,
            preparation: { try $0.addFunction("one") { 1 } },
            writerConnectionPreparation: { _ in writers.update { $0 += 1 } })
        let inserts = Shared(0)
        database.addUpdateObserver { _, _, _, _ in inserts.update { $0 += 1 } }
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
        for _ in 0..<2 {
            try database.blocking.suspend()
            try database.blocking.resume()
            try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(one())") }
            #expect(try database.blocking.read { try $0.query("SELECT one()") } == 1)
            #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA foreign_keys") } == 1)
        }
        #expect(writers.value == 3)
        #expect(inserts.value == 3)
    }

    @Test func whenResumingFailsTheDatabaseStaysSuspended() throws {
        struct NotReady: Error {}
        let isReady = Shared(true)
        let database = try Database(path, preparation: { _ in if !isReady.value { throw NotReady() } })
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
        try database.blocking.suspend()
        isReady.update { $0 = false }
        #expect(throws: NotReady.self) { try database.blocking.resume() }
        #expect(try errorKind { try database.blocking.read { _ in } } == .problem(DatabaseProblem.suspended))
        #expect(try errorKind { try database.blocking.writeWithoutTransaction { _ in } } == .problem(DatabaseProblem.suspended))
        isReady.update { $0 = true }
        try database.blocking.resume()
        #expect(try count(database) == 0)
    }

    @Test func aFileThatWasReplacedMeanwhileIsNotOpened() throws {
        let database = try open()
        try database.blocking.suspend()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        #expect(try errorKind { try database.blocking.resume() } == .problem(FileProblem.moved, of: .file(path)))
        try Connection(path).execute("CREATE TABLE other(a)")
        #expect(try errorKind { try database.blocking.resume() } == .problem(FileProblem.replaced, of: .file(path)))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        try database.blocking.resume()
        #expect(try count(database) == 1)
    }

    @Test func aDatabaseInMemoryKeepsItsContent() throws {
        let database = try Database()
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
        let snapshot = try database.blocking.snapshot()
        try database.blocking.suspend()
        #expect(try errorKind { try database.blocking.read { _ in } } == .problem(DatabaseProblem.suspended))
        try database.blocking.resume()
        #expect(try count(database) == 1)
        #expect(try snapshot.blocking.read { try $0.query("SELECT count(*) FROM t") } == 1)
    }

    @Test func aBackupEnds() async throws {
        let database = try open()
        let copy = directory.file("copy.db")
        let error = await #expect(throws: SQLiteError.self) {
            for try await _ in database.backup(to: copy, pagesPerStep: 1) {
                try await database.suspend()
                #expect(try lockInOtherProcess() == "done")
            }
        }
        #expect(error?.kind == .problem(DatabaseProblem.suspended))
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func closingWhileSuspendedAndWhileSuspending() throws {
        let database = try open()
        try database.blocking.suspend()
        try database.blocking.close()
        #expect(try errorKind { try database.blocking.resume() } == .closed(.database))
        #expect(try errorKind { try database.blocking.read { _ in } } == .closed(.database))
        #expect(try errorKind { try database.blocking.suspend() } == .closed(.database))

        let second = try open()
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult {
            try second.blocking.read { _ in
                isIn.open()
                gate.wait()
            }
        }
        isIn.wait()
        let suspension = ThreadResult { try second.blocking.suspend(interruptingAfter: .seconds(3600)) }
        until { second.readers.isSuspended && second.writer.isSuspended }
        let closing = ThreadResult { try second.blocking.close() }
        gate.open()
        try holder.get()
        try suspension.get()
        try closing.get()
    }

    @Test func manyThreadsWhileItIsSuspendedAndResumed() throws {
        let database = try open()
        let isDone = Shared(false)
        let threads = (0..<4).map { number in
            ThreadResult {
                var writes = 0
                while !isDone.value {
                    do {
                        if number == 0 {
                            try database.blocking.write { try $0.run("INSERT INTO t VALUES(2)") }
                            writes += 1
                        } else {
                            let _: Int = try database.blocking.read { try $0.query("SELECT count(*) FROM t") }
                        }
                    } catch let error as SQLiteError
                        where error.kind == .problem(DatabaseProblem.suspended) || error.resultCode == .interrupt
                    {
                    }
                }
                return writes
            }
        }
        for _ in 0..<20 {
            try database.blocking.suspend(interruptingAfter: .zero)
            #expect(database.statistics.readers == 0)
            try database.blocking.resume()
        }
        isDone.update { $0 = true }
        let writes = try threads.map { try $0.get() }.reduce(0, +)
        #expect(try count(database) == 1 + writes)
    }
}

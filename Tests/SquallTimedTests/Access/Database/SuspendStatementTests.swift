import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// The statements of closures that are still running at the end of the grace time of `suspend`.
@Suite(.timeLimit(.minutes(10)))
struct SuspendStatementTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
        database = try Database(path)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
    }

    private func count(_ database: Database) throws -> Int {
        try database.blocking.read { try $0.query("SELECT count(*) FROM t") }
    }

    /// Another process locks the file, and inserts a row.
    private func otherProcessCanWrite() throws -> Bool {
        try TestProcess(["exclusive", path]).end().output.hasPrefix("done")
    }

    /// Whether the grace time of a suspension is over for a connection of a core.
    private func refusesStatements(_ core: PoolCore) -> Bool {
        core.lock.withLock { core.state.connections.contains { $0.connection.interruption.flags.isSuspended } }
    }

    @Test func manyShortWritesInATransactionEndAndAreRolledBack() throws {
        let isIn = Gate()
        let writer = ThreadResult<Void> { [database] in
            try database.blocking.write { connection -> Void in
                while true {
                    try connection.run("INSERT INTO t VALUES(2)")
                    isIn.open()
                }
            }
        }
        isIn.wait()
        try database.blocking.suspend(interruptingAfter: .zero)
        let error = try sqliteError { try writer.get() }
        #expect(error.kind == .interrupted(.suspension))
        #expect(error.resultCode == .interrupt)
        #expect(error.message == "interrupted: the database is suspended")
        #expect(try otherProcessCanWrite())
        try database.blocking.resume()
        #expect(try count(database) == 2)
        try database.blocking.write { try $0.run("INSERT INTO t VALUES(2)") }
        #expect(try count(database) == 3)
    }

    @Test func manyShortReadsEnd() async throws {
        let snapshot = try await database.snapshot()
        let gates = (0..<3).map { _ in Gate() }
        let loop: @Sendable (Connection, Gate) throws -> Void = { connection, isIn in
            while true {
                let _: Int = try connection.query("SELECT count(*) FROM t")
                isIn.open()
            }
        }
        let blocking = ThreadResult { [database] in try database.blocking.read { try loop($0, gates[0]) } }
        let task = Task { [database] in try await database.read { try loop($0, gates[1]) } }
        let old = ThreadResult { try snapshot.blocking.read { try loop($0, gates[2]) } }
        for gate in gates { await gate.passed() }
        try await database.suspend(interruptingAfter: .zero)
        #expect(try errorKind { try blocking.get() } == .interrupted(.suspension))
        let error = await #expect(throws: SQLiteError.self) { try await task.value }
        #expect(error?.kind == .interrupted(.suspension))
        #expect(try errorKind { try old.get() } == .interrupted(.suspension))
        #expect(try otherProcessCanWrite())
        try await database.resume()
        #expect(try await database.read { try $0.query("SELECT count(*) FROM t") as Int } == 2)
    }

    @Test func statementsWithoutATransactionStayCommitted() throws {
        let (isIn, commits) = (Gate(), Shared(0))
        let writer = ThreadResult<Void> { [database] in
            try database.blocking.writeWithoutTransaction { connection -> Void in
                while true {
                    try connection.run("INSERT INTO t VALUES(2)")
                    commits.update { $0 += 1 }
                    isIn.open()
                }
            }
        }
        isIn.wait()
        try database.blocking.suspend(interruptingAfter: .zero)
        #expect(try errorKind { try writer.get() } == .interrupted(.suspension))
        try database.blocking.resume()
        #expect(try count(database) == 1 + commits.value)
    }

    /// Nothing is running when the grace time ends: the next statement throws, and so does the commit.
    @Test func theNextStatementThrows() throws {
        for (number, runsStatement) in [true, false].enumerated() {
            let (isIn, gate) = (Gate(), Gate())
            let writer = ThreadResult { [database] in
                try database.blocking.write { connection in
                    try connection.run("INSERT INTO t VALUES(2)")
                    isIn.open()
                    gate.wait()
                    if runsStatement { try connection.run("SELECT 1") }
                }
            }
            isIn.wait()
            let suspension = ThreadResult { [database] in try database.blocking.suspend(interruptingAfter: .zero) }
            until { refusesStatements(database.writer) }
            gate.open()
            #expect(try errorKind { try writer.get() } == .interrupted(.suspension))
            try suspension.get()
            #expect(try otherProcessCanWrite())
            try database.blocking.resume()
            #expect(try count(database) == 2 + number)
        }
    }

    @Test func aCommitThatHasBegunEnds() throws {
        let (isCommitting, gate) = (Gate(), Gate())
        let writer = ThreadResult { [database] in
            try database.blocking.write { connection in
                try connection.run("INSERT INTO t VALUES(2)")
                connection.commitHook {
                    isCommitting.open()
                    gate.wait()
                    return false
                }
            }
        }
        isCommitting.wait()
        let suspension = ThreadResult { [database] in try database.blocking.suspend(interruptingAfter: .zero) }
        until { refusesStatements(database.writer) }
        gate.open()
        try writer.get()
        try suspension.get()
        try database.blocking.resume()
        #expect(try count(database) == 2)
    }

    @Test func aClosureThatStillRunsContinuesAfterResume() throws {
        let (isIn, gate) = (Gate(), Gate())
        let writer = ThreadResult { [database] in
            try database.blocking.write { connection in
                isIn.open()
                gate.wait()
                try connection.run("INSERT INTO t VALUES(2)")
            }
        }
        isIn.wait()
        let suspension = ThreadResult { [database] in try database.blocking.suspend(interruptingAfter: .zero) }
        until { refusesStatements(database.writer) }
        try database.blocking.resume()
        try suspension.get()
        gate.open()
        try writer.get()
        #expect(try count(database) == 2)
    }

    @Test func afterTheDeadlineOfTheSuspensionStatementsThrowAsWell() throws {
        let (isIn, gate) = (Gate(), Gate())
        let writer = ThreadResult { [database] in
            try database.blocking.write { connection in
                isIn.open()
                gate.wait()
                try connection.run("INSERT INTO t VALUES(2)")
            }
        }
        isIn.wait()
        let error = try sqliteError { try database.blocking.suspend(interruptingAfter: .zero, deadline: .milliseconds(20)) }
        #expect(error.kind == .interrupted(.deadline))
        gate.open()
        #expect(try errorKind { try writer.get() } == .interrupted(.suspension))
        try database.blocking.suspend()
        try database.blocking.resume()
        #expect(try count(database) == 1)
    }

    /// Its connection is kept, and its snapshots are read during the suspension.
    @Test func aDatabaseInMemoryContinues() throws {
        let database = try Database()
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
        let snapshot = try database.blocking.snapshot()
        let (isIn, isReading, gate) = (Gate(), Gate(), Gate())
        let reader = ThreadResult {
            try snapshot.blocking.read { connection in
                isReading.open()
                gate.wait()
                return try connection.query("SELECT count(*) FROM t") as Int
            }
        }
        let writer = ThreadResult<Void> {
            try database.blocking.write { connection -> Void in
                while true {
                    try connection.run("INSERT INTO t VALUES(2)")
                    isIn.open()
                }
            }
        }
        isIn.wait()
        isReading.wait()
        try database.blocking.suspend(interruptingAfter: .zero)
        #expect(try errorKind { try writer.get() } == .interrupted(.suspension))
        gate.open()
        #expect(try reader.get() == 1)
        try database.blocking.resume()
        #expect(!refusesStatements(database.writer))
        #expect(try count(database) == 1)
        try database.blocking.write { try $0.run("INSERT INTO t VALUES(2)") }
        #expect(try count(database) == 2)
    }

    @Test func aStatementThatHasLeftItsClosureThrows() throws {
        var statement: Statement?
        try database.blocking.writeWithoutTransaction { connection in
            statement = try connection.prepare("SELECT a FROM t")
            try statement?.step()
        }
        try database.blocking.suspend(interruptingAfter: .zero)
        #expect(try sqliteError { try statement?.step() }.resultCode == .misuse)
        try database.blocking.resume()
        #expect(try sqliteError { try statement?.step() }.resultCode == .misuse)
        statement = nil
        try database.blocking.suspend()
        #expect(try otherProcessCanWrite())
        try database.blocking.resume()
        #expect(try count(database) == 2)
    }

    @Test func afterCloseResumingThrows() async throws {
        try await database.suspend()
        try await database.close()
        #expect(try errorKind { try blocking { try database.blocking.resume() } } == .closed(.database))
        let error = await #expect(throws: SQLiteError.self) { try await database.resume() }
        #expect(error?.kind == .closed(.database))
        #expect(error?.resultCode == .misuse)
        let other = try Database()
        try await other.close()
        #expect(try errorKind { try blocking { try other.blocking.resume() } } == .closed(.database))
    }

    @Test func aDeadlineBeforeTheEndOfTheGraceTimeEndsClosures() throws {
        let isIn = Gate()
        let writer = ThreadResult<Void> { [database] in
            try database.blocking.write { connection -> Void in
                while true {
                    try connection.run("INSERT INTO t VALUES(2)")
                    isIn.open()
                }
            }
        }
        isIn.wait()
        // The closure may end just before the deadline is noticed.
        try? database.blocking.suspend(interruptingAfter: .seconds(3600), deadline: .milliseconds(50))
        #expect(try sqliteError { try writer.get() }.kind == .interrupted(.suspension))
        try database.blocking.suspend()
        #expect(try otherProcessCanWrite())
        try database.blocking.resume()
        #expect(try count(database) == 2)
    }

    @Test func aReaderThatIsOpenedAfterTheGraceTimeRunsNoStatements() throws {
        let (isOpening, gate) = (Gate(), Gate())
        let late = try Database(
            path,
            readerConnectionPreparation: { _ in
                isOpening.open()
                gate.wait()
            })
        let reader = ThreadResult { try late.blocking.read { try $0.query("SELECT count(*) FROM t") as Int } }
        isOpening.wait()
        #expect(
            try sqliteError { try late.blocking.suspend(interruptingAfter: .zero, deadline: .milliseconds(20)) }.kind
                == .interrupted(.deadline))
        gate.open()
        #expect(try sqliteError { _ = try reader.get() }.kind == .interrupted(.suspension))
        try late.blocking.suspend()
        try late.blocking.resume()
        #expect(try count(late) == 1)
    }

    /// A database that is closed while another thread begins to suspend it.
    @Test func closingWaitsForNoReaderThatASuspensionHasRemoved() throws {
        #expect(try count(database) == 1)
        database.writer.stop()
        #expect(try sqliteError { try database.blocking.suspend() }.kind == .closed(.database))
        try database.blocking.close()
        #expect(try otherProcessCanWrite())
    }
}

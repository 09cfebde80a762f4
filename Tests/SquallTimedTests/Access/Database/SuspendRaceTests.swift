import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// `suspend` and `resume` beside closures, snapshots, backups and each other.
@Suite(.timeLimit(.minutes(10)))
struct SuspendRaceTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    private func open(_ preparation: (@Sendable (Connection) throws -> Void)? = nil) throws -> Database {
        let database = try Database(path, preparation: preparation)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE IF NOT EXISTS t(a); INSERT INTO t VALUES(1)") }
        return database
    }

    /// A read, or a read of a snapshot, that runs a closure when the gate is opened.
    private func holder(
        _ database: Database, _ snapshot: ReadSnapshot? = nil, until gate: Gate,
        then body: @escaping @Sendable () throws -> Void = {}
    ) -> ThreadResult<Void> {
        let isIn = Gate()
        let closure: @Sendable (Connection) throws -> Void = { _ in
            isIn.open()
            gate.wait()
            try body()
        }
        let holder = ThreadResult {
            if let snapshot {
                try snapshot.blocking.read(closure)
            } else {
                try database.blocking.read(closure)
            }
        }
        isIn.wait()
        return holder
    }

    private func suspension(of database: Database, grace: Duration = .seconds(3600)) -> ThreadResult<Void> {
        let suspension = ThreadResult { try database.blocking.suspend(interruptingAfter: grace) }
        until { database.writer.isSuspended && database.readers.isSuspended }
        return suspension
    }

    @Test func aClosureThatStillRunsCannotMakeASnapshotOrABackup() throws {
        let database = try open()
        let gate = Gate()
        let copy = directory.file("copy.db")
        let holder = holder(database, until: gate) {
            let snapshot = try errorKind { _ = try database.blocking.snapshot() }
            let backup = try errorKind { try database.blocking.backup(to: copy) }
            #expect(snapshot == .problem(DatabaseProblem.suspended))
            #expect(backup == .problem(DatabaseProblem.suspended))
        }
        let suspension = suspension(of: database)
        gate.open()
        try holder.get()
        try suspension.get()
        #expect(database.statistics.snapshots == 0)
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func aWriteThatStillRunsCannotMakeASnapshotOrABackupWhileTheDatabaseIsClosed() throws {
        let database = try open()
        let (isIn, gate) = (Gate(), Gate())
        let copy = directory.file("copy.db")
        let writer = ThreadResult {
            try database.blocking.writeWithoutTransaction { _ in
                isIn.open()
                gate.wait()
                let snapshot = try errorKind { _ = try database.blocking.snapshot() }
                let backup = try errorKind { try database.blocking.backup(to: copy) }
                #expect(snapshot == .closed(.database))
                #expect(backup == .closed(.database))
            }
        }
        isIn.wait()
        let closing = ThreadResult { try database.blocking.close() }
        // The readers, the snapshots and the backups are closed.
        until { database.writer.lock.withLock { database.writer.state.phase == .closed } }
        gate.open()
        try writer.get()
        try closing.get()
        #expect(database.statistics.snapshots == 0)
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func snapshotsInMemoryStayOpenDuringASuspension() throws {
        let database = try Database()
        let snapshot = try database.blocking.snapshot()
        try database.blocking.suspend()
        #expect(try snapshot.blocking.read { try $0.query("SELECT 1") } == 1)
        try database.blocking.resume()
        try database.blocking.close()
        #expect(try errorKind { try snapshot.blocking.read { _ in } } == .closed(.snapshot))
    }

    @Test func aStepOfABackupDoesNotDelayTheQuestionWhetherItHasEnded() throws {
        let database = try open()
        let session = BackupSession(database.backup(to: directory.file("copy.db")))
        try database.blocking.read { try session.begin(from: $0) }
        #expect(!session.hasEnded)
        let (isIn, gate) = (Gate(), Gate())
        session.end(nil) {
            isIn.open()
            gate.wait()
        }
        isIn.wait()
        #expect(session.hasEnded)
        gate.open()
    }

    @Test func afterTheDeadlineAClosureCannotMakeASnapshot() throws {
        let database = try open()
        let gate = Gate()
        let holder = holder(database, until: gate) {
            let kind = try errorKind { _ = try database.blocking.snapshot() }
            #expect(kind == .problem(DatabaseProblem.suspended))
        }
        let error = try sqliteError { try database.blocking.suspend(interruptingAfter: .zero, deadline: .milliseconds(20)) }
        #expect(error.kind == .interrupted(.deadline))
        gate.open()
        try holder.get()
        #expect(database.statistics.snapshots == 0)
    }

    @Test func aResumedDatabaseIsNotAffectedByAnEarlierSuspension() throws {
        let database = try open()
        let gate = Gate()
        let old = try database.blocking.snapshot()
        let holder = holder(database, old, until: gate)
        let suspension = suspension(of: database, grace: .zero)
        until { old.core.lock.withLock { old.core.state.phase == .closed } }
        try database.blocking.resume()
        let new = try database.blocking.snapshot()
        // It would be interrupted, several times.
        let many: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)"
        #expect(try database.blocking.read { try $0.query("\(many) SELECT count(*) FROM n") } == 300_000)
        #expect(try new.blocking.read { try $0.query("\(many) SELECT count(*) FROM n") } == 300_000)
        gate.open()
        try holder.get()
        try suspension.get()
        #expect(try new.blocking.read { try $0.query("SELECT count(*) FROM t") } == 1)
        #expect(try errorKind { try old.blocking.read { _ in } } == .closed(.snapshot))
    }

    @Test func theWriterIsTheLastConnection() throws {
        let database = try open()
        let gate = Gate()
        let snapshot = try database.blocking.snapshot()
        let holder = holder(database, snapshot, until: gate)
        let suspension = suspension(of: database)
        gate.open()
        try holder.get()
        try suspension.get()
        // A snapshot is read-only, and could not have checkpointed the log.
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }

    @Test func atTheDeadlineTheIdleWriterIsClosed() throws {
        let database = try open()
        let gate = Gate()
        let holder = holder(database, until: gate)
        _ = try sqliteError { try database.blocking.suspend(interruptingAfter: .zero, deadline: .milliseconds(20)) }
        #expect(database.writer.lock.withLock { database.writer.state.connections.isEmpty })
        gate.open()
        try holder.get()
    }

    @Test func whileTheWriterIsOpenedTheDatabaseStaysSuspended() throws {
        struct NotReady: Error {}
        let (opening, kinds) = (Shared<Database?>(nil), Shared<[SQLiteError.Kind]>([]))
        let database = try open { _ in
            guard let database = opening.value else { return }
            // In this thread, each would wait for itself.
            let own = [
                try errorKind { try database.blocking.suspend() }, try errorKind { try database.blocking.close() },
            ]
            try database.blocking.resume()
            let other = try ThreadResult {
                try errorKind { try database.blocking.writeWithoutTransaction(deadline: .milliseconds(20)) { _ in } }
            }.get()
            kinds.update { $0 = own + [other] }
            throw NotReady()
        }
        try database.blocking.suspend()
        opening.update { $0 = database }
        #expect(throws: NotReady.self) { try database.blocking.resume() }
        #expect(
            kinds.value == [
                .problem(DatabaseProblem.suspendedInsideClosure),
                .problem(DatabaseProblem.closedInsideClosure(.database)), .problem(DatabaseProblem.suspended),
            ])
        #expect(database.writer.isSuspended)
        opening.update { $0 = nil }
        try database.blocking.resume()
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(2)") }
    }

    @Test func aThreadThatResumesWaitsForAnotherOne() throws {
        struct NotReady: Error {}
        let (opening, second) = (Shared<Database?>(nil), Shared<ThreadResult<Void>?>(nil))
        let database = try open { _ in
            guard let database = opening.value else { return }
            opening.update { $0 = nil }
            second.update {
                $0 = ThreadResult {
                    try database.blocking.resume()
                    try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(2)") }
                }
            }
            until { database.suspension.waitingThreads == 1 }
            throw NotReady()
        }
        try database.blocking.suspend()
        opening.update { $0 = database }
        #expect(throws: NotReady.self) { try database.blocking.resume() }
        // It has opened the writer itself.
        try second.value?.get()
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM t") } == 2)
    }

    @Test func theDeadlineAlsoLimitsTheClosingOfTheWriter() throws {
        final class Blocker: Sendable {
            let gate: Gate
            init(_ gate: Gate) { self.gate = gate }
            deinit { gate.wait() }
        }
        let gate = Gate()
        let database = try open { connection in
            let blocker = Blocker(gate)
            try connection.addFunction("blocked") { withExtendedLifetime(blocker) { 1 } }
        }
        let error = try sqliteError { try database.blocking.suspend(deadline: .milliseconds(20)) }
        #expect(error.kind == .interrupted(.deadline))
        gate.open()
        try database.blocking.suspend()
        try database.blocking.resume()
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(2)") }
    }

    @Test func aSuspensionWhileTheWriterIsOpenedWins() throws {
        let (opening, suspension) = (Shared<Database?>(nil), Shared<ThreadResult<Void>?>(nil))
        let database = try open { _ in
            guard let database = opening.value else { return }
            suspension.update { $0 = ThreadResult { try database.blocking.suspend(interruptingAfter: .seconds(3600)) } }
            // It waits for this connection.
            until { database.writer.lock.withLock { !database.writer.whenQuiet.isEmpty } }
        }
        try database.blocking.suspend()
        opening.update { $0 = database }
        #expect(try errorKind { try database.blocking.resume() } == .problem(DatabaseProblem.suspended))
        try suspension.value?.get()
        #expect(try errorKind { try database.blocking.writeWithoutTransaction { _ in } } == .problem(DatabaseProblem.suspended))
        #expect(database.writer.lock.withLock { database.writer.state.connections.isEmpty })
        opening.update { $0 = nil }
        try database.blocking.resume()
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(2)") }
    }

    @Test func resumingDoesNotEndACheckpoint() throws {
        let database = try open()
        let gate = Gate()
        let holder = holder(database, until: gate)
        let checkpoint = ThreadResult { try database.blocking.checkpoint(holdingReaders: .seconds(3_600)) }
        until { database.readers.lock.withLock { !database.readers.whenQuiet.isEmpty } }
        let suspension = suspension(of: database)
        try database.blocking.resume()
        try suspension.get()
        gate.open()
        try holder.get()
        #expect(try checkpoint.get().logFrames == 0)
    }

    @Test func aSuspensionInATaskEndsInATask() async throws {
        let database = try open()
        try await database.suspend()
        try await database.resume()
        #expect(try await database.read { try $0.query("SELECT a FROM t") as Int } == 1)
    }
}

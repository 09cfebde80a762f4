import Foundation
import Squall
import SquallTestSupport
import Testing

/// An interrupt that comes when its statement has just ended must not end anything that follows.
@Suite(.timeLimit(.minutes(10)))
struct StaleInterruptTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
        let connection = try Connection(path)
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
    }

    /// How the next user of a connection may begin.
    enum FirstAction: String, CaseIterable {
        case select, insert, checkpoint, truncatingCheckpoint, backup, begin, vacuum, pragma, checkpointPragma,
            serialize
        case savepoint, script

        func run(on connection: Connection) throws {
            switch self {
            case .select: #expect(try connection.query("SELECT count(*) > 0 FROM t") == true)
            case .insert: try connection.run("INSERT INTO t VALUES(2)")
            case .checkpoint: #expect(try connection.checkpoint(mode: .passive).logFrames > 0)
            case .truncatingCheckpoint: #expect(try connection.checkpoint().logFrames == 0)
            case .backup: try connection.backup(to: Connection()).run()
            case .begin: try connection.transaction(transactionType: .immediate) {}
            case .vacuum: try connection.vacuum()
            case .pragma: #expect(try connection.query("PRAGMA integrity_check") == "ok")
            case .checkpointPragma: #expect(try connection.query("PRAGMA wal_checkpoint") as Int == 0)
            case .serialize: #expect(try !connection.serialize().isEmpty)
            case .savepoint: try connection.savepoint(named: "s") { try connection.run("INSERT INTO t VALUES(2)") }
            case .script: try connection.execute("INSERT INTO t VALUES(2); DELETE FROM t WHERE a = 2")
            }
        }
    }

    /// Leaves an interrupt that no statement looks at any more: the hook is called by the last COMMIT.
    private func leaveInterrupt(on connection: Connection) throws {
        connection.commitHook { [unowned connection] in
            connection.interrupt()
            return false
        }
        try connection.run("INSERT INTO t VALUES(1)")
        connection.commitHook(nil)
    }

    @Test(arguments: FirstAction.allCases) func doesNotReachTheNextActionOfAConnection(action: FirstAction) throws {
        let connection = try Connection(path)
        try leaveInterrupt(on: connection)
        try action.run(on: connection)
    }

    @Test(arguments: FirstAction.allCases) func doesNotReachTheNextClosureOfADatabase(action: FirstAction) throws {
        let database = try Database(path)
        try database.blocking.writeWithoutTransaction { try leaveInterrupt(on: $0) }
        try database.blocking.writeWithoutTransaction { try action.run(on: $0) }
        database.interrupt()
        try database.blocking.writeWithoutTransaction { try action.run(on: $0) }
    }

    @Test(arguments: FirstAction.allCases) func doesNotReachTheClosureAfterACancelledWrite(action: FirstAction)
        async throws
    {
        let database = try Database(path)
        let task = Shared<Task<Void, any Error>?>(nil)
        let isKnown = Gate()
        let writing = Task {
            try await database.write { connection in
                isKnown.wait()
                // Cancelled when nothing of the transaction can fail any more.
                connection.commitHook {
                    task.value?.cancel()
                    return false
                }
                try connection.run("INSERT INTO t VALUES(1)")
            }
        }
        task.update { $0 = writing }
        isKnown.open()
        try await writing.value
        try removeHook(database)
        try next(action, database)
    }

    private func removeHook(_ database: Database) throws {
        try database.blocking.writeWithoutTransaction { $0.commitHook(nil) }
    }

    private func next(_ action: FirstAction, _ database: Database) throws {
        try database.blocking.writeWithoutTransaction { try action.run(on: $0) }
    }

    @Test func doesNotKeepAConnectionFromRemovingItsLogWhenItCloses() throws {
        let connection = try Connection(path)
        try leaveInterrupt(on: connection)
        connection.close()
        try expectNoLog()
    }

    @Test(arguments: [true, false]) func doesNotKeepADatabaseFromRemovingItsLogWhenItCloses(isIdle: Bool) throws {
        let database = try Database(path)
        try database.blocking.writeWithoutTransaction { connection in
            try connection.run("INSERT INTO t VALUES(1)")
            if !isIdle { connection.interrupt() }
        }
        database.interrupt()
        try database.blocking.close()
        try expectNoLog()
    }

    private func expectNoLog() throws {
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        // What is in the file alone.
        let copy = directory.file("copy.db")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        #expect(try Connection(copy).query("SELECT count(*) FROM t") == 2)
    }

    /// A cancellation that comes while work is running still ends a checkpoint.
    @Test func aCheckpointDoesNotBeginAfterTheDeadline() throws {
        let connection = try Connection(path)
        let error = try sqliteError { try connection.withDeadline(.zero) { _ = try connection.checkpoint() } }
        #expect(error.message == "interrupted: the deadline has passed")
    }

    @Test func hundredsOfWritesCancelledAroundTheirCommitLeaveCheckpointsAlone() async throws {
        let database = try Database(path)
        var random = TestSeed.of().generator()
        // The log has frames, also where the first write is cancelled.
        try await database.write { try $0.run("INSERT INTO t VALUES(1)") }
        for _ in 0..<400 {
            let isCommitting = Gate()
            let task = Task {
                try await database.write { connection in
                    try connection.run("INSERT INTO t VALUES(1)")
                    isCommitting.open()
                }
            }
            await isCommitting.passed()
            for _ in 0..<Int.random(in: 0..<60, using: &random) { await Task.yield() }
            task.cancel()
            if case .failure(let error) = await task.result { #expect(error is CancellationError) }
            try next(.checkpoint, database)
        }
        try await database.close()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }

    /// The value of before is read by a statement that an interrupt can end; then the PRAGMA must not run.
    @Test func anInterruptDoesNotLeaveASetting() async throws {
        for database in [try Database(path), try Database(":memory:")] {
            for round in 0..<300 {
                let task = Task {
                    try await database.writeWithoutTransaction { try $0.execute("PRAGMA foreign_keys = OFF") }
                }
                for _ in 0..<round % 60 { await Task.yield() }
                task.cancel()
                _ = await task.result
                let isOn = try await database.writeWithoutTransaction { try $0.query("PRAGMA foreign_keys") as Bool }
                try #require(isOn, "round \(round)")
            }
        }
    }
}

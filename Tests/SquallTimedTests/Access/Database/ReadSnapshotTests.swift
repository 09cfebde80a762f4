import Foundation
import Squall
import SquallTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ReadSnapshotTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func databases() throws -> [Database] {
        let databases = [try Database(directory.file("app.db")), try Database()]
        for database in databases {
            try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
        }
        return databases
    }

    @Test func aSnapshotStaysAsItWas() async throws {
        for database in try databases() {
            let snapshot = try blocking { try database.blocking.snapshot() }
            try await database.write { try $0.run("DELETE FROM t") }
            #expect(try blocking { try snapshot.blocking.read { try $0.query("SELECT count(*) FROM t") } } == 1)
            let count: Int = try await snapshot.read { try $0.query("SELECT count(*) FROM t") }
            #expect(count == 1)
            #expect(try await database.read { try $0.query("SELECT count(*) FROM t") as Int } == 0)
            #expect(database.statistics.snapshots == 1)
            let error = try sqliteError { try snapshot.blocking.read { try $0.run("DELETE FROM t") } }
            #expect(error.resultCode == .readOnly)
            try await snapshot.read { outer in try snapshot.blocking.read { #expect($0 === outer) } }
            try snapshot.close()
            #expect(try sqliteError { try snapshot.blocking.read { _ in } }.message == "the snapshot is closed")
            #expect(database.statistics.snapshots == 0)
        }
    }

    @Test func closingTheDatabaseClosesItsSnapshots() throws {
        for database in try databases() {
            let snapshot = try database.blocking.snapshot()
            try snapshot.blocking.read { _ in _ = try sqliteError { try database.blocking.close() } }
            try database.blocking.close()
            #expect(try sqliteError { try snapshot.blocking.read { _ in } }.message == "the snapshot is closed")
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("app.db-wal")))
    }

    @Test func aSnapshotThatGoesIsClosed() throws {
        let database = try databases()[0]
        do {
            let snapshot = try database.blocking.snapshot()
            #expect(try snapshot.blocking.read { try $0.query("SELECT a FROM t") } == 1)
        }
        #expect(database.statistics.snapshots == 0)
        let result = try database.blocking.writeWithoutTransaction { try $0.checkpoint(mode: .truncate) }
        #expect(result.logFrames == 0)
    }

    /// The log cannot begin anew under a reader; the size shows it.
    @Test func theLogGrowsUnderASnapshotAndFallsAfterIt() throws {
        let database = try databases()[0]
        func write() throws {
            for _ in 0..<60 {
                try database.blocking.write { connection in
                    for _ in 0..<20 { try connection.run("INSERT INTO t VALUES(randomblob(10000))") }
                    try connection.run("DELETE FROM t WHERE rowid > 1")
                }
            }
        }
        let snapshot = try database.blocking.snapshot()
        try write()
        let grown = database.statistics.walSize
        // SQLite begins the log anew after 1000 pages of 4096 bytes.
        #expect(grown > 2 * 4_096_000)
        _ = try database.blocking.writeWithoutTransaction { connection in try connection.checkpoint(mode: .passive) }
        #expect(database.statistics.walSize == grown)
        try snapshot.close()
        _ = try database.blocking.writeWithoutTransaction { try $0.checkpoint(mode: .truncate) }
        #expect(database.statistics.walSize == 0)
        try write()
        #expect(database.statistics.walSize < grown)
    }

    @Test func theDeadlineEndsTheWaitForALock() async throws {
        let path = directory.file("rollback.db")
        let database = try Database(
            storageLocation: .onDisk(path), readerConnectionPreparation: { try $0.run("PRAGMA busy_timeout = 5000") })
        try await database.write { try $0.execute("CREATE TABLE t(a)") }
        let other = try Connection(path, configuration: .sqlite)
        try other.execute("BEGIN EXCLUSIVE")
        let error = await #expect(throws: SQLiteError.self) { try await database.snapshot(deadline: .milliseconds(50)) }
        #expect(error?.kind == .interrupted(.deadline))
        try other.execute("COMMIT")
        try await database.snapshot().close()
    }

    @MainActor @Test func aDatabaseInMemoryIsNotCopiedOnTheThreadOfTheCaller() async throws {
        // The main queue may run on several threads.
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let isOnMainQueue = Shared<[Bool]>([])
        let database = try Database(
            ":memory:",
            readerConnectionPreparation: { _ in
                isOnMainQueue.update { $0.append(DispatchQueue.getSpecific(key: key) == true) }
            })
        _ = try await database.snapshot()
        #expect(isOnMainQueue.value == [true, false])
    }

    @Test func aDatabaseInMemoryIsNotCopiedInsideAReadOrATransaction() throws {
        let database = try Database()
        let snapshot = {
            let error = try sqliteError { _ = try database.blocking.snapshot() }
            #expect(error.kind == .problem(DatabaseProblem.snapshotInsideTransaction))
            #expect(error.resultCode == .misuse)
            #expect(error.hint == "make the snapshot before the read or the transaction")
        }
        try database.blocking.read { _ in try snapshot() }
        try database.blocking.write { _ in try snapshot() }
        try database.blocking.writeWithoutTransaction { _ in try database.blocking.snapshot().close() }
    }

    @Test func aSnapshotIsMadeInATask() async throws {
        for database in try databases() {
            let snapshot = try await database.snapshot()
            try await database.write { try $0.run("DELETE FROM t") }
            #expect(try await snapshot.read { try $0.query("SELECT count(*) FROM t") as Int } == 1)
            try snapshot.close()
            let error = await #expect(throws: SQLiteError.self) { try await database.snapshot(deadline: .zero) }
            #expect(error?.resultCode == .interrupt)
            let task = Task {
                await until { Task.isCancelled }
                return try await database.snapshot()
            }
            task.cancel()
            let result = await task.result
            #expect(throws: CancellationError.self) { try result.get() }
            #expect(database.statistics.snapshots == 0)
            try await database.close()
            let closed = await #expect(throws: SQLiteError.self) { try await database.snapshot() }
            #expect(closed?.kind == .closed(.database))
        }
    }
}

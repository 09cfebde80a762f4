import Squall
import SquallTestSupport
import Testing

/// `read`, `write` and `writeWithoutTransaction` of `blocking` with a deadline.
@Suite(.timeLimit(.minutes(10)))
struct BlockingDeadlineTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
        database = try Database(path, maximumReaders: 1)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
    }

    private static let endless: SQL =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    private let short = Duration.milliseconds(20)

    @Test func endTheWaitForAConnection() throws {
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult { [database] in
            try database.blocking.read { _ in
                try database.readerConnectionPool.execute { _ in }
                isIn.open()
                gate.wait()
            }
        }
        isIn.wait()
        let error = try sqliteError { try database.blocking.read(deadline: short) { _ in } }
        #expect(error.resultCode == .interrupt)
        #expect(error.message == "interrupted: the deadline has passed before a connection was free")
        #expect(error.hint?.contains("maximumReaders") == true)
        #expect(database.statistics.waitingReads == 0)
        gate.open()
        try holder.get()
        #expect(try database.blocking.read(deadline: .seconds(3600)) { try $0.query("SELECT 1") } == 1)
    }

    @Test(arguments: [false, true]) func endTheWaitOfASnapshot(isInMemory: Bool) throws {
        let database = isInMemory ? try Database(":memory:") : database
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult {
            try database.blocking.read { _ in
                isIn.open()
                gate.wait()
            }
        }
        isIn.wait()
        let error = try sqliteError { _ = try database.blocking.snapshot(deadline: short) }
        #expect(error.kind == .interrupted(.deadline))
        #expect(error.message == "interrupted: the deadline has passed before a connection was free")
        gate.open()
        try holder.get()
        let snapshot = try database.blocking.snapshot(deadline: .seconds(3600))
        #expect(try snapshot.blocking.read { try $0.query("SELECT 1") } == 1)
        try snapshot.close()
    }

    @Test func endTheWaitForTheWriter() throws {
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult { [database] in
            try database.blocking.writeWithoutTransaction { _ in
                isIn.open()
                gate.wait()
            }
        }
        isIn.wait()
        #expect(
            try sqliteError { try database.blocking.writeWithoutTransaction(deadline: short) { _ in } }.resultCode
                == .interrupt)
        #expect(try sqliteError { try database.blocking.write(deadline: short) { _ in } }.resultCode == .interrupt)
        #expect(database.statistics.waitingWrites == 0)
        gate.open()
        try holder.get()
        try database.blocking.write(deadline: .seconds(3600)) { try $0.run("INSERT INTO t VALUES(1)") }
        #expect(
            try database.blocking.writeWithoutTransaction(deadline: .seconds(3600)) {
                try $0.query("SELECT count(*) FROM t")
            } == 1)
    }

    @Test func endStatementsThatRun() throws {
        let snapshot = try database.blocking.snapshot()
        let ends: [() throws -> Int] = [
            { try database.blocking.read(deadline: short) { try $0.query(Self.endless) } },
            { try database.blocking.writeWithoutTransaction(deadline: short) { try $0.query(Self.endless) } },
            { try database.blocking.write(deadline: short) { try $0.query(Self.endless) } },
            { try snapshot.blocking.read(deadline: short) { try $0.query(Self.endless) } },
        ]
        for end in ends {
            let error = try sqliteError { _ = try end() }
            #expect(error.message == "interrupted: the deadline has passed")
        }
    }

    @Test func endTheWaitForALockAndRollBack() throws {
        let other = try Connection(path)
        try other.run("BEGIN IMMEDIATE")
        let error = try sqliteError {
            try database.blocking.write(deadline: short) { try $0.run("INSERT INTO t VALUES(1)") }
        }
        #expect(error.resultCode == .interrupt)
        try other.run("COMMIT")
        #expect(throws: SQLiteError.self) {
            try database.blocking.write(deadline: short) { connection in
                try connection.run("INSERT INTO t VALUES(1)")
                let _: Int = try connection.query(Self.endless)
            }
        }
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM t") } == 0)
    }

    @Test func holdInsideAClosureOfTheSameDatabase() throws {
        try database.blocking.writeWithoutTransaction { _ throws in
            #expect(throws: SQLiteError.self) {
                try database.blocking.read(deadline: short) { let _: Int = try $0.query(Self.endless) }
            }
            #expect(try database.blocking.read { try $0.query("SELECT 1") } == 1)
        }
    }
}

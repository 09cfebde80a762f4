import Squall
import SquallTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ProgressTests {
    static let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    static let long: SQL =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT max(i) FROM n"

    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a)")
    }

    @Test func theHandlerIsAskedAndInterrupts() throws {
        var count = 0
        try connection.progressHandler(every: 100) {
            count += 1
            return count == 5 ? .interrupt : .proceed
        }
        let error = try sqliteError { let _: Int = try connection.query(Self.endless) }
        #expect(error.resultCode == .interrupt)
        #expect(error.message == "interrupted")
        #expect(count == 5)
        try connection.progressHandler(nil)
        #expect(try connection.query(Self.long) == 100_000)
        #expect(count == 5)
    }

    @Test func theHandlerCanRemoveItself() throws {
        var count = 0
        try connection.progressHandler(every: 100) { [unowned connection] in
            count += 1
            do { try connection.progressHandler(nil) } catch { Issue.record(error) }
            return .proceed
        }
        #expect(try connection.query(Self.long) == 100_000)
        #expect(count == 1)
    }

    @Test func aTimeLimitGoesOnBesideTheHandler() throws {
        var configuration = Configuration.sqlite
        configuration.timeLimit = .milliseconds(20)
        let connection = try Connection(":memory:", configuration: configuration)
        var count = 0
        try connection.progressHandler(every: 5000) {
            count += 1
            return .proceed
        }
        // The first look at the clock may find that the time is over.
        repeat {
            let error = try sqliteError { let _: Int = try connection.query(Self.endless) }
            #expect(error.message == "interrupted: the time limit is 0.02 seconds")
        } while count == 0
        try connection.progressHandler(nil)
        #expect(throws: SQLiteError.self) { let _: Int = try connection.query(Self.endless) }
    }

    @Test func aDeadlineEndsTheWorkAndNothingElse() throws {
        let error = try sqliteError {
            try connection.withDeadline(.milliseconds(20)) { let _: Int = try connection.query(Self.endless) }
        }
        #expect(error.resultCode == .interrupt)
        #expect(error.message == "interrupted: the deadline has passed")
        #expect(try connection.query(Self.long) == 100_000)
        #expect(try connection.withDeadline(.seconds(3600)) { try connection.query(Self.long) } == 100_000)
    }

    @Test func afterTheDeadlineNoStatementBegins() throws {
        let error = try sqliteError {
            try connection.withDeadline(.zero) { try connection.run("INSERT INTO t VALUES(1)") }
        }
        #expect(error.message == "interrupted: the deadline has passed")
        #expect(error.sql == "INSERT INTO t VALUES(1)")
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
    }

    @Test func theFirstOfNestedDeadlinesCounts() throws {
        for (outer, inner) in [
            (Duration.milliseconds(20), Duration.seconds(3600)), (.seconds(3600), .milliseconds(20)),
        ] {
            #expect(throws: SQLiteError.self) {
                try connection.withDeadline(outer) {
                    try connection.withDeadline(inner) { let _: Int = try connection.query(Self.endless) }
                }
            }
        }
        try connection.withDeadline(.seconds(3600)) {
            #expect(throws: SQLiteError.self) { try connection.withDeadline(.zero) { try connection.run("SELECT 1") } }
            try connection.run("SELECT 1")
        }
    }

    @Test func aDeadlineInATransactionRollsItBack() throws {
        #expect(throws: SQLiteError.self) {
            try connection.withDeadline(.milliseconds(20)) {
                try connection.transaction {
                    try connection.run("INSERT INTO t VALUES(1)")
                    let _: Int = try connection.query(Self.endless)
                }
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
    }

    @Test func aDeadlineInASavepointUndoesThatAlone() throws {
        try connection.transaction {
            try connection.run("INSERT INTO t VALUES(1)")
            #expect(throws: SQLiteError.self) {
                try connection.withDeadline(.milliseconds(20)) {
                    try connection.savepoint(named: "s") {
                        try connection.run("INSERT INTO t VALUES(2)")
                        let _: Int = try connection.query(Self.endless)
                    }
                }
            }
        }
        #expect(try connection.query("SELECT a FROM t") == [1])
    }

    @Test func aDeadlineEndsAWaitForALock() throws {
        let directory = try TemporaryDirectory()
        let holder = try Connection(storageLocation: .onDisk(directory.file("busy.db")))
        try holder.execute("CREATE TABLE t(a); BEGIN IMMEDIATE")
        let waiter = try Connection(storageLocation: .onDisk(directory.file("busy.db")))
        try waiter.busyHandler(.timeout(3600))
        let error = try sqliteError {
            try waiter.withDeadline(.milliseconds(20)) { try waiter.run("INSERT INTO t VALUES(1)") }
        }
        #expect(error.resultCode == .interrupt)
        #expect(error.message == "interrupted: the deadline has passed")
        #expect(try waiter.query("PRAGMA busy_timeout") == 3_600_000)
        try holder.execute("COMMIT")
        try waiter.run("INSERT INTO t VALUES(1)")
    }

    /// Also what `PRAGMA busy_timeout` was set to by hand.
    @Test func underADeadlineTheBusyTimeoutCounts() throws {
        let directory = try TemporaryDirectory()
        let holder = try Connection(storageLocation: .onDisk(directory.file("busy.db")))
        try holder.execute("CREATE TABLE t(a); BEGIN IMMEDIATE")
        let waiter = try Connection(storageLocation: .onDisk(directory.file("busy.db")))
        for timeout in ["0", "10"] {
            try waiter.run("PRAGMA busy_timeout = \(raw: timeout)")
            let error = try sqliteError {
                try waiter.withDeadline(.seconds(3600)) { try waiter.run("INSERT INTO t VALUES(1)") }
            }
            #expect(error.resultCode == .busy)
            #expect(try waiter.query("PRAGMA busy_timeout") == Int(timeout))
        }
    }

    @Test func aCustomBusyHandlerIsAskedNoMoreAfterTheDeadline() throws {
        let directory = try TemporaryDirectory()
        let holder = try Connection(storageLocation: .onDisk(directory.file("busy.db")))
        try holder.execute("CREATE TABLE t(a); BEGIN IMMEDIATE")
        let waiter = try Connection(storageLocation: .onDisk(directory.file("busy.db")))
        try waiter.busyHandler(.custom { _ in true })
        let error = try sqliteError {
            try waiter.withDeadline(.milliseconds(20)) { try waiter.run("INSERT INTO t VALUES(1)") }
        }
        #expect(error.message == "interrupted: the deadline has passed")
    }

    @Test func aClosureMayCloseTheConnection() throws {
        try connection.withDeadline(.seconds(3600)) { connection.close() }
        #expect(connection.isClosed)
    }

    @Test func aDeadlineEndsALoopThatTakesItsTime() throws {
        var (rows, deadline) = (0, Duration.milliseconds(20))
        // The deadline may pass before the first row.
        while rows == 0 {
            let error = try sqliteError {
                try connection.withDeadline(deadline) {
                    try connection.forEach("VALUES(1), (2), (3)") { _ in
                        rows += 1
                        let end = ContinuousClock.now + deadline
                        until { ContinuousClock.now >= end }
                    }
                }
            }
            #expect(error.message == "interrupted: the deadline has passed")
            deadline *= 2
        }
        #expect(rows == 1)
        #expect(try connection.query("SELECT 1") == 1)
    }
}

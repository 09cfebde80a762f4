import Foundation
import Squall
import SquallTestSupport
import Testing

struct BusyHandlerTests {
    private let directory: TemporaryDirectory
    private let holder: Connection
    private let waiter: Connection

    init() throws {
        directory = try TemporaryDirectory()
        holder = try Connection(storageLocation: .onDisk(directory.file("busy.db")))
        waiter = try Connection(storageLocation: .onDisk(directory.file("busy.db")))
        try holder.execute("CREATE TABLE t(a); BEGIN IMMEDIATE; INSERT INTO t VALUES(1)")
    }

    private func insert() throws { try waiter.run("INSERT INTO t VALUES(2)") }

    @Test func withoutAHandlerAStatementFailsAtOnce() throws {
        #expect(try sqliteError { try insert() }.resultCode == .busy)
    }

    @Test func aCustomHandlerIsAskedUntilItRefuses() throws {
        var counts: [Int32] = []
        try waiter.busyHandler(
            .custom { count in
                counts.append(count)
                return count < 3
            }
        )
        let error = try sqliteError { try insert() }
        #expect(error.resultCode == .busy)
        #expect(error.message == "database is locked")
        #expect(counts == [0, 1, 2, 3])
        try waiter.busyHandler(.defaultBehavior)
        #expect(throws: SQLiteError.self) { try insert() }
        #expect(counts.count == 4)
    }

    @Test func aHandlerThatEndsTheLockLetsTheStatementRun() throws {
        try waiter.busyHandler(
            .custom { [holder] _ in
                try? holder.execute("COMMIT")
                return true
            }
        )
        try insert()
        #expect(try waiter.query("SELECT a FROM t") == [1, 2])
    }

    @Test(arguments: [(2.5, 2500), (0.0019, 1), (0, 0), (-3, 0), (1e300, 2_147_483_000), (.infinity, 2_147_483_000)])
    func aTimeoutIsInSeconds(seconds: TimeInterval, milliseconds: Int) throws {
        try waiter.busyHandler(.timeout(seconds))
        #expect(try waiter.query("PRAGMA busy_timeout") == milliseconds)
    }

    @Test func aTimeoutThatIsNoNumberFailsAtOnce() throws {
        try waiter.busyHandler(.timeout(.nan))
        #expect(try sqliteError { try insert() }.resultCode == .busy)
    }

    @Test func theHandlerMustNotUseItsConnection() throws {
        let log = Log()
        try waiter.busyHandler(
            .custom { [unowned waiter] _ in
                do { try waiter.run("SELECT 1") } catch { log.add("\((error as? SQLiteError)?.message ?? "")") }
                return false
            }
        )
        #expect(throws: SQLiteError.self) { try insert() }
        #expect(log.lines == ["a busy handler cannot use its own connection"])
    }
}

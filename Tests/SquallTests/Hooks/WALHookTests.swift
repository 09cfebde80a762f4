import Squall
import SquallTestSupport
import Testing

struct WALHookTests {
    private let directory: TemporaryDirectory
    private let connection: Connection
    private let log = Log()

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("wal.db"))
        try connection.execute("CREATE TABLE t(a)")
        _ = try connection.checkpoint()
    }

    @Test func observersSeeTheLogGrow() throws {
        let first = connection.addWALObserver { [log] name, pages in log.add("\(name) \(pages)") }
        let token = connection.addWALObserver { [log] name, pages in log.add("observer \(name) \(pages)") }
        try connection.run("INSERT INTO t VALUES(1)")
        try connection.run("INSERT INTO t VALUES(2)")
        #expect(log.take() == ["main 1", "observer main 1", "main 2", "observer main 2"])
        token.cancel()
        first.cancel()
        try connection.run("INSERT INTO t VALUES(3)")
        #expect(log.take() == [])
    }

    @Test func anObserverMayUseTheConnection() throws {
        connection.addWALObserver { [unowned connection, log] _, _ in
            do { log.add("\(try connection.query("SELECT count(*) FROM t") as Int)") } catch { log.add("\(error)") }
        }
        try connection.run("INSERT INTO t VALUES(1)")
        try connection.transaction { try connection.run("INSERT INTO t VALUES(2)") }
        #expect(log.take() == ["1", "2"])
    }

    /// SQLite's own automatic checkpoint loses its place to any hook.
    @Test func theAutomaticCheckpointGoesOn() throws {
        #expect(try connection.walAutoCheckpoint == 1000)
        var sizes: [Int] = []
        let token = connection.addWALObserver { _, pages in sizes.append(pages) }
        #expect(try connection.walAutoCheckpoint == 1000)
        try connection.setWALAutoCheckpoint(pages: 4)
        #expect(try connection.walAutoCheckpoint == 4)
        for _ in 1...6 { try connection.run("INSERT INTO t VALUES(1)") }
        // With all of the log in the file, the next commit begins it anew.
        #expect(sizes == [1, 2, 3, 4, 1, 2])
        token.cancel()
        #expect(try connection.walAutoCheckpoint == 4)
        #expect(try connection.query("PRAGMA wal_autocheckpoint") == 4)
        try connection.setWALAutoCheckpoint(pages: 0)
        #expect(try connection.query("PRAGMA wal_autocheckpoint") == 0)
    }

    @Test func anObserverThatClosesTheConnectionClosesItAfterTheStatement() throws {
        connection.addWALObserver { [unowned connection] _, _ in connection.close() }
        #expect(throws: SQLiteError.self) {
            try connection.run("INSERT INTO t VALUES(1)")
            try connection.run("INSERT INTO t VALUES(2)")
        }
        #expect(connection.isClosed)
        #expect(try Connection(directory.file("wal.db")).query("SELECT a FROM t") == [1])
    }
}

import Squall
import SquallTestSupport
import Testing

/// Observers of a database whose connections other threads use.
@Suite(.timeLimit(.minutes(10)))
struct DatabaseObserverThreadTests {
    private let directory: TemporaryDirectory
    private let database: Database
    private let lines = Lines()

    init() throws {
        directory = try TemporaryDirectory()
        database = try Database(directory.file("a.db"))
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
    }

    @Test func aTraceSeesReadersThatAreOpenThatAreInUseAndThatAreOpenedLater() throws {
        let snapshot = try database.blocking.snapshot()
        let (isIn, gate) = (Gate(), Gate())
        let busy = ThreadResult {
            try database.blocking.read { connection in
                isIn.open()
                gate.wait()
                try connection.run("SELECT 'not yet'")
            }
            try database.blocking.read { try $0.run("SELECT 'was in use'") }
        }
        isIn.wait()
        try database.blocking.read { try $0.run("SELECT 'before'") }
        let token = database.addTraceObserver(mask: Connection.TraceEvent.profileMask) { event in
            if case .profile(let sql, _) = event, sql.hasPrefix("SELECT") { lines.add(sql) }
        }
        try database.blocking.read { outer in
            try outer.run("SELECT 'was idle'")
            try ThreadResult { try database.blocking.read { try $0.run("SELECT 'is new'") } }.get()
        }
        try snapshot.blocking.read { try $0.run("SELECT 'snapshot'") }
        try database.blocking.snapshot().blocking.read { try $0.run("SELECT 'new snapshot'") }
        gate.open()
        try busy.get()
        #expect(
            lines.take().filter { !$0.contains("sqlite_schema") } == [
                "SELECT 'was idle'", "SELECT 'is new'", "SELECT 'snapshot'", "SELECT 'new snapshot'",
                "SELECT 'was in use'",
            ]
        )
        token.cancel()
        try database.blocking.read { try $0.run("SELECT 'after'") }
        try snapshot.blocking.read { try $0.run("SELECT 'after'") }
        #expect(lines.take() == [])
    }

    /// Every connection has every observer, whoever gets it next.
    @Test func observersThatComeAndGoAmongManyReadersReachAllOfThem() throws {
        let isDone = Shared(false)
        let threads = (0..<4).map { _ in
            ThreadResult {
                while !isDone.value { try database.blocking.read { try $0.run("SELECT 1") } }
            }
        }
        for _ in 0..<50 {
            let token = database.addTraceObserver { _ in }
            let count = Shared(0)
            let other = database.addTraceObserver(mask: Connection.TraceEvent.statementMask) { _ in
                count.update { $0 += 1 }
            }
            until { count.value > 20 }
            token.cancel()
            other.cancel()
        }
        isDone.update { $0 = true }
        for thread in threads { try thread.get() }
        database.addTraceObserver(mask: Connection.TraceEvent.statementMask) { event in lines.add("\(event)") }
        try database.blocking.read { try $0.run("SELECT 1") }
        // BEGIN, SELECT and COMMIT, each once.
        #expect(lines.take().count == 3)
        try database.blocking.close()
    }
}

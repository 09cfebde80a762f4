import Foundation
import Squall
import Testing

/// Observers of a database, on all connections that they concern.
struct DatabaseObserverTests {
    private let directory: TemporaryDirectory

    /// Lines that closures of any thread write.
    private struct Lines: Sendable {
        private let lines = Shared<[String]>([])

        func add(_ line: String) { lines.update { $0.append(line) } }

        /// The lines, which are forgotten.
        func take() -> [String] {
            lines.update { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func databases() throws -> [Database] {
        try [directory.file("a.db"), ":memory:"].map { path in
            let database = try Database(path)
            try database.executeWrite { try $0.execute("CREATE TABLE t(a)") }
            return database
        }
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func anUpdateObserverSeesEveryWrite() async throws {
        let lines = Lines()
        for database in try databases() {
            try await database.write { try $0.run("DELETE FROM t") }
            let token = database.addUpdateObserver { type, _, table, rowID in
                lines.add("\(type) \(table ?? "") \(rowID)")
            }
            try blocking { try database.executeWrite { try $0.run("INSERT INTO t VALUES(1)") } }
            try await database.write { try $0.run("INSERT INTO t VALUES(2)") }
            try database.writerConnectionQueue.execute { try $0.run("DELETE FROM t") }
            #expect(lines.take() == ["insert t 1", "insert t 2", "delete t 1", "delete t 2"])
            token.cancel()
            token.cancel()
            try await database.write { try $0.run("INSERT INTO t VALUES(3)") }
            #expect(lines.take() == [])
        }
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func allKindsAreCalledInTheirOrder() throws {
        let lines = Lines()
        let database = try databases()[0]
        database.addCommitObserver {
            lines.add("commit")
            return false
        }
        database.addRollbackObserver { lines.add("rollback") }
        database.addWALObserver { name, pages in lines.add("\(name) \(pages > 0)") }
        try database.addPreUpdateObserver { lines.add("before \($0.newValues)") }
        database.addUpdateObserver { type, _, _, _ in lines.add("\(type)") }
        database.addProfileObserver { lines.add($0.sql) }
        try database.transaction { try $0.run("INSERT INTO t VALUES(1)") }
        #expect(
            lines.take() == [
                "BEGIN IMMEDIATE TRANSACTION", "before [Squall.BindingValue.integer(1)]", "insert",
                "INSERT INTO t VALUES(1)", "commit", "COMMIT TRANSACTION", "main true",
            ]
        )
        #expect(throws: CancellationError.self) { try database.transaction { _ in throw CancellationError() } }
        #expect(lines.take().contains("rollback"))
        database.addCommitObserver { true }
        let error = try sqliteError { try database.transaction { try $0.run("INSERT INTO t VALUES(1)") } }
        #expect(error.resultCode == .constraint)
    }

    @Test func aTraceSeesReadersThatAreOpenThatAreInUseAndThatAreOpenedLater() throws {
        let lines = Lines()
        let database = try databases()[0]
        let snapshot = try database.readSnapshot()
        let (isIn, gate) = (Gate(), Gate())
        let busy = ThreadResult {
            try database.executeRead { connection in
                isIn.open()
                gate.wait()
                try connection.run("SELECT 'not yet'")
            }
            try database.executeRead { try $0.run("SELECT 'was in use'") }
        }
        isIn.wait()
        try database.executeRead { try $0.run("SELECT 'before'") }
        let token = database.addTraceObserver(mask: Connection.TraceEvent.profileMask) { event in
            if case .profile(let sql, _) = event, sql.hasPrefix("SELECT") { lines.add(sql) }
        }
        try database.executeRead { outer in
            try outer.run("SELECT 'was idle'")
            try ThreadResult { try database.executeRead { try $0.run("SELECT 'is new'") } }.get()
        }
        try snapshot.executeRead { try $0.run("SELECT 'snapshot'") }
        try database.readSnapshot().executeRead { try $0.run("SELECT 'new snapshot'") }
        gate.open()
        try busy.get()
        #expect(
            lines.take().filter { !$0.contains("sqlite_schema") } == [
                "SELECT 'was idle'", "SELECT 'is new'", "SELECT 'snapshot'", "SELECT 'new snapshot'",
                "SELECT 'was in use'",
            ]
        )
        token.cancel()
        try database.executeRead { try $0.run("SELECT 'after'") }
        try snapshot.executeRead { try $0.run("SELECT 'after'") }
        #expect(lines.take() == [])
    }

    @Test func aClosureThatAddsOrRemovesAnObserverIsObservedFromThenOn() throws {
        let lines = Lines()
        for database in try databases() {
            let token = try database.executeWrite { connection in
                try connection.run("INSERT INTO t VALUES(1)")
                let token = database.addUpdateObserver { _, _, _, rowID in lines.add("\(rowID)") }
                try connection.run("INSERT INTO t VALUES(2)")
                return token
            }
            try database.executeWrite { connection in
                try connection.run("INSERT INTO t VALUES(3)")
                token.cancel()
                try connection.run("INSERT INTO t VALUES(4)")
            }
            #expect(lines.take() == ["2", "3"])
        }
    }

    @Test func anObserverCanCancelItself() throws {
        let lines = Lines()
        for database in try databases() {
            let token = Shared<DatabaseObserverToken?>(nil)
            let own = database.addUpdateObserver { _, _, _, rowID in
                lines.add("\(rowID)")
                token.value?.cancel()
            }
            token.update { $0 = own }
            try database.executeWrite { try $0.execute("INSERT INTO t VALUES(1); INSERT INTO t VALUES(2)") }
            #expect(lines.take() == ["1"])
        }
    }

    /// Every connection has every observer, whoever gets it next.
    @Test func observersThatComeAndGoAmongManyReadersReachAllOfThem() throws {
        let lines = Lines()
        let database = try databases()[0]
        let isDone = Shared(false)
        let threads = (0..<4).map { _ in
            ThreadResult {
                while !isDone.value { try database.executeRead { try $0.run("SELECT 1") } }
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
        try database.executeRead { try $0.run("SELECT 1") }
        // BEGIN, SELECT and COMMIT, each once.
        #expect(lines.take().count == 3)
        try database.close()
    }

    @Test func observersAreReleasedWithTheDatabase() throws {
        weak var gone: Shared<Int>?
        do {
            let value = Shared(0)
            gone = value
            let database = try databases()[0]
            database.addUpdateObserver { _, _, _, _ in value.update { $0 += 1 } }
            try database.executeWrite { try $0.run("INSERT INTO t VALUES(1)") }
            #expect(value.value == 1)
        }
        #expect(gone == nil)
    }

    @Test func anAuthorizerIsAskedOnAllConnections() throws {
        let directory = try TemporaryDirectory()
        for database in [try Database(directory.file("app.db")), try Database()] {
            try database.executeWrite { try $0.execute("CREATE TABLE t(a); CREATE TABLE secret(a)") }
            let token = database.addAuthorizer { action, table, _, _, _ in
                action == .read && table == "secret" ? .deny : .ok
            }
            #expect(
                try sqliteError { try database.executeRead { try $0.run("SELECT a FROM secret") } }.resultCode
                    == .authorizationDenied)
            #expect(
                try sqliteError { try database.executeWrite { try $0.run("SELECT a FROM secret") } }.resultCode
                    == .authorizationDenied)
            try database.executeRead { try $0.run("SELECT a FROM t") }
            token.cancel()
            try database.executeRead { try $0.run("SELECT a FROM secret") }
            try database.executeWrite { try $0.run("SELECT a FROM secret") }
        }
    }
}

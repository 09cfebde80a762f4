import Foundation
import Squall
import SquallTestSupport
import Testing

/// Hooks that close, add and remove while SQLite runs, and what else may come in between.
struct HookLifetimeTests {
    private let directory: TemporaryDirectory
    private let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("hooks.db"), configuration: .sqlite)
        try connection.execute("CREATE TABLE t(a)")
    }

    // MARK: Closing

    @Test func hooksThatCloseAreNotCalledByTheRollbackOfClose() throws {
        let log = Log()
        connection.addRollbackObserver { [unowned connection] in
            log.add("rollback")
            connection.close()
        }
        connection.addProfileObserver { [unowned connection] _ in
            log.add("profile")
            connection.close()
        }
        let error = try sqliteError { try connection.execute("BEGIN; INSERT INTO t VALUES(1)") }
        #expect(error.message == "the connection is closed")
        #expect(connection.isClosed)
        #expect(log.lines == ["profile"])
        connection.close()
    }

    @Test func aConnectionThatGoesCallsNoHookThatHasItUnowned() throws {
        let log = Log()
        do {
            let other = try Connection()
            other.addRollbackObserver { [unowned other] in log.add("rollback \(other.isClosed)") }
            other.addTraceObserver { [unowned other] event in
                if case .connectionClosed = event { log.add("closed") } else { _ = other.isClosed }
            }
            try other.execute("CREATE TABLE t(a); BEGIN; INSERT INTO t VALUES(1)")
        }
        #expect(log.lines == ["closed"])
    }

    @Test func aCloseInAnAuthorizerIsFinished() throws {
        try connection.execute("BEGIN IMMEDIATE")
        connection.addAuthorizer { [unowned connection] action, _, _, _, _ in
            if action == .select { connection.close() }
            return .ok
        }
        #expect(throws: SQLiteError.self) { let _: Int = try connection.query("SELECT 1") }
        #expect(connection.isClosed)
        // The lock is gone.
        try Connection(directory.file("hooks.db"), configuration: .sqlite).run("INSERT INTO t VALUES(1)")
    }

    @Test func aConnectionThatIsClosedAsADestinationLetsGoOfItsHooks() throws {
        weak var gone: Connection?
        do {
            let other = try Connection()
            gone = other
            other.addUpdateObserver { _, _, _, _ in _ = other.isClosed }
            try connection.backup(to: other, pagesPerStep: 1).run { _ in other.close() }
        }
        #expect(gone == nil)
    }

    // MARK: Adding

    @Test func whatAHookAddsIsCalledFromThenOn() throws {
        let log = Log()
        var isFirst = true
        connection.addUpdateObserver { [unowned connection] _, _, _, rowID in
            if isFirst {
                connection.addCommitObserver {
                    log.add("commit"); return false
                }
            }
            isFirst = false
            log.add("update \(rowID)")
        }
        try connection.execute("INSERT INTO t VALUES(1); INSERT INTO t VALUES(2)")
        #expect(log.lines == ["update 1", "commit", "update 2", "commit"])
    }

    @Test func anAuthorizerThatAHookAddsIsAskedOfCachedStatements() throws {
        func count() throws -> Int { try connection.query("SELECT count(*) FROM t") }
        #expect(try count() == 0)
        let token = connection.addUpdateObserver { [unowned connection] _, _, _, _ in
            connection.addAuthorizer { action, _, _, _, _ in action == .select ? .deny : .ok }
        }
        try connection.run("INSERT INTO t VALUES(1)")
        token.cancel()
        #expect(try sqliteError { _ = try count() }.code == 23)
    }

    @Test func whatIsAddedAfterABackupIsCalled() throws {
        let log = Log()
        let other = try Connection()
        try connection.backup(to: other).run { _ in
            other.addCommitObserver {
                log.add("commit"); return false
            }
        }
        other.addUpdateObserver { _, _, _, _ in log.add("update") }
        other.addAuthorizer { action, _, _, _, _ in action == .delete ? .deny : .ok }
        try other.run("INSERT INTO t VALUES(1)")
        #expect(log.lines == ["update", "commit"])
        #expect(try sqliteError { try other.run("DELETE FROM t WHERE a = 2") }.code == 23)
    }

    // MARK: What is the library's own

    @Test func aDeadlineAroundABackupLeavesTheBusyTimeout() throws {
        let other = try Connection()
        try other.busyHandler(.timeout(5))
        try other.withDeadline(.seconds(3600)) { try connection.backup(to: other).run() }
        #expect(try other.query("PRAGMA busy_timeout") == 5000)
        try other.withDeadline(.seconds(3600)) {}
        #expect(try other.query("PRAGMA busy_timeout") == 5000)
    }

    @Test func anAuthorizerThatDeniesPragmasSwitchesNothingOff() throws {
        try connection.run("PRAGMA busy_timeout = 5000")
        let log = Log()
        let trace = connection.traceStatements { log.add($0) }
        let token = connection.addAuthorizer { action, _, _, _, _ in action == .pragma ? .deny : .ok }
        try connection.withDeadline(.seconds(3600)) {}
        connection.addWALObserver { _, _ in }.cancel()
        token.cancel()
        #expect(log.take() == [])
        trace.cancel()
        #expect(try connection.query("PRAGMA busy_timeout") == 5000)
        #expect(try connection.query("PRAGMA wal_autocheckpoint") == 1000)
    }

    @Test func aBusyTimeoutThatIsSetUnderADeadlineStays() throws {
        for milliseconds in [3000, 77, 3000] {
            try connection.withDeadline(.seconds(3600)) {
                try connection.run("PRAGMA busy_timeout = \(raw: "\(milliseconds)")")
            }
            #expect(try connection.query("PRAGMA busy_timeout") == milliseconds)
        }
        try connection.busyHandler(.custom { _ in false })
        try connection.run("PRAGMA busy_timeout = 99")
        try connection.withDeadline(.seconds(3600)) {}
        #expect(try connection.query("PRAGMA busy_timeout") == 99)
    }

    @Test func aTransactionIsRolledBackWhateverHooksSay() throws {
        try connection.execute("PRAGMA journal_mode = WAL")
        for hostile in [true, false] {
            var authorizer: ObserverToken?
            #expect(throws: SQLiteError.self) {
                try connection.transaction {
                    try connection.run("INSERT INTO t VALUES(1)")
                    if hostile {
                        try connection.progressHandler(every: 1) { .interrupt }
                    } else {
                        authorizer = connection.addAuthorizer { action, _, _, _, _ in
                            action == .transaction || action == .savepoint ? .deny : .ok
                        }
                    }
                    try connection.run("INSERT INTO nothing VALUES(1)")
                }
            }
            #expect(!connection.isInTransaction)
            try connection.progressHandler(nil)
            authorizer?.cancel()
        }
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
    }

    @Test func aHookMaySeeWhatTheConnectionIs() throws {
        let log = Log()
        connection.addUpdateObserver { [unowned connection] _, _, _, _ in
            log.add("\(connection.lastInsertRowID) \(connection.isInTransaction) \(connection.fileName.isEmpty)")
        }
        try connection.execute("BEGIN; INSERT INTO t VALUES(1); COMMIT")
        #expect(log.lines == ["1 true false"])
    }

    @Test func aCommentBeforeAStatementIsNoTrigger() throws {
        let log = Log()
        connection.traceStatements { log.add($0) }
        try connection.run("-- all\nSELECT ?", 1)
        #expect(log.lines == ["-- all\nSELECT 1"])
    }
}

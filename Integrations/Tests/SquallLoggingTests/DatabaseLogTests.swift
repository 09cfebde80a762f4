import Foundation
import IntegrationSupport
import Logging
import Squall
import Testing
import TestSupport

@testable import SquallLogging

/// `Database.log`, by the lines that a log handler receives.
struct DatabaseLogTests {
    private let recorder = LogRecorder()

    private var lines: [LogRecorder.Line] { recorder.lines }

    private func lines(_ event: String) -> [LogRecorder.Line] { lines.filter { $0.text("squall.event") == event } }

    @Test func aSlowStatementIsLoggedWithoutValues() async throws {
        let database = try Database.temporary()
        var settings = LogSettings()
        settings.slowStatement = .zero
        let log = database.log(to: recorder.logger(), settings: settings)
        let secret = "secret"
        let _: String = try await database.read { try $0.query("SELECT \(secret)") }
        await log.flush()
        let line = try #require(lines("slow-statement").first { $0.text("db.query.text") == "SELECT ?" })
        #expect(line.level == .warning)
        #expect(line.message == "a statement was slow")
        #expect(line.text("db.system.name") == "sqlite")
        #expect(line.text("db.namespace") == database.fileName.split(separator: "/").last.map(String.init))
        #expect(line.text("squall.duration.ms")?.contains(".") == true)
        #expect(!lines.contains { "\($0)".contains(secret) })
    }

    @Test func valuesAreLoggedOnRequest() async throws {
        let database = try Database.temporary()
        var settings = LogSettings()
        settings.slowStatement = .zero
        settings.includingValues = true
        let log = database.log(to: recorder.logger(), settings: settings)
        let _: String = try await database.read { try $0.query("SELECT \("secret")") }
        await log.flush()
        #expect(lines("slow-statement").contains { $0.text("db.query.text") == "SELECT 'secret'" })
    }

    @Test func fastStatementsAreNotLogged() async throws {
        let database = try Database.temporary()
        let log = database.log(to: recorder.logger())
        var settings = LogSettings()
        settings.slowStatement = nil
        database.log(to: recorder.logger(), settings: settings)
        let _: Int = try await database.read { try $0.query("SELECT 1") }
        await log.flush()
        #expect(lines.isEmpty)
    }

    @Test func waitsForConnectionsAndLocksAreLogged() async throws {
        var configuration = Configuration.recommended
        configuration.busyTimeout = .milliseconds(20)
        let database = try Database.temporary(configuration: configuration)
        var settings = LogSettings()
        settings.longWait = .zero
        let log = database.log(to: recorder.logger(), settings: settings)
        let rival = try Connection(database.fileName)
        try rival.execute("BEGIN IMMEDIATE")
        await #expect(throws: SQLiteError.self) { try await database.write { _ in } }
        try rival.execute("COMMIT")
        let isWriting = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let first = Task.detached {
            try await database.write { _ in
                isWriting.signal()
                mayEnd.wait()
            }
        }
        await blockingWait(isWriting)
        await #expect(throws: SQLiteError.self) { try await database.write(deadline: .zero) { _ in } }
        mayEnd.signal()
        try await first.value
        await log.flush()
        #expect(lines("lock-wait").map(\.message) == ["a call waited for locks of other connections"])
        let wait = try #require(lines("connection-wait").first)
        #expect(wait.level == .warning)
        #expect(wait.text("db.operation.name") == "write")
        #expect(wait.text("db.response.status_code") == "9")
    }

    private func blockingWait(_ semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test func aBlockedCheckpointAndALogOverItsLimitAreLogged() async throws {
        var configuration = Configuration.recommended
        configuration.logLimit = 10_000
        let database = try Database.temporary(configuration: configuration)
        try await database.write { try $0.execute("CREATE TABLE t(a)") }
        let snapshot = try await database.snapshot()
        let log = database.log(to: recorder.logger())
        try await database.write { try $0.run("INSERT INTO t VALUES(zeroblob(50000))") }
        await log.flush()
        withExtendedLifetime(snapshot) {}
        let checkpoint = try #require(lines("checkpoint").first)
        #expect(checkpoint.level == .notice)
        #expect(checkpoint.text("squall.checkpoint.mode") == "truncate")
        #expect(checkpoint.text("db.response.status_code") == "5")
        let limit = try #require(lines("log-limit").first)
        #expect(limit.level == .warning)
        #expect(limit.text("squall.wal.limit") == "10000")
        #expect(limit.text("squall.wal.size") == "\(database.statistics.walSize)")
    }

    @Test func updatesOfStatisticsAreLogged() async throws {
        let database = try Database.temporary()
        let log = database.log(to: recorder.logger())
        let mayCommit = Locked([true, true, false])
        database.addCommitObserver { mayCommit.withLock { $0.isEmpty ? false : !$0.removeFirst() } }
        try await database.write { try $0.execute("CREATE TABLE t(a); CREATE INDEX t_a ON t(a)") }
        let fill =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i FROM n"
            as SQL
        for _ in 0..<2 { try await database.write { try $0.run(fill) } }
        await log.flush()
        #expect(lines("optimization").map(\.level) == [.warning, .info])
        #expect(lines("optimization").first?.text("db.response.status_code") == "531")
        #expect(lines("optimization").last?.text("squall.statements") == #"["ANALYZE \"main\".\"t\""]"#)
    }

    @Test func versionsBackupsAndLostTransactionsAreLogged() async throws {
        let database = try Database.temporary()
        let log = database.log(to: recorder.logger())
        try await database.migrate(
            Schema("app") { Version(1) { Execute("CREATE TABLE t(a UNIQUE ON CONFLICT ROLLBACK)") } })
        try await database.write { try $0.run("INSERT INTO t VALUES(1)") }
        await #expect(throws: SQLiteError.self) { try await database.write { try $0.run("INSERT INTO t VALUES(1)") } }
        let copy = database.fileName + "-copy"
        for try await _ in database.backup(to: copy) {}
        await #expect(throws: (any Error).self) { for try await _ in database.backup(to: copy + "/no/file") {} }
        await log.flush()
        let version = try #require(lines("schema-version").first)
        #expect(version.level == .info)
        #expect(version.text("squall.schema") == "app")
        #expect(version.text("squall.schema.version") == "1")
        #expect(lines("transaction-lost").map(\.level) == [.warning])
        #expect(lines("backup").map(\.level) == [.info, .error])
        #expect(lines("backup").first?.text("squall.backup.destination") == copy)
    }

    @Test func aReplacedFileIsLogged() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute("CREATE TABLE t(a)") }
        let log = database.log(to: recorder.logger())
        try FileManager.default.moveItem(atPath: database.fileName, toPath: database.fileName + "-old")
        var hasThrown = false
        while !hasThrown {
            do { try await database.write { _ in } } catch { hasThrown = true }
        }
        await log.flush()
        #expect(lines("file-moved").map(\.level).first == .error)
    }

    @Test func messagesBelowTheLevelOfTheLoggerAreNotMade() async throws {
        let database = try Database.temporary()
        var settings = LogSettings()
        settings.slowStatement = .zero
        let log = database.log(to: recorder.logger(.error), settings: settings)
        let _: Int = try await database.read { try $0.query("SELECT 1") }
        await log.flush()
        #expect(lines.isEmpty)
    }

    @Test func theMetadataOfASuppressedMessageIsNotMade() {
        var settings = LogSettings()
        settings.maximumPerInterval = 1
        let made = Locked(0)
        func send(_ level: Logger.Level, to queue: MessageQueue) {
            func metadata() -> Logger.Metadata {
                made.increment()
                return [:]
            }
            queue.send(Message(.backup, level, "a backup", metadata()))
        }
        let queue = MessageQueue(recorder.logger(.info), settings, database: nil)
        send(.debug, to: queue)
        #expect(made.value == 0)
        send(.info, to: queue)
        send(.info, to: queue)
        #expect(made.value == 1)
    }

    @Test func aHandlerThatThrowsEverythingAwayIsNotCalled() async throws {
        let database = try Database.temporary()
        var settings = LogSettings()
        settings.slowStatement = .zero
        let log = database.log(to: Logger(label: "none") { _ in SwiftLogNoOpLogHandler() }, settings: settings)
        for _ in 0..<100 { let _: Int = try await database.read { try $0.query("SELECT 1") } }
        await log.flush()
    }

    @Test func eachKindOfMessageIsLimited() async throws {
        let database = try Database.temporary()
        var settings = LogSettings()
        settings.slowStatement = .zero
        settings.maximumPerInterval = 3
        settings.interval = .seconds(3_600)
        let log = database.log(to: recorder.logger(), settings: settings)
        for _ in 0..<50 { let _: Int = try await database.read { try $0.query("SELECT 1") } }
        try await database.migrate(Schema("app") { Version(1) { CreateTable("t") { ColumnDef("a", Int.self) } } })
        await log.flush()
        #expect(lines("slow-statement").count == 3)
        #expect(lines("schema-version").count == 1)
    }

    @Test func aHandlerThatBlocksDelaysNoCall() async throws {
        let database = try Database.temporary()
        let mayLog = DispatchSemaphore(value: 0)
        var settings = LogSettings()
        settings.slowStatement = .zero
        settings.maximumPerInterval = 1_000_000
        let log = database.log(to: recorder.logger(willLog: { mayLog.wait() }), settings: settings)
        // More than the messages that may wait.
        for _ in 0..<400 { let _: Int = try await database.read { try $0.query("SELECT 1") } }
        #expect(lines.isEmpty)
        for _ in 0..<2_000 { mayLog.signal() }
        await log.flush()
        #expect(lines("slow-statement").count == 256)
        let _: Int = try await database.read { try $0.query("SELECT 1") }
        await log.flush()
        let suppressed = lines("slow-statement").compactMap { $0.text("squall.suppressed") }.compactMap(Int.init)
        // Each read has one statement, and some have BEGIN and COMMIT.
        #expect(suppressed.count == 1)
        #expect((400 - 256...1_200 - 256).contains(suppressed[0]))
    }

    @Test func aHandlerMayUseTheDatabase() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute("CREATE TABLE log(text)") }
        var settings = LogSettings()
        settings.slowStatement = .zero
        settings.maximumPerInterval = 5
        let log = database.log(
            to: recorder.logger(willLog: {
                try? database.blocking.write { try $0.run("INSERT INTO log VALUES('line')") }
            }
            ),
            settings: settings)
        let _: Int = try await database.read { try $0.query("SELECT 1") }
        await log.flush()
        log.cancel()
        await log.flush()
        #expect(try await database.read { try $0.query("SELECT count(*) FROM log") as Int } == 5)
    }

    @Test func theMetadataOfTheCallsTaskIsLogged() async throws {
        enum Request { @TaskLocal static var id = "" }
        let database = try Database.temporary()
        let logger = recorder.logger(metadataProvider: Logger.MetadataProvider { ["request": "\(Request.id)"] })
        var settings = LogSettings()
        settings.slowStatement = .zero
        let log = database.log(to: logger, settings: settings)
        try await Request.$id.withValue("r1") {
            let _: Int = try await database.read { try $0.query("SELECT 1") }
        }
        await log.flush()
        #expect(lines("slow-statement").allSatisfy { $0.text("request") == "r1" })
        #expect(!lines("slow-statement").isEmpty)
    }

    @Test func aCancelledLogIsSilent() async throws {
        let database = try Database.temporary()
        var settings = LogSettings()
        settings.slowStatement = .zero
        let log = database.log(to: recorder.logger(), settings: settings)
        log.cancel()
        let _: Int = try await database.read { try $0.query("SELECT 1") }
        await log.flush()
        #expect(lines.isEmpty)
    }
}

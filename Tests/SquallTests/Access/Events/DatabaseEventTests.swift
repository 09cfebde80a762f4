import Foundation
import Squall
import SquallTestSupport
import Testing

/// `Database.addEventObserver`.
struct DatabaseEventTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ change: (inout Configuration) -> Void = { _ in }) throws -> Database {
        var configuration = Configuration.recommended
        change(&configuration)
        let database = try Database(directory.file("app.db"), configuration: configuration)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE IF NOT EXISTS t(a)") }
        return database
    }

    /// The events of a database from now on.
    private func events(of database: Database) -> Shared<[DatabaseEvent]> {
        let events = Shared<[DatabaseEvent]>([])
        database.addEventObserver { event in events.update { $0.append(event) } }
        return events
    }

    @Test func writesAndAsynchronousReadsAreReported() async throws {
        let database = try open()
        let events = events(of: database)
        try await database.write { try $0.run("INSERT INTO t VALUES(1)") }
        try blocking { try database.blocking.write { try $0.run("INSERT INTO t VALUES(2)") } }
        _ = try await database.read { try $0.query("SELECT count(*) FROM t") as Int }
        let ends = events.value.compactMap {
            if case .callEnded(let access, let time) = $0 { (access, time) } else { nil }
        }
        #expect(ends.map(\.0) == [.write, .write, .read])
        #expect(ends.allSatisfy { $0.1 > .zero })
    }

    @Test func oneOf64BlockingReadsIsReported() throws {
        let database = try open()
        try database.blocking.read { _ in }
        let events = events(of: database)
        // The first one finds the slot empty, because the observer was installed.
        try database.blocking.read { _ in }
        events.update { $0 = [] }
        for _ in 0..<640 { try database.blocking.read { _ in } }
        #expect(events.value.count == 10)
    }

    @Test func aCancelledObserverIsNotCalled() throws {
        let database = try open()
        let count = Shared(0)
        let first = database.addEventObserver { _ in count.update { $0 += 1 } }
        let second = database.addEventObserver { _ in count.update { $0 += 100 } }
        first.cancel()
        first.cancel()
        try database.blocking.writeWithoutTransaction { _ in }
        #expect(count.value == 100)
        second.cancel()
        for _ in 0..<200 { try database.blocking.read { _ in } }
        try database.blocking.writeWithoutTransaction { _ in }
        #expect(count.value == 100)
    }

    @Test func theBusyTimeoutIsKeptWhileThereAreObservers() throws {
        let database = try open { $0.busyTimeout = .milliseconds(1_234) }
        let token = database.addEventObserver { _ in }
        #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA busy_timeout") as Int } == 0)
        token.cancel()
        #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA busy_timeout") as Int } == 1_234)
    }

    @Test func checkpointsAreReported() async throws {
        let database = try open()
        let events = events(of: database)
        try await database.write { try $0.run("INSERT INTO t VALUES(zeroblob(5000000))") }
        try await database.checkpoint(.truncate)
        let checkpoints = events.value.compactMap { if case .checkpointEnded(let end) = $0 { end } else { nil } }
        #expect(checkpoints.map(\.isAutomatic) == [true, false])
        #expect(checkpoints.map(\.mode) == [.passive, .truncate])
        #expect(checkpoints.map(\.isComplete) == [true, true])
        #expect((checkpoints[0].result?.logFrames ?? 0) > 1_000)
        #expect(checkpoints[1].result?.logFrames == 0)
    }

    @Test func aBlockedCheckpointIsReportedWithItsError() async throws {
        let database = try open { $0.logLimit = 10_000 }
        let snapshot = try await database.snapshot()
        let events = events(of: database)
        try await database.write { try $0.run("INSERT INTO t VALUES(zeroblob(50000))") }
        let checkpoint = events.value.compactMap { if case .checkpointEnded(let end) = $0 { end } else { nil } }.first
        #expect(checkpoint?.isComplete == false)
        #expect((checkpoint?.error as? SQLiteError)?.resultCode == .busy)
        #expect((checkpoint?.error as? SQLiteError)?.kind == .problem(DatabaseProblem.checkpointBlocked))
        let limits = events.value.compactMap { event -> [Int]? in
            if case .logLimitExceeded(let size, let limit) = event { [size, limit] } else { nil }
        }
        #expect(limits == [[database.statistics.walSize, 10_000]])
        withExtendedLifetime(snapshot) {}
    }

    @Test func versionsOfASchemaAreReported() async throws {
        let database = try open()
        let events = events(of: database)
        let schema = Schema("app") {
            Version(1) { CreateTable("u") { ColumnDef("id", Int64.self, .primaryKey) } }
            Version(2) { AlterTable("u") { AddColumn("name", String?.self) } }
        }
        _ = try await database.writeWithoutTransaction { try schema.dryRun($0).count }
        try await database.migrate(schema)
        try await database.migrate(schema)
        let versions = events.value.compactMap { event -> String? in
            if case .schemaVersionApplied(let name, let version, _) = event { "\(name) \(version)" } else { nil }
        }
        #expect(versions == ["app 1", "app 2"])
    }

    @Test func lostTransactionsAreCounted() async throws {
        let database = try open()
        let events = events(of: database)
        try await database.write {
            try $0.execute("CREATE TABLE u(a UNIQUE ON CONFLICT ROLLBACK); INSERT INTO u VALUES(1)")
        }
        await #expect(throws: SQLiteError.self) {
            try await database.write { try $0.run("INSERT INTO u VALUES(1)") }
        }
        #expect(throws: SQLiteError.self) {
            try database.blocking.writeWithoutTransaction { connection in
                try connection.transaction { try connection.run("INSERT INTO u VALUES(1)") }
            }
        }
        // An error that leaves the transaction open loses nothing.
        await #expect(throws: SQLiteError.self) {
            try await database.write { try $0.run("INSERT INTO nowhere VALUES(1)") }
        }
        #expect(database.statistics.lostTransactions == 2)
        let lost = events.value.compactMap { if case .transactionsLost(let count) = $0 { count } else { nil } }
        #expect(lost == [1, 1])
    }

    @Test func returnedRowsAreCounted() async throws {
        let database = try open()
        try await database.write { for number in 0..<3 { try $0.run("INSERT INTO t VALUES(\(number))") } }
        let before = database.statistics.returnedRows
        let all: [Int] = try await database.read { try $0.query("SELECT a FROM t") }
        let first: Int = try blocking {
            try database.blocking.read { try $0.query("SELECT a FROM t ORDER BY a LIMIT 1") }
        }
        #expect((all.count, first) == (3, 0))
        #expect(database.statistics.returnedRows - before == 4)
    }

    @Test func backupsAreReported() async throws {
        let database = try open()
        let events = events(of: database)
        let copy = directory.file("copy.db")
        for try await _ in database.backup(to: copy) {}
        try blocking { try database.blocking.backup(to: copy) }
        await #expect(throws: (any Error).self) {
            for try await _ in database.backup(to: directory.file("no/such/folder.db")) {}
        }
        struct Stop: Error {}
        #expect(throws: Stop.self) { try database.blocking.backup(to: copy, pagesPerStep: 1) { _ in throw Stop() } }
        let ends = events.value.compactMap { if case .backupEnded(let end) = $0 { end } else { nil } }
        #expect(ends.map(\.destination) == [copy, copy, directory.file("no/such/folder.db"), copy])
        #expect(ends.map { $0.error == nil } == [true, true, false, false])
        #expect(ends.last?.error is Stop)
    }

    @Test func aBackupWhoseLoopIsLeftIsReported() async throws {
        let database = try open()
        try await database.write { try $0.run("INSERT INTO t VALUES(zeroblob(100000))") }
        let events = events(of: database)
        for try await _ in database.backup(to: directory.file("copy.db"), pagesPerStep: 1) { break }
        let ends = events.value.compactMap { if case .backupEnded(let end) = $0 { end } else { nil } }
        #expect(ends.count == 1)
        #expect(ends.first?.error is CancellationError)
    }
}

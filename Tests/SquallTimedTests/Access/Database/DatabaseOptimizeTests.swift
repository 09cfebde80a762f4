import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// `Database.optimize`, and `Configuration.autoOptimize` of a database.
@Suite(.timeLimit(.minutes(10)))
struct DatabaseOptimizeTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    /// Opens a database with a skewed table.
    private func open(rows: Int = 0, _ change: (inout Configuration) -> Void = { _ in }) throws -> Database {
        var configuration = Configuration.recommended
        change(&configuration)
        let database = try Database(path, configuration: configuration)
        try database.blocking.writeWithoutTransaction { try SkewedTable.create(on: $0, rows: rows) }
        return database
    }

    private func plan(_ database: Database) throws -> [String] {
        try database.blocking.read { try SkewedTable.plan(on: $0) }
    }

    private func tables() throws -> [String] {
        try SkewedTable.tables(on: Connection(path, mode: .readOnly, configuration: .sqlite))
    }

    /// The statements that the database runs to update statistics, from now on.
    private func analyses(of database: Database) -> Shared<[String]> {
        let found = Shared<[String]>([])
        database.addTraceObserver(mask: Connection.TraceEvent.statementMask) { event in
            guard case .statement(let sql, _) = event, sql.hasPrefix("ANALYZE") else { return }
            found.update { $0.append(sql) }
        }
        return found
    }

    private func updates(of database: Database) -> Shared<[DatabaseEvent.Optimization]> {
        let found = Shared<[DatabaseEvent.Optimization]>([])
        database.addEventObserver { event in
            if case .optimizationEnded(let update) = event { found.update { $0.append(update) } }
        }
        return found
    }

    // MARK: The verbs

    @Test func readersUseTheNewStatistics() async throws {
        let database = try open(rows: 100)
        #expect(try blocking { try plan(database) } == SkewedTable.badPlan)
        #expect(try await database.optimize() == [SkewedTable.analysis])
        #expect(try blocking { try plan(database) } == SkewedTable.goodPlan)
        #expect(try await database.optimize() == [])
        try blocking {
            try database.blocking.write { try SkewedTable.insert(rows: 20_000, on: $0) }
            try database.blocking.optimize()
            let known: String = try database.blocking.read { try $0.query("SELECT stat FROM sqlite_stat1 ORDER BY idx") }
            #expect(!known.hasPrefix("100 "))
        }
    }

    @Test func aReadAndATransaction() throws {
        let database = try open(rows: 100)
        let kind = try database.blocking.read { _ in try errorKind { try database.blocking.optimize() } }
        #expect(kind == .insideRead(.write))
        let statements = try database.blocking.write { _ in try database.blocking.optimize() }
        #expect(statements == [SkewedTable.analysis])
        #expect(try plan(database) == SkewedTable.goodPlan)
    }

    @Test func aDatabaseThatOnlyReads() async throws {
        try blocking { try open(rows: 1000) { $0.autoOptimize = false }.blocking.close() }
        let database = try Database(path, mode: .readOnly)
        let error = await #expect(throws: SQLiteError.self) { try await database.optimize() }
        #expect(error?.resultCode == .readOnly)
        try await database.close()
        #expect(try tables() == [])
    }

    @Test func aCancelledTaskAndADeadlineEndTheWait() async throws {
        let database = try open(rows: 100)
        let (isIn, gate) = (Gate(), Gate())
        let writer = ThreadResult {
            try database.blocking.writeWithoutTransaction { _ in
                isIn.open()
                gate.wait()
            }
        }
        await isIn.passed()
        let error = await #expect(throws: SQLiteError.self) { try await database.optimize(deadline: .zero) }
        #expect(error?.resultCode == .interrupt)
        let task = Task { try await database.optimize() }
        await until { database.statistics.waitingWrites == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        try writer.get()
        #expect(try tables() == [])
    }

    @Test func interceptorsSeeTheOperation() async throws {
        struct Recorder: DatabaseInterceptor {
            let operations = Shared<[DatabaseOperation]>([])

            nonisolated(nonsending) func intercept<Result: Sendable>(
                _ operation: DatabaseOperation, on database: Database,
                _ call: nonisolated(nonsending) () async throws -> Result
            ) async throws -> Result {
                operations.update { $0.append(operation) }
                return try await call()
            }
        }
        let database = try open()
        let recorder = Recorder()
        database.addInterceptor(recorder)
        try await database.optimize()
        #expect(recorder.operations.value == [.optimize])
    }

    // MARK: After writes

    @Test func itRunsAfterAThousandChangedRowsAndWheneverTheyHaveDoubled() throws {
        let database = try open()
        let analyses = analyses(of: database)
        var numbers: [Int] = []
        for number in 1...40 {
            try StatisticsUpdate.Limits.$patience.withValue(.seconds(60)) {
                try database.blocking.write { connection in
                    // There is always an index without statistics.
                    try connection.execute("CREATE INDEX i\(raw: "\(number)") ON t(code)")
                    try SkewedTable.insert(rows: 250, on: connection)
                }
            }
            if !analyses.value.isEmpty { numbers.append(number * 250) }
            analyses.update { $0 = [] }
        }
        #expect(numbers == [1000, 2000, 4000, 8000])
    }

    @Test func itIsTriedAgainAfterOneThatHadNoTime() throws {
        let database = try open()
        let analyses = analyses(of: database)
        func write(rows: Int, within patience: Duration) throws {
            try StatisticsUpdate.Limits.$patience.withValue(patience) {
                try database.blocking.write { try SkewedTable.insert(rows: rows, on: $0) }
            }
        }
        try write(rows: 2000, within: .zero)
        try write(rows: 90_000, within: .seconds(60))
        #expect(analyses.value.isEmpty)
        try write(rows: 11_000, within: .seconds(60))
        #expect(!analyses.value.isEmpty)
    }

    @Test func everyKindOfWriteRunsIt() async throws {
        let database = try open(rows: 1000)
        let updates = updates(of: database)
        // Twice as many rows as were changed before, and an index without statistics.
        let script: SQL = """
            DROP INDEX IF EXISTS t_new; CREATE INDEX t_new ON t(code);
            INSERT INTO t(kind, code) SELECT kind, code FROM t
            """
        let writes: [@Sendable () async throws -> Void] = [
            { try await database.write { try $0.execute(script) } },
            { try await database.writeWithoutTransaction { try $0.execute(script) } },
            { try blocking { try database.blocking.writeWithoutTransaction { try $0.execute(script) } } },
            { try blocking { try database.blocking.write { try $0.execute(script) } } },
            { try blocking { try database.blocking.writeWithoutTransaction(deadline: .seconds(60)) { try $0.execute(script) } } },
            { try database.writerConnectionQueue.execute { try $0.execute(script) } },
        ]
        for (index, write) in writes.enumerated() {
            try await write()
            #expect(updates.value.map(\.statements) == Array(repeating: [SkewedTable.analysis], count: index + 1))
        }
    }

    @Test func theEventHasTheStatements() throws {
        let database = try open()
        let updates = updates(of: database)
        try database.blocking.write { try SkewedTable.insert(rows: 999, on: $0) }
        #expect(updates.value.isEmpty)
        try database.blocking.write { try $0.run("INSERT INTO t(kind) VALUES(1)") }
        let update = try #require(updates.value.first)
        #expect(updates.value.count == 1)
        #expect(update.statements == [SkewedTable.analysis] && update.error == nil && update.duration > .zero)
        #expect(try plan(database) == SkewedTable.goodPlan)
    }

    @Test func theSettingTurnsItOff() throws {
        let database = try open { $0.autoOptimize = false }
        let analyses = analyses(of: database)
        try database.blocking.write { try SkewedTable.insert(rows: 2000, on: $0) }
        try database.blocking.close()
        #expect(analyses.value == [])
        #expect(try tables() == [])
    }

    @Test func itDoesNotRunAfterAWriteThatHasFailed() throws {
        struct Failure: Error {}
        let database = try open()
        let analyses = analyses(of: database)
        #expect(throws: Failure.self) {
            try database.blocking.writeWithoutTransaction { connection in
                try SkewedTable.insert(rows: 2000, on: connection)
                throw Failure()
            }
        }
        #expect(analyses.value == [])
        try database.blocking.writeWithoutTransaction { _ in }
        #expect(analyses.value == [SkewedTable.analysis])
    }

    @Test func itDoesNotRunAfterACancellationOrADeadline() async throws {
        let database = try open()
        let analyses = analyses(of: database)
        let task = Task {
            try await database.writeWithoutTransaction { connection in
                try SkewedTable.insert(rows: 2000, on: connection)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        _ = await task.result
        try blocking { try database.blocking.writeWithoutTransaction(deadline: .zero) { _ in } }
        #expect(analyses.value == [])
        try await database.write { _ in }
        #expect(analyses.value == [SkewedTable.analysis])
    }

    @Test func anErrorDoesNotConcernTheWrite() throws {
        let database = try open()
        let updates = updates(of: database)
        let isRefusing = Shared(false)
        // After the commit of the write comes that of the statistics.
        database.addCommitObserver {
            isRefusing.update { isRefusing in
                defer { isRefusing = true }
                return isRefusing
            }
        }
        try database.blocking.write { try SkewedTable.insert(rows: 1000, on: $0) }
        #expect(updates.value.count == 1)
        #expect((updates.value.first?.error as? SQLiteError)?.resultCode == .constraint)
        #expect(updates.value.first?.statements == [])
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM t") } == 1000)
    }

    @Test func itDoesNotWaitForALock() throws {
        let database = try open()
        let waits = Shared(0)
        database.addEventObserver { event in
            switch event {
            case .lockWaitEnded, .optimizationEnded: waits.update { $0 += 1 }
            default: break
            }
        }
        let other = try Connection(path)
        // It is called after the commit of the write.
        nonisolated(unsafe) let unsafeOther = other
        let token = database.addWALObserver { _, _ in try? unsafeOther.execute("BEGIN IMMEDIATE") }
        try database.blocking.write { try SkewedTable.insert(rows: 1000, on: $0) }
        token.cancel()
        #expect(other.isInTransaction)
        try other.execute("ROLLBACK")
        #expect(waits.value == 0)
        #expect(try tables() == [])
        try database.blocking.close()
        #expect(try tables() == ["t"])
    }

    @Test func theBusyTimeoutStays() throws {
        let database = try open(rows: 1000)
        #expect(try tables() == ["t"])
        #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA busy_timeout") } == 5000)
    }

    @Test func itRunsInADatabaseInMemory() throws {
        let database = try Database(":memory:")
        let analyses = analyses(of: database)
        try database.blocking.write { try SkewedTable.create(on: $0, rows: 1000) }
        #expect(analyses.value == [SkewedTable.analysis])
        #expect(try plan(database) == SkewedTable.goodPlan)
    }

    @Test func writesThatAreCommittedTogetherRunIt() async throws {
        let database = try open { $0.groupCommit = true }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { try await database.write { try SkewedTable.insert(rows: 100, on: $0) } }
            }
            try await group.waitForAll()
        }
        #expect(try tables() == ["t"])
    }

    // MARK: At the end

    /// Opens a database with 1,000 rows of another connection, and changes one of them.
    private func openFilled() throws -> Database {
        try SkewedTable.create(on: Connection(path, configuration: .sqlite), rows: 1000)
        let database = try Database(path)
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE t SET code = 0 WHERE id = 1") }
        return database
    }

    @Test(arguments: [false, true]) func itRunsWhenTheDatabaseIsClosed(isShutDown: Bool) async throws {
        let database = try openFilled()
        let updates = updates(of: database)
        if isShutDown { try await database.close() } else { try blocking { try database.blocking.close() } }
        #expect(try tables() == ["t"])
        #expect(updates.value.map(\.statements) == [[SkewedTable.analysis]])
    }

    @Test func itDoesNotRunWhenTheDatabaseIsReleased() throws {
        _ = try openFilled()
        #expect(try tables() == [])
    }

    @Test func itDoesNotRunWhenTheDatabaseIsSuspended() throws {
        let database = try openFilled()
        try database.blocking.suspend()
        #expect(try tables() == [])
        try database.blocking.close()
        #expect(try tables() == [])
    }

    @Test func afterASuspensionTheRowsAreCountedFromZero() throws {
        let database = try open(rows: 5000)
        let analyses = analyses(of: database)
        try database.blocking.suspend()
        try database.blocking.resume()
        try database.blocking.writeWithoutTransaction {
            try $0.execute("CREATE INDEX t_new ON t(code); UPDATE t SET code = 0 WHERE id < 1000")
        }
        #expect(analyses.value == [])
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE t SET code = 0 WHERE id = 1") }
        #expect(analyses.value == [SkewedTable.analysis])
    }

    @Test func itRunsAfterTheWriteForWhichTheCloseWaits() async throws {
        let database = try openFilled()
        let (isIn, gate) = (Gate(), Gate())
        let writer = ThreadResult {
            try database.blocking.writeWithoutTransaction { connection in
                isIn.open()
                gate.wait()
                try connection.execute("CREATE INDEX t_new ON t(code)")
            }
        }
        await isIn.passed()
        let end = Task { try await database.close() }
        await until { (try? blocking { try database.blocking.read { _ in } }) == nil }
        gate.open()
        try writer.get()
        try await end.value
        let names = try Connection(path, mode: .readOnly).query("SELECT idx FROM sqlite_stat1 ORDER BY idx") as [String]
        #expect(names == ["t_code", "t_kind", "t_new"])
    }

    @Test func anErrorDoesNotConcernTheClose() throws {
        let database = try openFilled()
        let other = try Connection(path)
        try other.execute("BEGIN IMMEDIATE")
        try database.blocking.close()
        try other.execute("ROLLBACK")
        #expect(try tables() == [])
    }
}

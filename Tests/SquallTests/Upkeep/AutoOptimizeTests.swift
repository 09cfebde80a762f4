import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// Gives the library time to update the statistics, whatever else the machine does.
private struct Patience: TestTrait, SuiteTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await StatisticsUpdate.Limits.$patience.withValue(.seconds(60), operation: function)
    }
}

/// `Configuration.autoOptimize` of a connection that is closed.
@Suite(Patience())
struct AutoOptimizeTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.db")
    }

    private func open(_ configuration: Configuration = .recommended) throws -> Connection {
        try Connection(path, configuration: configuration)
    }

    /// The tables that have statistics.
    private func tables() throws -> [String] {
        try SkewedTable.tables(on: Connection(path, mode: .readOnly, configuration: .sqlite))
    }

    @Test func onlyTheRecommendedConfigurationHasIt() {
        #expect(Configuration.recommended.autoOptimize)
        #expect(!Configuration.sqlite.autoOptimize && !Configuration.untrusted.autoOptimize)
    }

    @Test func statisticsExistAfterTheFirstClose() throws {
        let connection = try open()
        try SkewedTable.create(on: connection, rows: 1000)
        #expect(try SkewedTable.plan(on: connection) == SkewedTable.badPlan)
        connection.close()
        #expect(try tables() == ["t"])
        #expect(try SkewedTable.plan(on: open()) == SkewedTable.goodPlan)
    }

    @Test func smallTablesOfAFileWithoutStatisticsGetNone() throws {
        let connection = try open()
        try SkewedTable.create(on: connection, rows: 999)
        connection.close()
        #expect(try tables() == [])
        let second = try open()
        try second.run("INSERT INTO t(kind) VALUES(1)")
        second.close()
        #expect(try tables() == ["t"])
    }

    @Test func smallTablesOfAFileWithStatisticsGetThem() throws {
        let connection = try open()
        try SkewedTable.create(on: connection, rows: 10)
        try connection.execute("CREATE TABLE u(a); CREATE INDEX u_a ON u(a); INSERT INTO u VALUES(1); ANALYZE u")
        connection.close()
        #expect(try tables() == ["t", "u"])
    }

    @Test func theSettingTurnsItOff() throws {
        var configuration = Configuration.recommended
        configuration.autoOptimize = false
        for configuration in [configuration, .sqlite, .untrusted] {
            let connection = try open(configuration)
            if try connection.query("SELECT count(*) FROM sqlite_master") == 0 {
                try SkewedTable.create(on: connection, rows: 1000)
            }
            try connection.run("UPDATE t SET code = code + 1")
            connection.close()
            #expect(try tables() == [])
        }
    }

    @Test(arguments: [Connection.Mode.existing, .readOnly, .immutable])
    func aFileThatWasOnlyReadIsNotChanged(mode: Connection.Mode) throws {
        let creator = try open(.sqlite)
        try SkewedTable.create(on: creator, rows: 1000)
        creator.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        var configuration = Configuration.recommended
        configuration.journalMode = nil
        let connection = try Connection(path, mode: mode, configuration: configuration)
        #expect(try connection.query("SELECT count(*) FROM t WHERE kind = 1 AND code > 0") == 1000)
        // Counts as a change, but not of the file.
        if mode != .existing { try connection.execute("CREATE TEMP TABLE u(a); INSERT INTO u VALUES(1)") }
        connection.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func aConnectionThatIsReleasedDoesNotDoIt() throws {
        try SkewedTable.create(on: open(), rows: 1000)
        #expect(try tables() == [])
    }

    @Test func anOpenTransactionIsRolledBackFirst() throws {
        let connection = try open()
        try SkewedTable.create(on: connection, rows: 1000)
        try connection.execute("BEGIN; DELETE FROM t WHERE id > 10")
        connection.close()
        let reader = try Connection(path, mode: .readOnly)
        // An estimate.
        let rows: Int = try reader.query("SELECT CAST(stat AS INTEGER) FROM sqlite_stat1 WHERE idx = 't_code'")
        #expect(rows > 500)
    }

    @Test func aMigrationUpdatesThem() throws {
        let connection = try open()
        try SkewedTable.create(on: connection, rows: 1000)
        let schema = Schema("app") { Version(1) { Execute("DROP INDEX t_code; CREATE INDEX t_code ON t(code, id)") } }
        #expect(try schema.migrate(connection))
        #expect(try SkewedTable.tables(on: connection).contains("t"))
        try connection.run("DELETE FROM sqlite_stat1")
        #expect(try !schema.migrate(connection))
        #expect(try SkewedTable.tables(on: connection) == [])
    }

    @Test func attachedDatabasesAreLeftAlone() throws {
        try SkewedTable.create(on: open(.sqlite), rows: 1000)
        let connection = try Connection(directory.file("b.db"))
        try connection.attachDatabase(from: .onDisk(path), withName: "other")
        try connection.run("UPDATE other.t SET code = code + 1")
        connection.close()
        #expect(try tables() == [])
    }

    @Test func anErrorDoesNotConcernTheClose() throws {
        let connection = try open()
        try SkewedTable.create(on: connection, rows: 1000)
        let other = try Connection(path)
        try other.transaction(transactionType: .immediate) {
            connection.close()
            #expect(connection.isClosed)
        }
        #expect(try tables() == [])

        let third = try open()
        try third.addCollation("odd") { $0 == $1 ? .orderedSame : $0 < $1 ? .orderedAscending : .orderedDescending }
        try third.execute("CREATE TABLE u(a COLLATE odd); CREATE INDEX u_a ON u(a)")
        try third.run("INSERT INTO u SELECT 'x' || id FROM t")
        try third.removeCollation(named: "odd")
        third.close()
        #expect(third.isClosed)
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func hooksAreNotCalledByIt() throws {
        let calls = Log()
        let connection = try open()
        try SkewedTable.create(on: connection, rows: 1000)
        connection.addCommitObserver {
            calls.add("commit")
            return true
        }
        try connection.addPreUpdateObserver { calls.add($0.tableName) }
        connection.addAuthorizer { _, _, _, _, _ in
            calls.add("authorizer")
            return .deny
        }
        connection.addTraceObserver { event in if case .statement = event { calls.add("\(event)") } }
        connection.close()
        #expect(calls.lines == [])
        #expect(try tables() == ["t"])
    }

    @Test func aConnectionThatAFunctionClosesDoesNotDoIt() throws {
        let connection = try open()
        try SkewedTable.create(on: connection, rows: 1000)
        try connection.addFunction("end") { [unowned connection] () -> Int in
            connection.close()
            return 1
        }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT \"end\"()") }
        #expect(connection.isClosed)
        #expect(try tables() == [])
    }
}

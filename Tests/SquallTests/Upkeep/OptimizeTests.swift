import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// `Connection.optimize`.
struct OptimizeTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.db")
        connection = try Connection(path)
        try SkewedTable.create(on: connection, rows: 100)
    }

    private var isOld: Bool { sqliteVersion < (3, 46) }

    private var sqliteVersion: (Int, Int) {
        let version: String = (try? connection.query("SELECT sqlite_version()")) ?? ""
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        return numbers.count > 1 ? (numbers[0], numbers[1]) : (0, 0)
    }

    @Test func thePlanOfAQueryFollowsTheStatistics() throws {
        #expect(try SkewedTable.plan(on: connection) == SkewedTable.badPlan)
        #expect(try connection.optimize() == [SkewedTable.analysis])
        #expect(try SkewedTable.plan(on: connection) == SkewedTable.goodPlan)
        let statistics: [String: String] = try connection.query("SELECT idx, stat FROM sqlite_stat1") { ($0[0], $0[1]) }
        #expect(statistics == ["t_code": "100 1", "t_kind": "100 100"])
    }

    @Test func withNothingToDoNothingIsWritten() throws {
        try connection.optimize()
        let before: Int = try connection.query("PRAGMA schema_version")
        let commits = Log()
        connection.addCommitObserver {
            commits.add("commit")
            return false
        }
        let statements = Log()
        connection.addTraceObserver { event in statements.add("\(event)") }
        #expect(try connection.optimize() == [])
        #expect(commits.lines == [] && statements.lines == [])
        #expect(try connection.query("PRAGMA schema_version") == before)
    }

    @Test func aTableThatHasGrownIsAnalysedAgain() throws {
        try connection.optimize()
        try SkewedTable.insert(rows: 500, on: connection)
        #expect(try connection.optimize() == [])
        try SkewedTable.insert(rows: isOld ? 20_000 : 3000, on: connection)
        #expect(try connection.optimize() == [SkewedTable.analysis])
        #expect(try connection.optimize() == [])
    }

    /// ANALYZE itself changes the version of the schema only when it creates `sqlite_stat1`.
    @Test func otherConnectionsUseTheNewStatistics() throws {
        try connection.execute("CREATE TABLE u(a); CREATE INDEX u_a ON u(a); INSERT INTO u VALUES(1)")
        let other = try Connection(path)
        try connection.execute("ANALYZE u")
        #expect(try SkewedTable.plan(on: other) == SkewedTable.badPlan)
        #expect(try connection.optimize() == [SkewedTable.analysis])
        #expect(try SkewedTable.plan(on: other) == SkewedTable.goodPlan)
    }

    @Test func anotherDatabaseIsNamed() throws {
        try connection.attachDatabase(from: .onDisk(directory.file("b.db")), withName: "an \"other\"")
        let table: SQL = "\(name: "an \"other\"").\(name: "a \"b\" c")"
        try connection.execute("CREATE TABLE \(table)(x); INSERT INTO \(table) VALUES(1), (2)")
        try connection.execute("CREATE INDEX \(name: "an \"other\"").x ON \(name: "a \"b\" c")(x)")
        let statements = try connection.optimize(databaseNamed: "an \"other\"")
        #expect(statements == ["ANALYZE " + table.text])
        #expect(table.text == #""an ""other"""."a ""b"" c""#)
        #expect(try SkewedTable.tables(on: connection) == [])
        #expect(try SkewedTable.tables(on: connection, database: "an \"other\"") == ["a \"b\" c"])
        let error = try sqliteError { try connection.optimize(databaseNamed: "nope") }
        #expect(error.resultCode == .error && error.message == "unknown database: \"nope\"")
        #expect(try errorKind { try connection.optimize(databaseNamed: "a\0") } == .nulCharacter(in: .identifier))
    }

    @Test func emptyTablesHaveNoStatistics() throws {
        try connection.run("DELETE FROM t")
        #expect(try connection.optimize() == [])
        #expect(try SkewedTable.tables(on: connection) == [])
    }

    @Test func aRollbackTakesTheStatisticsBack() throws {
        struct Undo: Error {}
        #expect(throws: Undo.self) {
            try connection.transaction {
                try connection.optimize()
                let plan = try SkewedTable.plan(on: connection)
                #expect(plan == SkewedTable.goodPlan)
                throw Undo()
            }
        }
        #expect(try SkewedTable.tables(on: connection) == [])
        #expect(try SkewedTable.plan(on: connection) == SkewedTable.badPlan)
        try connection.transaction { try connection.optimize() }
        #expect(try SkewedTable.plan(on: connection) == SkewedTable.goodPlan)
    }

    @Test(arguments: [0, 100]) func theLimitOfTheAnalysisStays(limit: Int) throws {
        try connection.execute("PRAGMA analysis_limit = \(raw: "\(limit)")")
        try connection.optimize()
        #expect(try connection.query("PRAGMA analysis_limit") == limit)
    }

    @Test func aPartOfALargeIndexIsRead() throws {
        try SkewedTable.insert(rows: 30_000, on: connection)
        // The rows of one kind are more than those that are read.
        try connection.run("UPDATE t SET kind = id / 1000")
        try connection.optimize()
        let few: String = try connection.query("SELECT stat FROM sqlite_stat1 WHERE idx = 't_kind'")
        try connection.execute("ANALYZE")
        let all: String = try connection.query("SELECT stat FROM sqlite_stat1 WHERE idx = 't_kind'")
        #expect(few != all)
    }

    @Test func schemaVersionIsChangedInTheDefensiveMode() throws {
        let isDefensive: () throws -> Bool = { [connection] in
            let before: Int = try connection.query("PRAGMA schema_version")
            try connection.execute("PRAGMA schema_version = \(raw: "\(before + 1)")")
            return try connection.query("PRAGMA schema_version") == before
        }
        #expect(try isDefensive())
        try connection.optimize()
        #expect(try isDefensive())
        #expect(try connection.integrityCheck() == [])
    }

    // MARK: Hooks

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func statisticsAreNotReportedAsRows() throws {
        let rows = Log()
        connection.addUpdateObserver { _, _, table, _ in rows.add(table ?? "") }
        try connection.addPreUpdateObserver { rows.add($0.tableName) }
        let changes = try connection.recordChanges { connection in
            try connection.optimize()
            try connection.run("UPDATE t SET code = 0 WHERE id = 1")
        }
        #expect(rows.lines == ["t", "t"])
        #expect(try changes.elements.count == 1)
    }

    @Test func aCommitObserverCanRefuseTheStatistics() throws {
        connection.addCommitObserver { true }
        let error = try sqliteError { try connection.optimize() }
        #expect(error.resultCode == .constraint)
        #expect(!connection.isInTransaction)
        #expect(try SkewedTable.tables(on: connection) == [])
    }

    @Test func preparedStatementsContinue() throws {
        let statement = try connection.prepare("SELECT code FROM t WHERE kind = ? AND code > ? ORDER BY code")
        #expect(try statement.bind(1, 98).query() == [99, 100])
        var seen: [Int] = []
        try connection.forEach("SELECT code FROM t WHERE code > 97 ORDER BY code") { row in
            if seen.isEmpty { try connection.optimize() }
            seen.append(row[0])
        }
        #expect(seen == [98, 99, 100])
        #expect(try statement.bind(1, 98).query() == [99, 100])
    }

    // MARK: Errors

    @Test func aConnectionThatOnlyReads() throws {
        let reader = try Connection(path, mode: .readOnly)
        #expect(try sqliteError { try reader.optimize() }.resultCode == .readOnly)
        let pool = ConnectionPool(storageLocation: .onDisk(path))
        let kind = try pool.execute { reader in try errorKind { try reader.optimize() } }
        #expect(kind == .insideRead(.statement))
        #expect(try SkewedTable.tables(on: connection) == [])
    }

    @Test func aClosedConnection() throws {
        connection.close()
        #expect(try sqliteError { try connection.optimize() }.resultCode == .misuse)
    }

    @Test func aFunctionOfAStatementThatWrites() throws {
        let log = Log()
        try connection.addFunction("optimize") { [unowned connection] () -> Int in
            let error = try sqliteError { try connection.optimize() }
            log.add("\(error.resultCode)")
            return 1
        }
        try connection.run("UPDATE t SET code = optimize() WHERE id = 1")
        #expect(log.lines == ["\(ResultCode.locked)"])
    }

    @Test func anotherWriter() throws {
        let other = try Connection(path)
        try connection.execute("PRAGMA busy_timeout = 0")
        let error = try other.transaction(transactionType: .immediate) { try sqliteError { try connection.optimize() } }
        #expect(error.resultCode == .busy)
        #expect(try connection.optimize() == [SkewedTable.analysis])
    }

    @Test func aDeadlineEndsItBeforeATable() throws {
        let error = try sqliteError { try connection.withDeadline(.zero) { _ = try connection.optimize() } }
        #expect(error.resultCode == .interrupt)
        #expect(try SkewedTable.tables(on: connection) == [])
    }
}

import Squall
import SquallTestSupport
import Testing

/// `addSlowStatementObserver`.
@Suite(.timeLimit(.minutes(10)))
struct SlowStatementTests {
    /// Takes at least as many milliseconds as its argument says.
    private static func addPause(to connection: Connection) throws {
        try connection.addFunction("pause") { (milliseconds: Int) -> Int in
            let end = ContinuousClock.now + .milliseconds(milliseconds)
            until { ContinuousClock.now >= end }
            return milliseconds
        }
    }

    @Test func onlySlowStatementsAreReported() throws {
        let connection = try Connection(":memory:")
        try Self.addPause(to: connection)
        var (slow, verySlow): ([SlowStatement], [SlowStatement]) = ([], [])
        let token = connection.addSlowStatementObserver(from: .milliseconds(20)) { slow.append($0) }
        connection.addSlowStatementObserver(from: .seconds(3600)) { verySlow.append($0) }
        let _: Int = try connection.query("SELECT pause(\(40))")
        #expect(slow.map(\.sql) == ["SELECT pause(?)"])
        #expect(slow.map(\.expandedSQL) == [nil])
        #expect(slow.allSatisfy { $0.duration >= .milliseconds(20) })
        token.cancel()
        let _: Int = try connection.query("SELECT pause(\(40))")
        #expect(slow.count == 1)
        #expect(verySlow.isEmpty)
    }

    @Test func valuesAreIncludedOnRequest() throws {
        let connection = try Connection(":memory:")
        var slow: [SlowStatement] = []
        connection.addSlowStatementObserver(from: .zero, includingValues: true) { slow.append($0) }
        let _: String = try connection.query("SELECT \("it's secret")")
        #expect(slow.map(\.expandedSQL) == ["SELECT 'it''s secret'"])
    }

    @Test func aDatabaseReportsItsReadersWhichKeepTheirTransactions() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("app.db"))
        let slow = Shared<[String]>([])
        database.addSlowStatementObserver(from: .zero) { statement in slow.update { $0.append(statement.sql) } }
        let query: SQL = "SELECT count(*) FROM sqlite_schema"
        var reads = 0
        try until {
            _ = try database.blocking.read { try $0.query(query) as Int }
            reads += 1
            return reads >= 20 && database.statistics.continuedReads > 0
        }
        #expect(slow.value.filter { $0 == query.text }.count == reads)
    }

    @Test func hugeAndNegativeThresholdsAreClamped() throws {
        let connection = try Connection(":memory:")
        var count = 0
        connection.addSlowStatementObserver(from: .seconds(-1)) { _ in count += 1 }
        connection.addSlowStatementObserver(from: .seconds(Int64.max)) { _ in count += 100 }
        try connection.run("SELECT 1")
        #expect(count == 1)
    }
}

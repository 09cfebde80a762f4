import Foundation
import Squall
import SquallTestSupport
import Testing

struct StatementCacheTests {
    private func connection(capacity: Int) throws -> Connection {
        var configuration = Configuration.sqlite
        configuration.statementCacheCapacity = capacity
        return try Connection(":memory:", configuration: configuration)
    }

    @Test func countsHitsMissesAndEvictions() throws {
        let connection = try connection(capacity: 2)
        for text: SQL in ["SELECT 1", "SELECT 2", "SELECT 1", "SELECT 3", "SELECT 1", "SELECT 2"] {
            try connection.run(text)
        }
        // 2 left for 3, because 1 had been used since, and 3 for 2.
        let statistics = connection.statementCache
        #expect(statistics.capacity == 2)
        #expect(statistics.count == 2)
        #expect(statistics.hits == 2)
        #expect(statistics.misses == 4)
        #expect(statistics.evictions == 2)
    }

    @Test func theLeastRecentlyUsedStatementIsEvicted() throws {
        let seed = TestSeed.of()
        var random = seed.generator()
        for capacity in [1, 2, 3, 8, 33] {
            let connection = try connection(capacity: capacity)
            // The numbers of the kept statements, the one that was used last at the end.
            var kept: [Int] = []
            var (hits, misses, evictions) = (0, 0, 0)
            for _ in 0..<1000 {
                let number = Int.random(in: 0..<2 * capacity + 1, using: &random)
                #expect(try connection.query(SQL(raw: "SELECT \(number)")) == number)
                if let index = kept.firstIndex(of: number) {
                    kept.remove(at: index)
                    hits += 1
                } else {
                    misses += 1
                    if kept.count == capacity {
                        kept.removeFirst()
                        evictions += 1
                    }
                }
                kept.append(number)
                let found = connection.statementCache
                #expect(found.count == kept.count, "capacity \(capacity), seed \(seed)")
                #expect(found.hits == hits, "capacity \(capacity), seed \(seed)")
                #expect(found.misses == misses, "capacity \(capacity), seed \(seed)")
                #expect(found.evictions == evictions, "capacity \(capacity), seed \(seed)")
            }
        }
    }

    @Test func theSameTextInOtherPiecesIsOneStatement() throws {
        let connection = try connection(capacity: 4)
        for round in 0..<100 {
            for number in 0..<20 {
                let tail = SQL(raw: ", \(number)")
                #expect(try connection.query("SELECT ?" + tail, round) == round)
                #expect(try connection.query("SELECT \(round)" + tail) == round)
                #expect(try connection.query(SQL(raw: "SELECT ?, \(number)"), round) == round)
            }
        }
        let statistics = connection.statementCache
        #expect(statistics.count == 4)
        #expect(statistics.misses - statistics.evictions == 4)
        #expect(statistics.hits == 2 * statistics.misses)
    }

    @Test func textsAreToldApartByTheirBytes() throws {
        let connection = try connection(capacity: 8)
        for (text, bytes) in [("\u{e9}", "C3A9"), ("e\u{301}", "65CC81"), ("\u{e9}", "C3A9")] {
            #expect(try connection.query(SQL(raw: "SELECT hex('\(text)')")) == bytes)
        }
        let row = try #require(try connection.query("SELECT 1 AS \"\u{e9}\", 2 AS \"e\u{301}\"") as Row?)
        #expect(row["\u{e9}"] == 1)
        #expect(row["e\u{301}"] == 2)
        #expect(("SELECT '\u{e9}'" as SQL) != "SELECT 'e\u{301}'")
    }

    /// SQLite does not prepare an EXPLAIN again when the schema has changed.
    @Test func explainIsNotKept() throws {
        let connection = try connection(capacity: 8)
        let sql: SQL = "EXPLAIN DROP TABLE IF EXISTS t"
        let before: [Row] = try connection.query(sql)
        try connection.execute("CREATE TABLE t(a)")
        let after: [Row] = try connection.query(sql)
        #expect(after.count > before.count)
        let plan: [Row] = try connection.query("EXPLAIN QUERY PLAN SELECT * FROM t")
        #expect(plan.count == 1)
        #expect(connection.statementCache.count == 0)
    }

    @Test func offWithoutCapacity() throws {
        for capacity in [0, -5] {
            let connection = try connection(capacity: capacity)
            for _ in 0..<3 { #expect(try connection.query("SELECT 1") == 1) }
            #expect(connection.statementCache.misses == 3)
            #expect(connection.statementCache.count == 0)
        }
    }

    @Test func valuesAreClearedAndPreparedStatementsAreTheUsersOwn() throws {
        let connection = try connection(capacity: 8)
        #expect(try connection.query("SELECT ?1", "x") == "x")
        let missing: String? = try connection.query("SELECT ?1", StatementTests.Forgetful(value: nil))
        #expect(missing == nil)
        _ = try connection.prepare("SELECT 7")
        #expect(connection.statementCache.count == 1)
    }

    @Test func aStatementThatIsLentIsPreparedAgain() throws {
        let connection = try connection(capacity: 1)
        try connection.forEach("SELECT 1") { _ in
            try connection.forEach("SELECT 1") { _ in
                try connection.run("SELECT 2")
                try connection.run("SELECT 1")
            }
        }
        #expect(connection.statementCache.count == 1)
        #expect(try connection.query("SELECT 1") == 1)
    }

    @Test func errorsGiveTheStatementBack() throws {
        let connection = try connection(capacity: 8)
        try connection.execute("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES(1)")
        for _ in 0..<3 {
            #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES(?)", 1) }
            #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES(?)") }
            #expect(throws: ConversionError.self) { let _: String = try connection.query("SELECT a FROM t") }
        }
        #expect(connection.statementCache.hits == 7)
        try connection.execute("DROP TABLE t")
    }

    // MARK: - Schema changes under a cached statement

    struct Pair: Decodable, Equatable {
        let a: Int
        let b: Int
    }

    private func pair(_ connection: Connection) throws -> [Int] {
        let row = try #require(try connection.query("SELECT * FROM t") as Row?)
        return [try row.get("a"), try row.get("b")]
    }

    @Test func sqiftDefect9ColumnsFollowTheTableThatAnotherConnectionAlters() throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(directory.file("a.db"))
        let other = try Connection(directory.file("a.db"))
        try connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES(0)")
        let all: SQL = "SELECT * FROM t"
        let own = try connection.prepare(all)
        #expect(try connection.query(all)?.columns.map(\.name) == ["x"])
        #expect(try own.query()?.columns.map(\.name) == ["x"])
        try own.reset()

        try other.execute("ALTER TABLE t ADD COLUMN a DEFAULT 1; ALTER TABLE t ADD COLUMN b DEFAULT 2")
        #expect(try connection.query(all)?.columns.map(\.name) == ["x", "a", "b"])
        #expect(try own.query()?.columns.map(\.name) == ["x", "a", "b"])
        #expect(own.columnNames == ["x", "a", "b"])
        try own.reset()
        #expect(try pair(connection) == [1, 2])

        // Dropped and made again with the columns in another order: the count is the same.
        try other.execute("DROP TABLE t; CREATE TABLE t(b, x, a); INSERT INTO t VALUES(20, 0, 10)")
        #expect(try pair(connection) == [10, 20])
        #expect(try connection.query(all) == Pair(a: 10, b: 20))
        #expect(try own.query()?.get("a") == 10)
        #expect(connection.statementCache.hits >= 4)
    }

    @Test func aSwapInsideAReadIsSeenByTheNext() throws {
        let connection = try connection(capacity: 8)
        try connection.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2)")
        let all: SQL = "SELECT * FROM t"
        var first: Row?
        try connection.forEach(all) { first = $0 }
        try connection.execute("DROP TABLE t; CREATE TABLE t(b, a); INSERT INTO t VALUES(2, 1)")
        var second: Row?
        try connection.forEach(all) { second = $0 }
        #expect(first?["a"] == 1)
        #expect(second?["a"] == 1)
        #expect(second?.columns.map(\.name) == ["b", "a"])
        #expect(first?.columns.map(\.name) == ["a", "b"])
    }

    @Test func aListThatIsShortenedFindsItsStatementAgain() throws {
        let connection = try connection(capacity: 8)
        connection.limits[.variables] = 9
        for start in 0..<4 {
            #expect(try connection.query("SELECT 3 IN \(in: start..<start + 20)") == true)
        }
        #expect(connection.statementCache.count == 1)
        #expect(connection.statementCache.hits == 3)
    }
}

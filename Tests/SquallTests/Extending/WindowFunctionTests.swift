import Foundation
import Squall
import SquallTestSupport
import Testing

/// Aggregates over frames that move along the rows.
struct WindowFunctionTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, kind TEXT, a INTEGER);
            INSERT INTO t VALUES(1, 'x', 1), (2, 'x', 2), (3, 'y', 4), (4, 'y', 8), (5, 'y', 16)
            """
        )
    }

    private func addSum() throws {
        try connection.addWindowFunction("moving", initial: 0) { (sum: inout Int, value: Int) in
            sum += value
        } inverse: { sum, value in
            sum -= value
        } value: { sum in
            sum
        }
    }

    private func query(_ frame: String) throws -> [Int] {
        try connection.query("SELECT moving(a) OVER (\(raw: frame)) FROM t ORDER BY id")
    }

    @Test func framesOfRowsMoveAlong() throws {
        try addSum()
        #expect(try query("ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW") == [1, 3, 7, 14, 28])
        #expect(try query("ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING") == [3, 7, 14, 28, 24])
        #expect(try query("ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING") == [31, 30, 28, 24, 16])
        #expect(try query("ORDER BY id") == [1, 3, 7, 15, 31])
        #expect(try query("") == [31, 31, 31, 31, 31])
    }

    @Test func framesWithoutRowsHaveTheInitialState() throws {
        try addSum()
        #expect(try query("ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING") == [0, 1, 3, 6, 12])
        #expect(try query("ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING") == [6, 12, 24, 16, 0])
    }

    @Test func framesAgreeWithSQLitesOwnSum() throws {
        try addSum()
        let frames = [
            "PARTITION BY kind ORDER BY id ROWS 1 PRECEDING", "ORDER BY a RANGE BETWEEN 4 PRECEDING AND 4 FOLLOWING",
            "ORDER BY kind GROUPS CURRENT ROW", "ORDER BY id ROWS 2 PRECEDING EXCLUDE CURRENT ROW",
        ]
        for frame in frames {
            let expected: [Int] = try connection.query(
                "SELECT ifnull(sum(a) OVER (\(raw: frame)), 0) FROM t ORDER BY id")
            #expect(try query(frame) == expected, "\(frame)")
        }
    }

    @Test func partitionsHaveStatesOfTheirOwnWhichGo() throws {
        let counter = Counter()
        try connection.addWindowFunction("counted", initial: Counted(counter)) {
            (state: inout Counted, value: Int) in
            state.sum += value
        } inverse: { state, value in
            state.sum -= value
        } value: { state in
            state.sum
        }
        let sql: SQL = "SELECT counted(a) OVER (PARTITION BY kind ORDER BY id ROWS 1 PRECEDING) FROM t ORDER BY id"
        let sums: [Int] = try connection.query(sql)
        #expect(sums == [1, 3, 4, 12, 24])
        #expect(counter.made == 2)
        #expect(counter.alive == 0)
        let statement = try connection.prepare(sql)
        #expect(try statement.step())
        try statement.reset()
        #expect(counter.alive == 0)
    }

    @Test func aWindowFunctionIsAnAggregateToo() throws {
        try addSum()
        let sums: [Int] = try connection.query("SELECT moving(a) FROM t GROUP BY kind ORDER BY kind")
        #expect(sums == [3, 28])
        #expect(try connection.query("SELECT moving(a) FROM t WHERE 0") == 0)
    }

    @Test func textStatesAreKeptInPlace() throws {
        try connection.addWindowFunction("latest", initial: [String]()) { (names: inout [String], name: String) in
            names.append(name)
        } inverse: { names, _ in
            names.removeFirst()
        } value: { names in
            names.joined()
        }
        let names: [String] = try connection.query(
            "SELECT latest(kind || id) OVER (ORDER BY id ROWS 1 PRECEDING) FROM t ORDER BY id")
        #expect(names == ["x1", "x1x2", "x2y3", "y3y4", "y4y5"])
    }

    @Test func whatInverseAndValueThrowIsTheError() throws {
        let counter = Counter()
        try connection.addWindowFunction("a", initial: Counted(counter)) { (_: inout Counted, _: Int) in
        } inverse: { (_: inout Counted, value: Int) in
            throw SQLiteError(code: 1, message: "inverse of \(value)")
        } value: { _ in
            1
        }
        let sql: SQL = "SELECT a(a) OVER (ORDER BY id ROWS 1 PRECEDING) FROM t"
        #expect(try sqliteError { try connection.run(sql) }.message == "inverse of 1")
        #expect(counter.alive == 0)
        try connection.addWindowFunction("b", initial: Counted(counter)) { (_: inout Counted, _: Int) in
        } inverse: { (_: inout Counted, _: Int) in
        } value: { _ -> Int in
            throw SQLiteError(code: 1, message: "value")
        }
        #expect(try sqliteError { try connection.run("SELECT b(a) OVER (ORDER BY id) FROM t") }.message == "value")
        #expect(counter.alive == 0)
    }
}

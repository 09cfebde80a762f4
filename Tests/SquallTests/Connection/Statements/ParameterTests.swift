import Foundation
import Squall
import SquallTestSupport
import Testing

/// `bind` and `run` have a form of their own for each number of values up to eight, and a parameter pack for more.
struct ParameterTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a, b, c, d, e, f, g, h, i)")
    }

    private func inserts(_ count: Int) -> SQL {
        let marks = Array(repeating: "?", count: count) + Array(repeating: "NULL", count: 9 - count)
        return "INSERT INTO t VALUES(\(raw: marks.joined(separator: ", ")))"
    }

    private func takeRow() throws -> [BindingValue] {
        let row = try #require(try connection.query("SELECT * FROM t") as Row?)
        #expect(try connection.query("SELECT count(*) FROM t") == 1)
        try connection.run("DELETE FROM t")
        return try (0..<9).map { try row.get($0, as: BindingValue.self) ?? .null }
    }

    private static let date = Date(timeIntervalSince1970: 0)

    private static let expected: [BindingValue] = [
        .integer(1), .text("zwei"), .null, .real(4.5), .blob(Data([5])), .integer(1), .text("1970-01-01T00:00:00.000"),
        .text("acht"), .blob(Data([9])),
    ]

    private func checkRow(_ count: Int) throws {
        let expected = Self.expected.prefix(count) + Array(repeating: .null, count: 9 - count)
        #expect(try takeRow() == Array(expected), "\(count) values")
    }

    @Test func runTakesAnyNumberOfValues() throws {
        let (b, c, e, g): (String?, Int?, Data, Date) = ("zwei", nil, Data([5]), Self.date)
        try connection.run(inserts(1), 1)
        try checkRow(1)
        try connection.run(inserts(2), 1, b)
        try checkRow(2)
        try connection.run(inserts(3), 1, b, c)
        try checkRow(3)
        try connection.run(inserts(4), 1, b, c, 4.5)
        try checkRow(4)
        try connection.run(inserts(5), 1, b, c, 4.5, e)
        try checkRow(5)
        try connection.run(inserts(6), 1, b, c, 4.5, e, true)
        try checkRow(6)
        try connection.run(inserts(7), 1, b, c, 4.5, e, true, g)
        try checkRow(7)
        try connection.run(inserts(8), 1, b, c, 4.5, e, true, g, "acht")
        try checkRow(8)
        try connection.run(inserts(9), 1, b, c, 4.5, e, true, g, "acht", [9 as UInt8])
        try checkRow(9)
    }

    @Test func bindTakesAnyNumberOfValues() throws {
        let (b, c, e, g): (String?, Int?, Data, Date) = ("zwei", nil, Data([5]), Self.date)
        try connection.prepare(inserts(1)).bind(1).run()
        try checkRow(1)
        try connection.prepare(inserts(2)).bind(1, b).run()
        try checkRow(2)
        try connection.prepare(inserts(3)).bind(1, b, c).run()
        try checkRow(3)
        try connection.prepare(inserts(4)).bind(1, b, c, 4.5).run()
        try checkRow(4)
        try connection.prepare(inserts(5)).bind(1, b, c, 4.5, e).run()
        try checkRow(5)
        try connection.prepare(inserts(6)).bind(1, b, c, 4.5, e, true).run()
        try checkRow(6)
        try connection.prepare(inserts(7)).bind(1, b, c, 4.5, e, true, g).run()
        try checkRow(7)
        try connection.prepare(inserts(8)).bind(1, b, c, 4.5, e, true, g, "acht").run()
        try checkRow(8)
        try connection.prepare(inserts(9)).bind(1, b, c, 4.5, e, true, g, "acht", [9 as UInt8]).run()
        try checkRow(9)
    }

    @Test func aLiteralNilIsTaken() throws {
        try connection.run(inserts(3), 1, "zwei", nil)
        try checkRow(3)
        try connection.prepare(inserts(3)).bind(1, "zwei", nil).run()
        try checkRow(3)
        try connection.run(inserts(1), nil)
        #expect(try takeRow() == Array(repeating: .null, count: 9))
    }

    @Test func aListIsNotOneValue() throws {
        try connection.run(inserts(2), [1, "zwei"])
        try checkRow(2)
        try connection.prepare(inserts(2)).bind([1, "zwei"]).run()
        try checkRow(2)
        try connection.run("INSERT INTO t(a, b) VALUES(:a, :b)", ["a": 1, "b": "zwei"])
        try checkRow(2)
    }

    @Test(arguments: 1...9) func aWrongNumberOfValuesThrows(count: Int) throws {
        let statement = try connection.prepare(inserts(count))
        let calls: [(Int, () throws -> Void)] = [
            (1, { try statement.bind(1) }), (2, { try statement.bind(1, 2) }), (3, { try statement.bind(1, 2, 3) }),
            (4, { try statement.bind(1, 2, 3, 4) }), (5, { try statement.bind(1, 2, 3, 4, 5) }),
            (6, { try statement.bind(1, 2, 3, 4, 5, 6) }), (7, { try statement.bind(1, 2, 3, 4, 5, 6, 7) }),
            (8, { try statement.bind(1, 2, 3, 4, 5, 6, 7, 8) }),
            (9, { try statement.bind(1, 2, 3, 4, 5, 6, 7, 8, 9) }),
            (1, { try connection.run(inserts(count), 1) }), (2, { try connection.run(inserts(count), 1, 2) }),
            (3, { try connection.run(inserts(count), 1, 2, 3) }),
            (4, { try connection.run(inserts(count), 1, 2, 3, 4) }),
            (5, { try connection.run(inserts(count), 1, 2, 3, 4, 5) }),
            (6, { try connection.run(inserts(count), 1, 2, 3, 4, 5, 6) }),
            (7, { try connection.run(inserts(count), 1, 2, 3, 4, 5, 6, 7) }),
            (8, { try connection.run(inserts(count), 1, 2, 3, 4, 5, 6, 7, 8) }),
            (9, { try connection.run(inserts(count), 1, 2, 3, 4, 5, 6, 7, 8, 9) }),
        ]
        for (given, call) in calls where given != count {
            #expect(try sqliteError(call).kind == .parameterCount(expected: count, given: given))
        }
        #expect(try sqliteError { try statement.run() }.kind == .unboundParameters(count: count))
        #expect(
            try sqliteError { try connection.run(inserts(count)) }.kind == .parameterCount(expected: count, given: 0))
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
    }

    @Test(arguments: 0..<9) func aValueThatCannotBeStoredThrowsAtEachPosition(position: Int) throws {
        let v = (0..<9).map { $0 == position ? Double.nan : Double($0) }
        let statement = try connection.prepare(inserts(9)).bind(1, 2, 3, 4, 5, 6, 7, 8, 9)
        let eight = try connection.prepare(inserts(8)).bind(1, 2, 3, 4, 5, 6, 7, 8)
        var calls = [
            { try connection.run(inserts(9), v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]) },
            { _ = try statement.bind(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]) },
        ]
        if position < 8 {
            calls.append { try connection.run(inserts(8), v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]) }
            calls.append { _ = try eight.bind(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]) }
        }
        for call in calls {
            let error = try sqliteError(call)
            #expect(error.kind == .unstorable(type: "Double", reason: .notANumberForParameter(position + 1)))
        }
        // The values of before the error are not run either.
        #expect(try sqliteError { try statement.run() }.kind == .unboundParameters(count: 9))
        if position < 8 { #expect(try sqliteError { try eight.run() }.kind == .unboundParameters(count: 8)) }
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
        try connection.run(inserts(1), 1)
        try checkRow(1)
    }

    @Test func valuesBesideInterpolatedOnesThrow() throws {
        for call in [
            { try connection.run("INSERT INTO t(a, b) VALUES(\(1), ?)", 2) },
            { try connection.run("INSERT INTO t(a, b, c) VALUES(\(1), ?, ?)", 2, 3) },
        ] {
            #expect(try sqliteError(call).kind == .mixedParameters)
        }
    }

    @Test func aStatementOfTheCacheDoesNotRunAgainWithItsValues() throws {
        try connection.run(inserts(2), 1, "zwei")
        #expect(try sqliteError { try connection.run(inserts(2)) }.kind == .parameterCount(expected: 2, given: 0))
        try checkRow(2)
    }

    @Test func aStatementOfTheCacheKeepsNoLargeValues() throws {
        let (text, blob) = (String(repeating: "x", count: 1_000_000), [UInt8](repeating: 1, count: 1_000_000))
        try connection.run("SELECT ?", "small")
        let before = connection.status.statementsUsed
        try connection.run("SELECT ?", text)
        try connection.run("SELECT ?", blob)
        try connection.run("SELECT \(text)")
        #expect(connection.status.statementsUsed < before + 10_000)
    }
}

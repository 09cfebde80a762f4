import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// Lists for IN under a limit of variables.
struct ListTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE t(number INTEGER, text TEXT, any);
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO t SELECT i, i, i FROM n
            """)
        connection.limits[.variables] = 999
    }

    private func count(_ condition: SQL) throws -> Int {
        try connection.query("SELECT count(*) FROM t WHERE \(condition)")
    }

    @Test func aListIsNotPaddedBeyondTheLimit() throws {
        #expect(try count("number IN \(in: 0..<600)") == 600)
        #expect(try count("number IN \(in: 0..<500) AND number >= \(10) OR number IN \(in: 1000..<1400)") == 890)
        #expect(try count("number IN \(in: 0..<998) AND text <> \("7")") == 997)
        let statement = try connection.prepare("SELECT count(*) FROM t WHERE number IN \(in: 0..<600)")
        #expect(statement.parameterCount == 600)
        #expect(try statement.query() == 600)
        try connection.execute("DELETE FROM t WHERE number IN \(in: 0..<600)")
        #expect(try count("1") == 1401)
        // Padded where there is room.
        #expect(try connection.prepare("SELECT 1 IN \(in: 0..<500)").parameterCount == 512)
    }

    @Test func aLongerListIsOneParameter() throws {
        let numbers = Array(0..<1500)
        #expect(try count("number IN \(in: numbers)") == 1500)
        #expect(try count("number NOT IN \(in: numbers)") == 501)
        #expect(try count("number IN \(in: numbers) AND number > \(1000)") == 499)
        let texts = numbers.map { "\($0)" } + ["it's", "\"\\\n\u{1}", "日本\u{301}"]
        try connection.run("INSERT INTO t VALUES(NULL, ?, NULL)", texts[1501])
        try connection.run("INSERT INTO t VALUES(NULL, ?, NULL)", texts[1502])
        #expect(try count("text IN \(in: texts)") == 1502)
        let statement = try connection.prepare("SELECT count(*) FROM t WHERE number IN \(in: numbers)")
        #expect(statement.sql == "SELECT count(*) FROM t WHERE number IN (SELECT +value FROM json_each(?))")
        try connection.execute("DELETE FROM t WHERE number IN \(in: numbers)")
        #expect(try count("1") == 503)
    }

    /// The affinity of the column applies as it does to a list of parameters.
    @Test func aLongerListComparesAsAShortOne() throws {
        let few = 0..<10
        let many = 0..<1500
        for column in ["number", "text", "any", "+number", "CAST(text AS INTEGER)"] {
            let texts = few.map { "\($0)" }
            let manyTexts = many.map { "\($0)" }
            let isNumber = try count("\(raw: column) IN \(in: few)") == 10
            #expect(try count("\(raw: column) IN \(in: many)") == (isNumber ? 1500 : 0), "\(column)")
            let isText = try count("\(raw: column) IN \(in: texts)") == 10
            #expect(try count("\(raw: column) IN \(in: manyTexts)") == (isText ? 1500 : 0), "\(column)")
        }
        let mixed: [any Bindable] = many.map { BindingValue.integer(Int64($0)) } + ["7", BindingValue.null]
        #expect(try count("number IN \(in: mixed)") == 1500)
        #expect(try count("number NOT IN \(in: mixed)") == 0)
        #expect(try count("any IN \(in: [Int64.min, .max, 5] + many.map { Int64($0) })") == 1500)
    }

    @Test func aListThatCannotBeJSONIsRefusedWithTheCure() throws {
        for list in [
            "\(in: (0..<1500).map { Double($0) / 3 })", "\(in: (0..<1500).map { Data([UInt8($0 % 256)]) })",
            "\(in: (0..<1500).map { "\($0)\0" })",
        ] as [SQL] {
            let error = try sqliteError { _ = try count("any IN \(list)") }
            #expect(error.message == "too many SQL variables")
            #expect(error.hint?.contains("limit of variables") == true)
        }
    }

    @Test func listsOfAnyLengthsMakeFewStatements() throws {
        for length in [100, 120, 128, 65] { #expect(try count("number IN \(in: 0..<length)") == length) }
        #expect(connection.statementCache.count == 1)
        #expect(connection.statementCache.hits == 3)
    }

    @Test func aListThatIsShortenedKeepsTheTables() {
        var sql: SQL = "SELECT * FROM t WHERE number IN \(in: 0..<600)"
        sql.uses(table: "t")
        #expect(sql.fitted(to: 599).tables == ["t"])
        #expect(sql.withLiterals.tables == ["t"])
    }
}

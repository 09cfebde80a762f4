import Foundation
import Squall
import SquallTestSupport
import Testing

/// Every public verb with every way to give it a value: the value is bound, or an error is thrown; it never becomes SQL.
///
/// The value ends a text literal and would change what the statement does if it were spliced.
struct NoSpliceTests {
    static let value = "x' OR 'a'='a"

    let connection: Connection
    let value = Self.value
    let named: [String: (any Bindable)?] = [":v": Self.value]
    let listed: [(any Bindable)?] = [Self.value]

    struct ByRow: ExpressibleByRow {
        let name: String
        init(row: Row) throws { name = try row.get(0) }
    }

    struct Plain: Decodable {
        let name: String
    }

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(name TEXT)")
        try connection.run("INSERT INTO t VALUES(?), ('other')", value)
    }

    /// Expects the one row whose name is the value, which a spliced value would not give.
    private func expectBound(_ names: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(names == [value], sourceLocation: sourceLocation)
    }

    @Test func queriesForValues() throws {
        expectBound(try connection.query("SELECT name FROM t WHERE name = ?", value))
        expectBound(try connection.query("SELECT name FROM t WHERE name = \(value)"))
        expectBound(try connection.query("SELECT name FROM t WHERE name = ?", listed))
        expectBound(try connection.query("SELECT name FROM t WHERE name = ?", [value]))
        expectBound(try connection.query("SELECT name FROM t WHERE name = :v", named))
        expectBound(try connection.query("SELECT name FROM t WHERE name = :v", [":v": value]))
        expectBound(try connection.query("SELECT name FROM t " + "WHERE name = \(value)"))
        expectBound(try connection.query("SELECT name FROM t" + " WHERE name = " + "?", value))
        expectBound(try connection.query("SELECT name FROM t WHERE name = ? AND ? IS NULL", value, nil))
        expectBound(try connection.query("SELECT name FROM t WHERE name = \(value as String?)"))
        expectBound(try connection.query("SELECT name FROM t WHERE name = \(value as any Bindable)"))
        expectBound(try connection.query("SELECT name FROM t WHERE name IN \(in: [value])"))
        expectBound(try connection.query(value.isEmpty ? "SELECT 1" : "SELECT name FROM t WHERE name = \(value)"))
        let single: String = try connection.query("SELECT name FROM t WHERE name = \(value)")
        let optional: String? = try connection.query("SELECT name FROM t WHERE name = \(value)")
        let optionals: [String?] = try connection.query("SELECT name FROM t WHERE name = \(value)")
        expectBound([single])
        expectBound([optional].compactMap { $0 })
        expectBound(optionals.compactMap { $0 })
    }

    @Test func queriesForRowsAndRecords() throws {
        let row = try connection.query("SELECT name FROM t WHERE name = \(value)")
        expectBound([row].compactMap { $0?[0] })
        let joined = try connection.query("SELECT name FROM t " + "WHERE name = \(value)")
        expectBound([joined].compactMap { $0?[0] })
        let rows: [Row] = try connection.query("SELECT name FROM t WHERE name = \(value)")
        expectBound(rows.map { $0[0] })
        let byRow: [ByRow] = try connection.query("SELECT name FROM t WHERE name = \(value)")
        expectBound(byRow.map(\.name))
        let oneByRow: ByRow = try connection.query("SELECT name FROM t WHERE name = \(value)")
        expectBound([oneByRow.name])
        let plain: [Plain] = try connection.query("SELECT name FROM t WHERE name = \(value)")
        expectBound(plain.map(\.name))
        let listedPlain: [Plain] = try connection.query("SELECT name FROM t WHERE name = ?", listed)
        expectBound(listedPlain.map(\.name))
        let nilPlain: [Plain] = try connection.query("SELECT name FROM t WHERE name = ? AND ? IS NULL", value, nil)
        expectBound(nilPlain.map(\.name))
        let onePlain: Plain? = try connection.query("SELECT name FROM t " + "WHERE name = \(value)")
        expectBound([onePlain].compactMap { $0?.name })
    }

    @Test func queriesWithClosures() throws {
        expectBound(try connection.query("SELECT name FROM t WHERE name = \(value)") { $0[0] })
        expectBound(try connection.query("SELECT name FROM t WHERE name = ?", value) { $0[0] })
        expectBound(try connection.query("SELECT name FROM t WHERE name = ?", listed) { $0[0] })
        expectBound(try connection.query("SELECT name FROM t WHERE name = :v", named) { $0[0] })
        expectBound(try connection.query("SELECT name FROM t WHERE name = ? AND ? IS NULL", value, nil) { $0[0] })
        expectBound(try connection.query("SELECT name FROM t " + "WHERE name = \(value)") { row in row[0] })
        let first: String? = try connection.query("SELECT name FROM t WHERE name = \(value)") { $0[0] }
        expectBound([first].compactMap { $0 })
        let several: [String] = try connection.query("SELECT name FROM t WHERE name = \(value)") { row in
            let name: String = row[0]
            return name
        }
        expectBound(several)
        let dictionary: [String: Int] = try connection.query("SELECT name, 1 FROM t WHERE name = \(value)") {
            ($0[0], $0[1])
        }
        expectBound(Array(dictionary.keys))
    }

    @Test func forEach() throws {
        var names: [String] = []
        try connection.forEach("SELECT name FROM t WHERE name = \(value)") { names.append($0[0]) }
        try connection.forEach("SELECT name FROM t WHERE name = ?", value) { names.append($0[0]) }
        try connection.forEach("SELECT name FROM t WHERE name = ?", listed) { names.append($0[0]) }
        try connection.forEach("SELECT name FROM t WHERE name = :v", named) { names.append($0[0]) }
        try connection.forEach("SELECT name FROM t WHERE name = ? AND ? IS NULL", value, nil) { names.append($0[0]) }
        try connection.forEach("SELECT name FROM t " + "WHERE name = \(value)") { names.append($0[0]) }
        #expect(names == Array(repeating: value, count: 6))
    }

    @Test func runAndExecute() throws {
        let count = { try connection.query("SELECT count(*) FROM t") as Int }
        try connection.run("INSERT INTO t VALUES(\(value))")
        try connection.run("INSERT INTO t VALUES(?)", value)
        try connection.run("INSERT INTO t VALUES(?)", listed)
        try connection.run("INSERT INTO t VALUES(:v)", named)
        try connection.run("INSERT INTO t SELECT ? WHERE ? IS NULL", value, nil)
        try connection.run("INSERT INTO t " + "VALUES(\(value))")
        try connection.execute("INSERT INTO t VALUES(\(value)); INSERT INTO t VALUES(\(value))")
        try connection.execute("INSERT INTO t " + "VALUES(\(value))")
        #expect(try connection.query("SELECT count(*) FROM t WHERE name = ?", value) == 10)
        #expect(try count() == 11)
    }

    @Test func prepare() throws {
        let statements = [
            try connection.prepare("SELECT name FROM t WHERE name = \(value)"),
            try connection.prepare("SELECT name FROM t WHERE name = ?", value),
            try connection.prepare("SELECT name FROM t WHERE name = ?", listed),
            try connection.prepare("SELECT name FROM t WHERE name = :v", named),
            try connection.prepare("SELECT name FROM t WHERE name = ? AND ? IS NULL", value, nil),
            try connection.prepare("SELECT name FROM t " + "WHERE name = \(value)"),
            try connection.prepare("SELECT name FROM t WHERE name = ?").bind(value),
            try connection.prepare("SELECT name FROM t WHERE name = ?").bind(listed),
            try connection.prepare("SELECT name FROM t WHERE name = :v").bind(named),
            try Statement(connection: connection, sql: "SELECT name FROM t WHERE name = \(value)"),
        ]
        for statement in statements {
            expectBound(try statement.query())
        }
    }

    @Test func valuesInsideTextLiteralsAreNoParameters() throws {
        for attempt in [
            { try connection.run("SELECT name FROM t WHERE name = '\(value)'") },
            { try connection.execute("SELECT name FROM t WHERE name = '\(value)'") },
            { _ = try connection.prepare("SELECT name FROM t WHERE name = '\(value)'") },
            { let _: [String] = try connection.query("SELECT name FROM t WHERE name = '\(value)'") },
        ] {
            #expect(try sqliteError(attempt).message == PlacesTests.quoted)
        }
    }

    @Test func interpolatedValuesAndParametersTogetherAreRefused() throws {
        let message = "the SQL has interpolated values and was given parameters as well"
        for attempt in [
            { try connection.run("INSERT INTO t VALUES(\(value))", value) },
            { try connection.run("INSERT INTO t VALUES(\(value))", nil) },
            { try connection.run("INSERT INTO t VALUES(\(value))", listed) },
            { try connection.run("INSERT INTO t VALUES(\(value))", named) },
            { _ = try connection.prepare("INSERT INTO t VALUES(\(value))", value) },
            { _ = try connection.prepare("INSERT INTO t VALUES(\(value))", nil) },
            { _ = try connection.prepare("INSERT INTO t VALUES(\(value))", listed) },
            { _ = try connection.prepare("INSERT INTO t VALUES(\(value))", named) },
            { let _: [String] = try connection.query("SELECT \(value), ?", value) },
            { let _: String? = try connection.query("SELECT \(value), ?", listed) },
            { let _: String = try connection.query("SELECT \(value), :v", named) },
            { let _: [Plain] = try connection.query("SELECT \(value), ?", value) },
            { let _: [String] = try connection.query("SELECT \(value), ?", value) { $0[0] } },
            { try connection.forEach("SELECT \(value), ?", value) { _ in } },
            { try connection.forEach("SELECT \(value), ?" + "", nil) { _ in } },
        ] {
            #expect(try sqliteError(attempt).message == message)
        }
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
    }

    /// Without a form for `String`, the compiler has no other type for these than `SQL`.
    @Test func literalsJoinedBesideOtherOperators() throws {
        let count = try connection.query("SELECT count(*) FROM t " + "WHERE name = \(value)") ?? 0
        let three = try connection.query("SELECT count(*) " + "FROM t " + "WHERE name = \(value)") ?? 0
        let five: Int =
            try connection.query("SELECT count(*) " + "FROM t " + "WHERE name = \(value)" + " OR name = " + "\(value)")
            ?? 0
        let text = try connection.query("SELECT name FROM t " + "WHERE name = \(value)") ?? ""
        let ofRow = try connection.query("SELECT count(*) FROM t " + "WHERE name = \(value)")?[0] ?? 0
        let tried = (try? connection.query("SELECT count(*) FROM t " + "WHERE name = \(value)")) ?? 0
        let negated = try !connection.query("SELECT count(*) > 1 FROM t " + "WHERE name = \(value)")
        let compared = try connection.query("SELECT count(*) FROM t " + "WHERE name = \(value)") == 1
        let chosen =
            try connection.query(value.isEmpty ? "SELECT 5" : "SELECT count(*) FROM t WHERE name = \(value)") ?? 0
        let list =
            try connection.query(["SELECT count(*) FROM t", "WHERE name = \(value)"].joined(separator: " ")) ?? 0
        let raw = try connection.query(#"SELECT count(*) FROM t "# + #"WHERE name = \#(value)"#) ?? 0
        let lines =
            try connection.query(
                """
                SELECT count(*) FROM t \
                WHERE name = \(value)
                """ + "") ?? 0
        #expect([count, three, five, ofRow, tried, chosen, list, raw, lines] == Array(repeating: 1, count: 9))
        #expect(text == value)
        #expect(negated && compared)
    }

    @Test func listsInterpolatedWithoutALabelAreRefused() throws {
        let sql = (UnbindableList(list: [value]) as any SQLSource).sql
        #expect(throws: SQLiteError.self) { try connection.run((UnbindableDefault(list: nil) as any SQLSource).sql) }
        #expect((Generic(value: value) as any SQLSource).sql.parameters == [.text(value)])
        let missing: Int??? = .some(.some(nil))
        #expect((Generic(value: missing) as any SQLSource).sql.parameters == [.null])
        for attempt in [
            { try connection.run(sql) }, { try connection.execute(sql) }, { _ = try connection.prepare(sql) },
            { let _: [String] = try connection.query(sql) }, { try connection.forEach(sql) { _ in } },
        ] {
            let error = try sqliteError(attempt)
            #expect(error.message == "a value of type Array<String> cannot be bound to a parameter")
            #expect(error.hint == #"\(in:) binds a list"#)
        }
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
    }
}

private protocol SQLSource {
    var sql: SQL { get }
}

/// SQL for which the compiler warns; without the interpolation that it warns about, the literal would be a `String`.
private struct UnbindableList: SQLSource {
    let list: [String]

    @available(*, deprecated)
    var sql: SQL { "DELETE FROM t WHERE name IN (\(list))" }
}

private struct UnbindableDefault: SQLSource {
    let list: [String]?

    @available(*, deprecated)
    var sql: SQL { "DELETE FROM t WHERE name = \(list, default: "x' OR 'a'='a")" }
}

/// A value that generic code does not know to be `Bindable` is bound all the same.
private struct Generic<Value>: SQLSource {
    let value: Value

    @available(*, deprecated)
    var sql: SQL { "SELECT \(value)" }
}

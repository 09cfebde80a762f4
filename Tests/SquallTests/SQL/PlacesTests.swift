import Foundation
import Squall
import SquallTestSupport
import Testing

/// Every interpolated value is a parameter of the SQL, and the SQL has no others, or nothing is run.
struct PlacesTests {
    static let quoted = "an interpolated value is inside quotes or a comment of the SQL"
    static let own = "the SQL has both a written parameter and interpolated values"

    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a, b)")
    }

    private func expectRefused(_ sql: SQL, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) throws
    {
        for attempt in [
            { try connection.run(sql) }, { try connection.execute(sql) }, { _ = try connection.prepare(sql) },
            { let _: [Int] = try connection.query(sql) }, { try connection.forEach(sql) { _ in } },
            { _ = try Statement(connection: connection, sql: sql) },
        ] {
            let error = try sqliteError(attempt)
            #expect(error.message == message, sourceLocation: sourceLocation)
            #expect(error.sql == sql.text, sourceLocation: sourceLocation)
        }
        #expect(try connection.query("SELECT count(*) FROM t") == 0, sourceLocation: sourceLocation)
    }

    @Test func aValueInsideQuotesIsRefused() throws {
        let a = "A"
        try expectRefused("INSERT INTO t VALUES('\(a)', \(a))", Self.quoted)
        try expectRefused("INSERT INTO t VALUES(\(a), 'it''s \(a)')", Self.quoted)
        try expectRefused("SELECT \"\(a)\", `b`, [a] FROM t", Self.quoted)
        try expectRefused("INSERT INTO t SELECT a AS `\(a)`, b FROM t", Self.quoted)
        try expectRefused("INSERT INTO t SELECT a AS [\(a)], b FROM t", Self.quoted)
        try expectRefused("INSERT INTO t VALUES('%' || '%\(a)%', 1)", Self.quoted)
    }

    @Test func aValueInsideACommentIsRefused() throws {
        try expectRefused("INSERT INTO t VALUES(1, 2) -- \(1)", Self.quoted)
        try expectRefused("INSERT INTO t VALUES(1, /* \(1) */ 2)", Self.quoted)
        try expectRefused("INSERT INTO t VALUES(1, /*/ \(1) */ 2)", Self.quoted)
        try expectRefused("INSERT INTO t VALUES(1, 2) /* \(1)", Self.quoted)
    }

    @Test func aParameterBesideValuesIsRefused() throws {
        let a = "A"
        try expectRefused("INSERT INTO t VALUES(\(a), ?)", Self.own)
        try expectRefused("INSERT INTO t VALUES(?, \(a))", Self.own)
        try expectRefused("INSERT INTO t VALUES(\(a), :b)", Self.own)
        try expectRefused("INSERT INTO t VALUES(\(a), @b)", Self.own)
        try expectRefused("INSERT INTO t VALUES($b, \(a))", Self.own)
        try expectRefused("INSERT INTO t VALUES(\(a), ?1)", Self.own)
        // As many parameters as values, but not the same ones.
        try expectRefused("INSERT INTO t VALUES('\(a)', ?)", Self.quoted)
        try expectRefused("INSERT INTO t VALUES(?, '\(a)')", Self.own)
        try expectRefused("INSERT INTO t SELECT \(a)1, 2", Self.own)
    }

    @Test func aCachedStatementDoesNotLetOtherPiecesThrough() throws {
        let a = "A"
        // The same text, with the values where they belong.
        try connection.run("INSERT INTO t SELECT '?', \(a) WHERE 0")
        try connection.run("INSERT INTO t SELECT '?', ? WHERE 0", a)
        #expect(connection.statementCache.hits == 1)
        #expect(try sqliteError { try connection.run("INSERT INTO t SELECT '\(a)', ? WHERE 0") }.message == Self.quoted)
        try connection.run("INSERT INTO t SELECT '?', \(a) WHERE 0")
    }

    @Test func questionMarksThatAreNoParametersMayStandBesideValues() throws {
        let x = 7
        let row = try #require(
            try connection.query(
                """
                SELECT \(x) /* why? */, 'a?b', 'it''s ?', "?", `?`, [?], \(x) -- what?
                FROM (SELECT 1 AS "?") WHERE '-- ?' <> \(x) AND '/*' <> \(x) AND 'x''?' NOT LIKE '%\u{301}?'
                """) as Row?)
        #expect(row.valuesText == "[7, 'a?b', 'it's ?', 1, 1, 1, 7]")
        try connection.execute("INSERT INTO t VALUES('?', \(x)); /* ? */ INSERT INTO t VALUES(\(x), '?') -- ?")
        #expect(try connection.query("SELECT a || b FROM t ORDER BY rowid") == ["?7", "7?"])
        let value: Int = try connection.query("SELECT \(5)-\(-3)+a$b FROM (SELECT 1 AS a$b)")
        #expect(value == 9)
    }

    /// Random pieces of SQL with values between them: either SQLite binds every value, in order, or the SQL is refused.
    @Test func valuesArriveWhereTheyStandOrNowhere() throws {
        let pieces = [
            ", ", " ", "'x'", "'", "\"", "`", "[", "]", "--", "\n", "/*", "*/", "/", "*", "-", "?", "?2", ":a", "@",
            "$b", "1",
            "x", "''", "'it''s'", " || ", "+", "(", ")", "'?'",
        ]
        let seed = TestSeed.of()
        var generator = seed.generator()
        var bound = 0
        for _ in 0..<3000 {
            var sql: SQL = "SELECT "
            var values: [Int] = []
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                if Bool.random(using: &generator) {
                    values.append(1000 + values.count)
                    sql += "\(values.count + 999)"
                    if Bool.random(using: &generator) { sql += ", " }
                } else {
                    sql += SQL(raw: pieces[Int.random(in: 0..<pieces.count, using: &generator)])
                }
            }
            guard !values.isEmpty, let statement = try? connection.prepare(sql) else { continue }
            bound += 1
            #expect(statement.parameterCount == values.count, "\(sql.text), seed \(seed)")
            // SQLite itself writes the values into the text; without other question marks, that is one for each of them.
            let parts = sql.text.split(separator: "?", omittingEmptySubsequences: false)
            guard parts.count == values.count + 1 else { continue }
            let expected = parts[0] + zip(values, parts.dropFirst()).map { "\($0)\($1)" }.joined()
            #expect(statement.expandedSQL == String(expected), "seed \(seed)")
        }
        #expect(bound > 100)
    }
}

import Foundation
import Squall
import SquallSQLite
import SquallTestSupport
import Testing

struct StatementTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT NOT NULL)")
    }

    // MARK: - Preparing

    @Test(arguments: ["", " ", ";", "-- only a comment", "/* x */ ; -- y"] as [SQL])
    func sqiftDefect5NoStatementIsAnError(
        text: SQL
    ) throws {
        for attempt in [
            { _ = try connection.prepare(text) }, { try connection.run(text) },
            { let _: Int? = try connection.query(text) }, { try connection.forEach(text) { _ in } },
        ] {
            let error = try sqliteError(attempt)
            #expect(error.message == "the SQL has no statement")
            #expect(error.resultCode == .misuse)
        }
    }

    @Test(
        arguments: [
            ("SELECT 1; SELECT 2", 10), ("SELECT 1;;; SELECT 2;", 12), ("SELECT 1; -- x\nDELETE FROM t", 15),
        ] as [(SQL, Int)]) func twoStatementsAreAnErrorWhereOneIsExpected(text: SQL, offset: Int) throws
    {
        for attempt in [
            { _ = try connection.prepare(text) }, { try connection.run(text) },
            { let _: Int? = try connection.query(text) }, { try connection.forEach(text) { _ in } },
        ] {
            let error = try sqliteError(attempt)
            #expect(error.message == "the SQL has more than one statement")
            #expect(error.offset == offset)
        }
    }

    @Test(arguments: [
        "INSERT INTO nowhere VALUES(1)", "PRAGMA cache_size = 333", "this is no SQL", "'unterminated", "/", "/*",
    ]) func aRefusedTailIsNotCompiled(tail: String) throws {
        try connection.run("PRAGMA cache_size = 111")
        for attempt in [
            { try connection.run("CREATE TABLE zz(x); \(raw: tail)") },
            { _ = try connection.prepare("CREATE TABLE zz(x) /* ; */ ;\n-- x\n; \(raw: tail)") },
        ] {
            let error = try sqliteError(attempt)
            #expect(error.message == "the SQL has more than one statement")
            #expect(error.sql?.utf8.dropFirst(error.offset ?? 0).elementsEqual(tail.utf8) == true)
        }
        #expect(try connection.query("PRAGMA cache_size") == 111)
        #expect(try connection.query("SELECT count(*) FROM sqlite_schema WHERE name = 'zz'") == 0)
    }

    @Test func aByteOrderMarkIsSpace() throws {
        #expect(try connection.query("\u{feff}SELECT 1; \u{feff}") == 1)
    }

    @Test(arguments: ["SELECT 1;", "SELECT 1; -- x", " /* y */ SELECT 1 ; ; \n"] as [SQL])
    func spaceAndCommentsMayFollow(
        text: SQL
    ) throws {
        #expect(try connection.query(text) == 1)
    }

    @Test func textAfterANULCharacterIsNotLeftOut() throws {
        let text: SQL = "SELECT 1\0; DROP TABLE t"
        for attempt in [{ try connection.run(text) }, { _ = try connection.prepare(text) }] {
            let error = try sqliteError(attempt)
            #expect(error.message == "the SQL has a NUL character")
            #expect(error.offset == 8)
        }
    }

    @Test func megabytesOfSQL() throws {
        let long = SQL(raw: "SELECT 'x' -- " + String(repeating: "y", count: 900_000))
        #expect(try connection.query(long) == "x")
        #expect(connection.statementCache.count == 0)
        var configuration = Configuration.sqlite
        configuration.limits[.sqlLength] = 1_000_000
        let small = try Connection(":memory:", configuration: configuration)
        #expect(
            try sqliteError { try small.run(SQL(raw: "SELECT 1 -- " + String(repeating: "y", count: 1 << 20))) }
                .resultCode == .tooBig)
        let error = try sqliteError { try connection.run(SQL(raw: String(repeating: " ", count: 1 << 20) + "selct")) }
        #expect(error.offset == 1 << 20)
    }

    @Test func propertiesOfAStatement() throws {
        let statement = try connection.prepare("INSERT INTO t VALUES(?, :name) -- x", 1, "it's")
        #expect(statement.sql == "INSERT INTO t VALUES(?, :name) -- x")
        #expect(statement.expandedSQL == "INSERT INTO t VALUES(1, 'it''s') -- x")
        #expect(!statement.isReadOnly)
        #expect(statement.parameterCount == 2)
        #expect(statement.parameterNames == [nil, ":name"])
        #expect(try connection.prepare("SELECT @a, ?3, $b, :a").parameterNames == ["@a", nil, "?3", "$b", ":a"])
        #expect(statement.columnCount == 0)
        let select = try connection.prepare("SELECT a, b AS c FROM t")
        #expect(select.isReadOnly)
        #expect(select.columnNames == ["a", "c"])
        #expect(!select.isBusy)
        try statement.run()
        try select.step()
        #expect(select.isBusy)
        #expect(try !select.step())
        #expect(!select.isBusy)
    }

    @Test func sqiftDefect6ExpandedSQLIsFreed() throws {
        let statement = try connection.prepare("SELECT ?", String(repeating: "x", count: 1_000_000))
        let before = sqlite3_memory_used()
        for _ in 0..<50 { #expect(statement.expandedSQL?.utf8.count == 1_000_009) }
        // Of 50 MB; tests beside this one use memory too.
        #expect(sqlite3_memory_used() - before < 25_000_000)
    }

    // MARK: - Binding

    @Test func aWrongNumberOfValuesIsAnError() throws {
        let statement = try connection.prepare("SELECT ?, ?")
        for (attempt, count) in [
            ({ try statement.bind(1) }, 1), ({ try statement.bind([1]) }, 1), ({ try statement.bind([]) }, 0),
            ({ try statement.bind(1, 2, 3) }, 3), ({ try statement.bind(1, nil, 3) }, 3), ({ try statement.bind() }, 0),
            ({ try statement.bind(contentsOf: [1]) }, 1), ({ try statement.bind(contentsOf: [Int?]()) }, 0),
        ] as [(() throws -> Statement, Int)] {
            let error = try sqliteError { _ = try attempt() }
            #expect(error.message == "Bind expected 2 parameters, instead received \(count)")
            #expect(error.code == SQLITE_MISUSE)
            #expect(error.sql == "SELECT ?, ?")
        }
        #expect(
            try sqliteError { try connection.run("SELECT ?, ?") }.message
                == "Bind expected 2 parameters, instead received 0")
        #expect(
            try sqliteError { try connection.run("SELECT ?, ?", 1) }.message
                == "Bind expected 2 parameters, instead received 1")
        #expect(
            try sqliteError { try connection.run("SELECT 1", 1) }.message
                == "Bind expected 0 parameters, instead received 1")
    }

    @Test func aStatementWithoutValuesDoesNotRun() throws {
        try connection.execute("CREATE TABLE u(a, b)")
        let insert = try connection.prepare("INSERT INTO u VALUES(?, ?)")
        let select = try connection.prepare("SELECT ?1")
        for attempt in [
            { try insert.run() }, { try insert.step() }, { _ = try select.query() as Row? },
            { _ = try select.query() as [Int] }, { try select.step() },
        ] as [() throws -> Void] {
            let error = try sqliteError(attempt)
            #expect(error.code == SQLITE_MISUSE)
            #expect(["the 2 parameters have no values", "the parameter has no value"].contains(error.message))
            #expect(error.hint?.contains("bind") == true)
        }
        try insert.bind(1, 2).run()
        // The values of before are not written once more.
        for attempt in [
            { try insert.bind(1) }, { try insert.bind(1, Double.nan) }, { try insert.bind([1, 2, 3]) },
            { try insert.bind(["a": 1]) },
        ] as [() throws -> Statement] {
            #expect(throws: SQLiteError.self) { _ = try attempt() }
            #expect(try sqliteError { try insert.run() }.message == "the 2 parameters have no values")
        }
        try insert.bind(3, nil).run()
        try insert.run()
        let rows: [Row] = try connection.query("SELECT * FROM u")
        #expect(rows.map(\.valuesText) == ["[1, 2]", "[3, NULL]", "[3, NULL]"])
    }

    @Test func anUnknownNameIsAnError() throws {
        for name in [":f", "f", "@a", "", "a\0", "9"] {
            let error = try sqliteError { try connection.run("SELECT :a, @b, $c, ?9", [name: 1]) }
            #expect(error.message == "Bind could not find index for key: '\(name)'")
            #expect(error.hint == "the parameters of the SQL are :a, @b, $c, ?9")
            #expect(error.code == SQLITE_MISUSE)
        }
        #expect(try sqliteError { try connection.run("SELECT 1", ["a": 1]) }.hint == nil)
    }

    @Test func namesBindWithTheirPrefixOrWithout() throws {
        let statement = try connection.prepare("SELECT :a, @b, $c, ?9, :a")
        let row: Row? = try statement.bind([":a": 1, "@b": "x", "$c": nil, "?9": 2.5]).query()
        #expect(row?.valuesText == "[1, 'x', NULL, 2.5, 1]")
        let plain: Row? = try statement.bind(["a": 1, "b": "x", "c": nil, "?9": 2.5]).query()
        #expect(plain?.valuesText == "[1, 'x', NULL, 2.5, 1]")
        #expect(try connection.query("SELECT :id + @id", ["id": 2]) == 4)
        let twice = try sqliteError { try connection.run("SELECT :id", ["id": 1, ":id": 2]) }
        #expect(twice.message == "Bind received two values for parameter ':id'")
        // Not by Unicode's equivalence, but by their bytes.
        let other = try sqliteError { try connection.run("SELECT :\u{e9}", [":e\u{301}": 5]) }
        #expect(other.message == "Bind could not find index for key: ':e\u{301}'")
    }

    @Test func everyNamedParameterNeedsAValue() throws {
        let statement = try connection.prepare("SELECT :a, @b, $c, ?9, :a")
        _ = try statement.bind(["a": 1, "b": 2, "c": 3, "?9": 4])
        for (values, name) in [
            ([:], ":a"), (["a": 1], "@b"), (["a": 1, "b": nil], "$c"), (["a": 1, "b": 2, "c": 3], "?9"),
        ] as [([String: (any Bindable)?], String)] {
            let error = try sqliteError { _ = try statement.bind(values) }
            #expect(error.message == "Bind received no value for parameter '\(name)'")
            #expect(error.sql == statement.sql)
        }
        #expect(try sqliteError { _ = try statement.query() as Row? }.message == "the 9 parameters have no values")
        try connection.execute("CREATE TABLE u(a, b)")
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO u VALUES(:a, :b)", [":a": 1]) }
        let unnamed = try sqliteError { try connection.run("INSERT INTO u VALUES(:a, ?)", [":a": 1]) }
        #expect(unnamed.message == "Bind received values by name, and a parameter of the SQL has no name")
        #expect(try connection.query("SELECT count(*) FROM u") == 0)
    }

    /// Binds only what it wants to.
    struct Forgetful: Bindable {
        let value: Int?
        var bindingValue: BindingValue { .null }

        func bind(to destination: BindingDestination) throws {
            if let value { try destination.bind(Int64(value)) }
        }
    }

    /// Binds its bytes as TEXT.
    struct Bytes: Bindable {
        let bytes: [UInt8]
        var bindingValue: BindingValue { .text(String(decoding: bytes, as: UTF8.self)) }

        func bind(to destination: BindingDestination) throws {
            try bytes.withUnsafeBytes { try destination.bind(utf8: $0) }
        }
    }

    @Test func aTextIsBoundFromItsUTF8() throws {
        let statement = try connection.prepare("SELECT typeof(:a) || ' ' || hex(:a)")
        for text in ["", "é\0🙂", String(repeating: "x", count: 5_000)] {
            let bytes = Array(text.utf8)
            let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
            let found = try statement.bind(Bytes(bytes: bytes)).query() as String?
            #expect(found == "text \(hex)")
            try statement.reset()
        }
        #expect(try statement.bind(Bytes(bytes: [0xff])).query() as String? == "text FF")
        try connection.addFunction("bytes") { () -> Bytes in Bytes(bytes: []) }
        #expect(try connection.query("SELECT typeof(bytes())") == "text")
    }

    @Test func aValueThatBindsNothingIsNull() throws {
        let statement = try connection.prepare("SELECT ?, ?")
        let secret = "a secret that is longer than a word"
        _ = try statement.bind(secret, secret)
        #expect((try statement.bind(Forgetful(value: nil), "x").query() as Row?)?.valuesText == "[NULL, 'x']")
        try statement.reset()
        let none: Forgetful? = Forgetful(value: nil)
        _ = try statement.bind(secret, secret)
        #expect((try statement.bind("y", none).query() as Row?)?.valuesText == "['y', NULL]")
        try statement.reset()
        _ = try statement.bind([secret, secret])
        #expect((try statement.bind([Forgetful(value: nil), "z"]).query() as Row?)?.valuesText == "[NULL, 'z']")
        try statement.reset()
        #expect((try statement.bind(Forgetful(value: 5), none).query() as Row?)?.valuesText == "[5, NULL]")
    }

    @Test func sqiftDefects10And16AFailedStatementCanBeBoundAtOnce() throws {
        let insert = try connection.prepare("INSERT INTO t VALUES(?, ?)")
        #expect(try sqliteError { try insert.bind(1, nil).run() }.message == "NOT NULL constraint failed: t.b")
        try insert.bind(1, "x").run()
        #expect(try sqliteError { try insert.run() }.extendedResultCode == .constraintPrimaryKey)
        try insert.bind(2, "y").run()
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
    }

    @Test func aMissedBindingLeavesTheStatementUsable() throws {
        let insert = try connection.prepare("INSERT INTO t VALUES(?, ?)")
        #expect(throws: SQLiteError.self) { try insert.bind(Double.nan, "x") }
        try insert.bind(5, "x").run()
        #expect(try connection.query("SELECT a FROM t") == 5)
        // No old value stays beside the new ones.
        let select = try connection.prepare("SELECT ?, ?").bind("old", "old")
        #expect(throws: SQLiteError.self) { try select.bind("new", Double.nan) }
        #expect(select.expandedSQL == "SELECT NULL, NULL")
        #expect(throws: SQLiteError.self) { try select.bind(contentsOf: [1, Double.nan]) }
        #expect(select.expandedSQL == "SELECT NULL, NULL")
    }

    @Test func everyFormOfValues() throws {
        let any: [any Bindable] = [1, "x", 2.5]
        let values: [(any Bindable)?] = any.map { $0 } + [nil]
        let none: String? = nil
        let expected: [BindingValue] = [.integer(1), .text("x"), .real(2.5), .null]
        let rows: [Row?] = [
            try connection.query("SELECT ?, ?, ?, ?", 1, "x", 2.5, nil),
            try connection.query("SELECT ?, ?, ?, ?", 1, "x", 2.5, none),
            try connection.query("SELECT ?, ?, ?, ?", values),
            try connection.query("SELECT ?, ?, ?, ?", any[0], any[1], any[2], nil),
            try connection.query("SELECT ?, ?, ?, ?", [1, "x", 2.5, nil]),
            try connection.query("SELECT :a, :b, :c, :d", [":a": 1, ":b": "x", ":c": 2.5, ":d": nil]),
            try connection.prepare("SELECT ?, ?, ?, ?").bind(1, "x", 2.5, nil).query(),
            try connection.prepare("SELECT ?, ?, ?, ?", 1, "x", 2.5, nil).query(),
            try connection.prepare("SELECT ?, ?, ?, ?").bind(any[0], any[1], any[2], BindingValue.null).query(),
            try connection.prepare("SELECT ?, ?, ?, ?").bind(contentsOf: expected).query(),
        ]
        #expect(rows.map { $0?.columns.map(\.bindingValue) } == Array(repeating: expected, count: rows.count))
    }

    @Test func valuesOfEverySizeStayUntilTheNextBinding() throws {
        let statement = try connection.prepare("SELECT ?1, ?2, ?3, ?4")
        for size in [0, 1, 15, 16, 100, 255, 256, 257, 1000, 4095, 4096, 4097, 100_000, 3] {
            let texts = (0..<4).map { String(repeating: Character("\($0)"), count: size) }
            try statement.bind(texts[0], texts[1], Data(texts[2].utf8), texts[3])
            #expect(statement.expandedSQL?.utf8.count ?? 0 >= 4 * size)
            for _ in 0..<2 {
                let row = try #require(try statement.query() as Row?)
                #expect(try row.get(0) == texts[0])
                #expect(try row.get(1) == texts[1])
                #expect(try row.get(2) == Data(texts[2].utf8))
                #expect(try row.get(3) == texts[3])
                try statement.reset()
            }
        }
    }

    @Test func boundValuesOutliveASchemaChange() throws {
        let statement = try connection.prepare("SELECT ? || b FROM t WHERE b = ?", "a text of some length: ", "y")
        try connection.execute("INSERT INTO t VALUES(1, 'y'); ALTER TABLE t ADD COLUMN c")
        #expect(try statement.query() == "a text of some length: y")
    }

    // MARK: - Stepping

    @Test func everyQueryStartsOverAndLeavesNoLock() throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(storageLocation: .onDisk(directory.file("a.db")))
        let other = try Connection(storageLocation: .onDisk(directory.file("a.db")))
        try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY); INSERT INTO t VALUES(1), (2)")
        let statement = try connection.prepare("SELECT a FROM t ORDER BY a")
        for query in [
            { () throws in #expect(try statement.query() == 1) },
            { () throws in #expect(try statement.query() as Int? == 1) },
            { () throws in #expect(try (statement.query() as Row?)?.get("a") == 1) },
            { () throws in #expect(try statement.query { try $0.get("a") as Int } == 1) },
            { () throws in #expect(try statement.query() as One == One(a: 1)) },
            { () throws in #expect(try statement.query() as [Int] == [1, 2]) },
            { () throws in #expect(try statement.query() as [Int?] == [1, 2]) },
            { () throws in #expect(try statement.query(as: [One].self).map(\.a) == [1, 2]) },
            { () throws in #expect(try (statement.query() as [Row]).count == 2) },
            { () throws in #expect(try statement.query { try $0.get("a") } as [Int] == [1, 2]) },
            { try statement.forEach { _ in } },
        ] as [() throws -> Void] {
            for _ in 0..<2 {
                try query()
                #expect(!statement.isBusy)
                try other.run("UPDATE t SET a = a")
                // Also after a step, which leaves the statement on a row.
                try statement.step()
            }
            try statement.reset()
        }
    }

    private struct One: Decodable, Equatable {
        let a: Int
    }

    @Test func aWriteThatReturnsRowsIsRunByEachQuery() throws {
        let insert = try connection.prepare("INSERT INTO t(b) VALUES('x'), ('y') RETURNING a")
        #expect(try insert.query() == 1)
        #expect(try insert.query() == 3)
        let all: [Int] = try insert.query()
        #expect(all == [5, 6])
    }

    @Test func aQueryThatThrowsLeavesNoLock() throws {
        let statement = try connection.prepare("SELECT 'x'")
        #expect(throws: ConversionError.self) { try statement.query() as Int }
        #expect(!statement.isBusy)
        #expect(throws: CancellationError.self) { try statement.query { _ in throw CancellationError() } as Int? }
        #expect(!statement.isBusy)
    }

    @Test func aLoopCanStop() throws {
        try connection.execute("INSERT INTO t VALUES(1, 'a'), (2, 'b'), (3, 'c')")
        let statement = try connection.prepare("SELECT a FROM t ORDER BY a")
        var seen: [Int] = []
        var kept: Row?
        try statement.forEach { row, stop in
            seen.append(try row.get("a"))
            kept = row
            stop = seen.count == 2
        }
        #expect(seen == [1, 2])
        #expect(!statement.isBusy)
        #expect(try kept?.get("a") == 2)
        try connection.forEach("SELECT a FROM t WHERE a > ?", 1) { row, stop in
            seen.append(try row.get("a"))
            stop = true
        }
        #expect(seen == [1, 2, 2])
        try connection.forEach("INSERT INTO t VALUES(4, 'd'), (5, 'e') RETURNING a") { row, stop in
            seen.append(try row.get("a"))
            stop = true
        }
        #expect(seen == [1, 2, 2, 4])
        #expect(try connection.query("SELECT count(*) FROM t") == 5)
    }

    @Test func descriptionIsTheSQL() throws {
        #expect("\(try connection.prepare("SELECT ?", "secret"))" == #"Statement("SELECT ?")"#)
    }

    @Test func theClosureOfAQueryCannotUseItsOwnStatement() throws {
        try connection.execute("INSERT INTO t VALUES(1, 'a'), (2, 'b')")
        let statement = try connection.prepare("SELECT a FROM t WHERE a > ? ORDER BY a", 0)
        var seen: [Int] = []
        try statement.forEach { (row) throws in
            seen.append(row[0])
            for attempt in [
                { _ = try statement.step() }, { _ = try statement.run() }, { try statement.reset() },
                { _ = try statement.bind(1) },
                { let _: [Int] = try statement.query() }, { try statement.forEach { _ in } },
            ] as [() throws -> Void] {
                #expect(try sqliteError(attempt).message.hasPrefix("the statement is in use"))
            }
        }
        #expect(seen == [1, 2])
        #expect(try statement.query() == 1)
    }

    @Test func runStepsThroughRows() throws {
        try connection.prepare("INSERT INTO t VALUES(1, 'a'), (2, 'b') RETURNING a").run()
        try connection.run("INSERT INTO t VALUES(3, 'c') RETURNING a")
        let ids: [Int] = try connection.query("INSERT INTO t VALUES(4, 'd'), (5, 'e') RETURNING a")
        #expect(ids == [4, 5])
        #expect(try connection.query("SELECT count(*) FROM t") == 5)
        // A single query ends the statement, which has done all its work with the first row.
        let first: Int = try connection.query("INSERT INTO t VALUES(6, 'f'), (7, 'g') RETURNING a")
        #expect(first == 6)
        #expect(try connection.query("SELECT count(*) FROM t") == 7)
    }

    @Test func anErrorInTheMiddleEndsTheStatement() throws {
        let sql: SQL = "SELECT 1 UNION ALL SELECT abs(-9223372036854775808)"
        var seen: [Int] = []
        let error = try sqliteError { try connection.forEach(sql) { seen.append($0[0]) } }
        #expect(error.message == "integer overflow")
        #expect(seen == [1])
        try connection.execute("DROP TABLE t")
    }
}

import Squall
import SquallTestSupport
import Testing

/// Functions that are added after SQLite has read the schema of a file.
///
/// SQLite decides when it reads the schema whether a CHECK, an index or a generated column may call a function.
struct LateFunctionTests {
    private static let definitions: [SQL] = [
        "CREATE TABLE t(a, b CHECK (spy(a)))", "CREATE TABLE t(a, b, CHECK (spy(a) > 0))",
        "CREATE TABLE t(a, b); CREATE INDEX i ON t(spy(a))",
        "CREATE TABLE t(a, b); CREATE INDEX i ON t(a) WHERE spy(b)",
        "CREATE TABLE t(a, b, c AS (spy(a)))", "CREATE TABLE t(a, b, c AS (spy(a)) STORED)",
        "CREATE TABLE t(a, b); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT spy(new.a); END",
        "CREATE TABLE t(a, b DEFAULT (spy(1)))",
    ]

    /// A schema that is not trusted, and whose CHECK constraints are enforced.
    private static let untrusted: Configuration = {
        var configuration = Configuration.untrusted
        configuration.checkConstraints = true
        return configuration
    }()

    /// A file with a definition that calls `spy`, which has been read.
    private static func open(_ definition: SQL, _ configuration: Configuration) throws -> Connection {
        let maker = try Connection(":memory:", configuration: .sqlite)
        try maker.addFunction("spy", deterministic: true, directOnly: false) { (value: BindingValue) in 1 }
        try maker.execute(definition)
        let connection = try Connection(":memory:", configuration: configuration)
        try connection.deserialize(try maker.serialize())
        try connection.run("SELECT a FROM t")
        return connection
    }

    @Test(arguments: definitions) func anUntrustedSchemaDoesNotCallAFunction(_ definition: SQL) throws {
        for directOnly in [true, false] {
            let connection = try Self.open(definition, Self.untrusted)
            var calls = 0
            try connection.addFunction("spy", deterministic: true, directOnly: directOnly) { (value: BindingValue) in
                calls += 1
                return 1
            }
            let error = try sqliteError { try connection.run("INSERT INTO t(a) VALUES(1)") }
            #expect(error.message.hasSuffix("unsafe use of spy()"))
            #expect(error.hint?.contains("register it as innocuous") == true)
            _ = try? connection.run("UPDATE t SET a = 2")
            _ = try? connection.query("SELECT * FROM t WHERE a = 1") as [Row]
            #expect(calls == 0)
        }
    }

    @Test(arguments: definitions) func aTrustedSchemaDoesNotCallADirectFunction(_ definition: SQL) throws {
        let connection = try Self.open(definition, .sqlite)
        var calls = 0
        try connection.addFunction("spy", deterministic: true) { (value: BindingValue) in
            calls += 1
            return 1
        }
        #expect(
            try sqliteError { try connection.run("INSERT INTO t(a) VALUES(1)") }.message.hasSuffix(
                "unsafe use of spy()"))
        #expect(calls == 0)
    }

    @Test(arguments: definitions) func anInnocuousFunctionIsCalled(_ definition: SQL) throws {
        let connection = try Self.open(definition, Self.untrusted)
        var calls = 0
        try connection.addFunction("spy", deterministic: true, innocuous: true) { (value: BindingValue) in
            calls += 1
            return 1
        }
        try connection.run("INSERT INTO t(a, b) VALUES(1, 1)")
        if definition.text.contains("DEFAULT") { try connection.run("INSERT INTO t(a) VALUES(1)") }
        let _: [Row] = try connection.query("SELECT * FROM t")
        #expect(calls > 0)
    }

    @Test func theConnectionStaysAsItIs() throws {
        let connection = try Connection(":memory:", configuration: .sqlite)
        try connection.execute(
            "CREATE TABLE t(a); INSERT INTO t VALUES(1), (2); CREATE TEMP TABLE u(b); PRAGMA writable_schema = ON")
        try connection.addFunction("one") { 1 }
        #expect(try connection.query("PRAGMA writable_schema") == 1)
        try connection.run("PRAGMA writable_schema = OFF")
        var log: [String] = []
        connection.traceStatements { log.append($0) }
        try connection.addFunction("two") { 2 }
        #expect(log.isEmpty)
        // In a loop, and in a transaction that has changed the schema.
        var rows = 0
        try connection.forEach("SELECT a FROM t") { _ in
            try connection.addFunction("number_\(rows)") { 3 }
            rows += 1
        }
        #expect(rows == 2)
        try? connection.transaction {
            try connection.run("CREATE TABLE v(c)")
            try connection.addFunction("four") { 4 }
            #expect(try connection.query("SELECT four() + count(*) FROM v") == 4)
            throw CancellationError()
        }
        #expect(try connection.tableNames() == ["t"])
        #expect(try connection.query("SELECT one() + two() + count(*) FROM t, u") == 3)
    }
}

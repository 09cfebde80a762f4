import Foundation
import Squall
import SquallTestSupport
import Testing

/// A file of strangers whose schema calls a function with a side effect wherever SQLite allows it.
///
/// Describing, comparing, planning and migrating such a file never calls the function, and changes no other table.
struct SideEffectTests {
    /// The definitions, each of which calls `spy`. The table of all is `t`.
    static let definitions = [
        "CREATE TABLE t(a, b TEXT CHECK (spy(b)))",
        "CREATE TABLE t(a, b TEXT DEFAULT (spy('default')))",
        "CREATE TABLE t(a, b TEXT, c AS (spy(b)))",
        "CREATE TABLE t(a, b TEXT, c AS (spy(b)) STORED)",
        "CREATE TABLE t(a, b TEXT, CHECK (spy(a) + spy(b)))",
        #"CREATE TABLE t(a "INT CHECK (spy(1))", b TEXT)"#,
        #"CREATE TABLE t(a "INT); SELECT spy(2); DROP TABLE victim; --", b TEXT)"#,
        "CREATE TABLE t(a, b TEXT); CREATE INDEX i ON t(spy(a))",
        "CREATE TABLE t(a, b TEXT); CREATE INDEX i ON t(a) WHERE spy(b)",
        "CREATE TABLE t(a, b TEXT); CREATE UNIQUE INDEX i ON t(a, spy(b) COLLATE NOCASE DESC) WHERE spy(a) IS NOT NULL",
        "CREATE TABLE t(a, b TEXT); CREATE VIEW v AS SELECT spy(a) AS x FROM t WHERE spy(b)",
        "CREATE TABLE t(a, b TEXT); CREATE VIEW pragma_table_xinfo AS SELECT spy(1) AS name",
        "CREATE TABLE t(a, b TEXT); CREATE VIEW squall_versions AS SELECT spy(1) AS version, 2 AS schema",
        """
        CREATE TABLE t(a, b TEXT); CREATE TRIGGER g AFTER INSERT ON t BEGIN
            SELECT spy(new.a); DELETE FROM victim; END
        """,
        """
        CREATE TABLE t(a, b TEXT); CREATE TRIGGER g BEFORE DELETE ON t WHEN spy(old.a) BEGIN
            UPDATE victim SET x = spy(old.b); END
        """,
        "CREATE TABLE t(a, b TEXT); CREATE TRIGGER g UPDATE OF b ON t BEGIN DELETE FROM victim WHERE spy(x); END",
        """
        CREATE TABLE t(a, b TEXT); CREATE VIEW v AS SELECT a FROM t;
        CREATE TRIGGER g INSTEAD OF INSERT ON v BEGIN DELETE FROM victim WHERE spy(1); END
        """,
    ]

    /// Counts the calls of a function.
    private final class Spy {
        var calls = 0

        /// Adds the function. A trusted schema can call it. An untrusted one could only if it were innocuous.
        func watch(_ connection: Connection, deterministic: Bool = true) throws {
            try connection.addFunction(
                "spy", deterministic: deterministic, directOnly: false
            ) { [unowned self] (_: BindingValue) in
                calls += 1
                return 1
            }
        }
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Makes the file, and opens it as a file of strangers.
    private func open(_ definition: String, _ spy: Spy, deterministic: Bool) throws -> Connection {
        let path = directory.file("\(UUID()).db")
        let maker = try Connection(path, configuration: .sqlite)
        try spy.watch(maker)
        try maker.execute("CREATE TABLE victim(x); INSERT INTO victim VALUES('alive')")
        try maker.execute(SQL(raw: definition))
        try maker.run("INSERT INTO t(a, b) VALUES(1, 'b'), (2, 'bb')")
        try maker.execute("DELETE FROM victim; INSERT INTO victim VALUES('alive')")
        maker.close()
        let connection = try Connection(path, mode: .existing, configuration: .untrusted)
        try spy.watch(connection, deterministic: deterministic)
        spy.calls = 0
        return connection
    }

    private func expectHarmless(_ connection: Connection, _ spy: Spy, _ definition: String) throws {
        #expect(spy.calls == 0, "\(definition)")
        #expect(!connection.isInTransaction, "\(definition)")
        #expect(try trusted(connection, spy).query("SELECT x FROM victim") == ["alive"], "\(definition)")
    }

    /// A connection that can read every schema: SQLite refuses one with a function that is not innocuous in a CHECK, a generated
    /// column or an index.
    private func trusted(_ connection: Connection, _ spy: Spy) throws -> Connection {
        let reader = try Connection(connection.fileName, mode: .readOnly, configuration: .sqlite)
        try spy.watch(reader)
        return reader
    }

    private func schema(_ connection: Connection, _ spy: Spy) throws -> [String] {
        try trusted(connection, spy).query("SELECT type || name || ifnull(sql, '') FROM sqlite_schema ORDER BY 1")
    }

    /// Everything that reads a schema: the file stays as it is.
    @Test(arguments: definitions, [true, false])
    func describingRunsNothing(_ definition: String, deterministic: Bool) throws {
        let spy = Spy()
        let connection = try open(definition, spy, deterministic: deterministic)
        let before = try schema(connection, spy)
        let info = (try? connection.tableInfo("t")) ?? TableDefinition(name: "t")
        _ = try? connection.tableNames()
        _ = try? connection.schemaDefinition()
        let other = TableDefinition(
            name: "t", columns: [ColumnDefinition(name: "a", type: "TEXT"), ColumnDefinition(name: "z", type: "INT")])
        for tables in [[info], [other], []] {
            let plan = try? connection.plan(toMatch: tables)
            _ = plan?.description
            _ = plan?.losses
            _ = try? plan?.dryRun(allowing: [.tables, .columns, .conversions])
            _ = info.changes(to: other)
        }
        let migration = Schema("s") { Version(1) { AlterTable("t") { ChangeColumn("b", to: String?.self) } } }
        _ = try? migration.status(of: connection)
        _ = try? migration.verify()
        _ = try? migration.dryRun(connection)
        _ = try? connection.foreignKeyCheck()
        _ = try? connection.explainQueryPlan("SELECT * FROM t")
        #expect(try schema(connection, spy) == before, "\(definition)")
        try expectHarmless(connection, spy, definition)
    }

    /// Each way of changing the table, in a file of its own. It may be refused.
    @Test(arguments: definitions, [true, false])
    func migratingRunsNothing(_ definition: String, deterministic: Bool) throws {
        let steps: [any AlterTableStep] = [
            ChangeColumn("b", to: String?.self), AddColumn("z", Int.self, fillingWith: "1"), AddColumn("z", Int?.self),
            DropColumn("b"), RenameColumn("b", to: "z"),
        ]
        for step in steps {
            let spy = Spy()
            let connection = try open(definition, spy, deterministic: deterministic)
            _ = try? Schema("s") { Version(1) { AlterTable("t") { step } } }.migrate(connection)
            try expectHarmless(connection, spy, definition)
        }
        let definitionOfProgram = TableDefinition(
            name: "t", columns: [ColumnDefinition(name: "a", type: ""), ColumnDefinition(name: "z", type: "INT")])
        for allowed in [[], [.columns], [.tables, .columns, .conversions]] as [AllowedLosses] {
            let spy = Spy()
            let connection = try open(definition, spy, deterministic: deterministic)
            _ = try? connection.plan(toMatch: [definitionOfProgram]).apply(allowing: allowed)
            try expectHarmless(connection, spy, definition)
        }
        let spy = Spy()
        let connection = try open(definition, spy, deterministic: deterministic)
        _ = try? connection.sync([definitionOfProgram], preserve: false)
        _ = try? Schema("s") { Version(1) { DropTable("t") } }.migrate(connection)
        try expectHarmless(connection, spy, definition)
    }

    /// The function is in reach: without the settings for strangers' files, it is called.
    @Test func aTrustedFileCallsTheFunction() throws {
        let spy = Spy()
        let connection = try Connection(":memory:", configuration: .sqlite)
        try spy.watch(connection)
        try connection.execute(SQL(raw: Self.definitions[0]))
        try connection.run("INSERT INTO t VALUES(1, 'b')")
        #expect(spy.calls == 1)
    }
}

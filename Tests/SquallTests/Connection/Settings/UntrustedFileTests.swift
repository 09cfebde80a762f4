import Foundation
import Squall
import SquallTestSupport
import Testing

/// What `Configuration.untrusted` and the schema's history make of files whose bytes were edited.
struct UntrustedFileTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Makes a file with one table, edits its bytes, and returns its path.
    private func file(_ script: SQL = "", edit: (inout Data) -> Void) throws -> String {
        let path = directory.file("\(UUID()).db")
        let connection = try Connection(path, configuration: .sqlite)
        try connection.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 'one')")
        try connection.execute(script)
        connection.close()
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        edit(&data)
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }

    private static let schema = Schema("s") {
        Version(1) { CreateTable("made") { ColumnDef("a", Int.self) } }
        Version(2) { AlterTable("t") { AddColumn("c", Int?.self) } }
    }

    @Test func aDefensiveConnectionKeepsTheSchemaAndTheJournal() throws {
        let path = try file { _ in }
        let connection = try Connection(path, mode: .existing, configuration: .untrusted)
        try connection.run("PRAGMA writable_schema = ON")
        let error = try sqliteError { try connection.run("UPDATE sqlite_schema SET sql = 'CREATE TABLE t(x)'") }
        #expect(error.message == "table sqlite_master may not be modified")
        #expect(try connection.query("PRAGMA journal_mode = OFF") == "delete")
    }

    /// SQLite 3.40 calls a function that is not deterministic from every CHECK constraint, also in its check of the file. SQLite 3.53 does
    /// not read such a schema.
    @Test(arguments: ["CREATE TABLE u(a CHECK (spy(a)))", "CREATE TABLE u(a, CHECK (spy(a) > 0))"])
    func checkConstraintsCallNoFunction(_ definition: String) throws {
        let path = try file { _ in }
        let maker = try Connection(path, configuration: .sqlite)
        try maker.addFunction("spy", directOnly: false) { (value: BindingValue) in 1 }
        try maker.execute("\(raw: definition); INSERT INTO u(a) VALUES(1)")
        maker.close()
        for mode in [Connection.Mode.immutable, .existing] {
            let connection = try Connection(path, mode: mode, configuration: .untrusted)
            var calls = 0
            try connection.addFunction("spy") { (value: BindingValue) in
                calls += 1
                return 1
            }
            // A connection to an immutable file has read the schema when it was opened, before the function was added.
            if SQLiteFeatures.refusesFunctionsInChecks, mode == .existing {
                let error = try sqliteError { _ = try connection.quickCheck() }
                #expect(error.message == "malformed database schema (u) - unsafe use of spy()")
                #expect(error.hint?.contains("innocuous") == true)
                #expect(calls == 0)
                let other = try Connection(path, mode: mode, configuration: .untrusted)
                #expect(try other.query("SELECT a FROM u") == 1)
                continue
            }
            #expect(try connection.quickCheck() == [])
            #expect(try connection.integrityCheck() == [])
            #expect(try connection.query("SELECT a FROM u") == 1)
            if mode == .existing {
                try connection.run("INSERT INTO u(a) VALUES(2)")
                try connection.run("UPDATE u SET a = 3")
                _ = try connection.plan(toMatch: [])
                _ = try? Schema("s") { Version(1) { AlterTable("u") { ChangeColumn("a", to: Int?.self) } } }.migrate(
                    connection)
            }
            #expect(calls == 0)
        }
    }

    /// The format of the header's number 4 is the newest one.
    @Test func aSchemaFormatOfTheFutureIsAnError() throws {
        let path = try file { $0[47] = 5 }
        let connection = try Connection(path, mode: .existing, configuration: .untrusted)
        for verb: () throws -> Void in [
            { _ = try connection.tableInfo("t") }, { _ = try connection.tableNames() },
            { _ = try connection.plan(toMatch: []) }, { try Self.schema.migrate(connection) },
            { _ = try Self.schema.dryRun(connection) },
        ] {
            #expect(try sqliteError(verb).message == "unsupported file format")
        }
    }

    @Test func aFileThatOnlyLaterVersionsMayWriteIsReadOnly() throws {
        let path = try file { $0[18] = 3 }
        let connection = try Connection(path, mode: .existing, configuration: .untrusted)
        #expect(try connection.query("SELECT b FROM t") == "one")
        #expect(try sqliteError { try connection.run("DELETE FROM t") }.resultCode == .readOnly)
        #expect(throws: SQLiteError.self) { try Self.schema.migrate(connection) }
    }

    @Test(arguments: [Int32.max, 3]) func aVersionOfTheFutureInTheHeaderIsAnError(_ version: Int32) throws {
        let path = try file { $0.replaceSubrange(60..<64, with: withUnsafeBytes(of: version.bigEndian) { Array($0) }) }
        let connection = try Connection(path, mode: .existing, configuration: .untrusted)
        let newer = SchemaError.newerFile(version: Int(version), latest: 2)
        #expect(throws: newer) { try Self.schema.migrate(connection) }
        #expect(throws: newer) { try Self.schema.dryRun(connection) }
        #expect(try connection.tableNames() == ["t"])
    }

    /// No version is negative. Such a file is not taken for one before version 1.
    @Test(arguments: [Int32.min, -1]) func aNegativeVersionInTheHeaderIsAnError(_ version: Int32) throws {
        let path = try file { $0.replaceSubrange(60..<64, with: withUnsafeBytes(of: version.bigEndian) { Array($0) }) }
        let connection = try Connection(path, mode: .existing, configuration: .untrusted)
        _ = try? Self.schema.dryRun(connection)
        #expect(throws: SchemaError.self) { try Self.schema.migrate(connection) }
        #expect(try connection.tableNames() == ["t"])
    }

    /// The history of the file is a table of the file, with any values in it.
    @Test(arguments: [
        "9223372036854775807", "-9223372036854775808", "-1", "1.5", "'two'", "x'00'", "NULL", "2, 'x', x'ff'",
        "3, 7, 7",
    ])
    func aHistoryWithOddValuesIsATypedError(_ values: String) throws {
        let columns = values.contains(",") ? values : "\(values), 'checksum', 'date'"
        let path = try file(
            """
            CREATE TABLE squall_versions(schema TEXT, version INTEGER, checksum TEXT, applied_at TEXT, PRIMARY KEY(schema, version));
            INSERT INTO squall_versions VALUES('s', \(raw: columns));
            """
        ) { _ in }
        let connection = try Connection(path, mode: .existing, configuration: .untrusted)
        for verb: () throws -> Void in [
            { _ = try Self.schema.status(of: connection) }, { try Self.schema.migrate(connection) },
            { _ = try Self.schema.dryRun(connection) }, { try Self.schema.migrate(connection, to: 0) },
        ] {
            do { try verb() } catch {
                #expect(error is SchemaError || error is SQLiteError || error is ConversionError, "\(error)")
            }
            #expect(!connection.isInTransaction)
        }
    }

    /// A row of the schema whose name, table or SQL is not a text.
    @Test(arguments: ["name", "tbl_name", "sql", "type", "rootpage"]) func aSchemaWithOddValuesIsATypedError(
        _ column: String
    ) throws {
        for value in ["NULL", "7", "x'00ff'", "'a' || char(0) || 'b'", "CAST(x'61ff' AS TEXT)", "''"] {
            let path = try file(
                """
                CREATE VIEW v AS SELECT a FROM t; CREATE INDEX i ON t(a); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET \(raw: column) = \(raw: value) WHERE name <> 't';
                """
            ) { _ in }
            let connection = try Connection(path, mode: .existing, configuration: .untrusted)
            for verb: () throws -> Void in [
                { _ = try connection.schemaDefinition() }, { _ = try connection.tableInfo("t") },
                { _ = try connection.plan(toMatch: []).description }, { try Self.schema.migrate(connection) },
            ] {
                do { try verb() } catch {
                    #expect(error is SchemaError || error is SQLiteError || error is ConversionError, "\(error)")
                }
                #expect(!connection.isInTransaction)
            }
        }
    }
}

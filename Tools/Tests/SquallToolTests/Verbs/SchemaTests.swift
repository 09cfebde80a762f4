import Foundation
import Squall
import Testing

@Suite struct SchemaTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func statementsArePrintedAsTheyWereWritten() async throws {
        let path = try directory.database(
            """
            CREATE TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT, -- the key
                b UNIQUE);
            CREATE INDEX i ON t(b);
            CREATE VIEW v AS SELECT a FROM t -- without a semicolon
            ;
            CREATE VIRTUAL TABLE f USING fts5(b);
            INSERT INTO t VALUES(1, 2);
            ANALYZE
            """
        )
        try await expect(
            Tool.run("schema", path),
            prints: """
                CREATE TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT, -- the key
                    b UNIQUE);
                CREATE INDEX i ON t(b);
                CREATE VIEW v AS SELECT a FROM t -- without a semicolon
                ;
                CREATE VIRTUAL TABLE f USING fts5(b);

                """
        )
    }

    @Test(arguments: SampleSchema.allCases)
    func statementsMakeTheSameSchemaAgain(schema: SampleSchema) async throws {
        let path = try directory.database(schema)
        let outcome = try await Tool.run("schema", path)
        #expect(outcome.error == "" && outcome.exitCode == 0)
        let copy = try directory.database(SQL(raw: outcome.output), name: "copy.db")
        let (original, again) = (try Connection(path, mode: .readOnly), try Connection(copy, mode: .readOnly))
        #expect(try original.schemaDefinition() == again.schemaDefinition())
    }

    @Test func aTableHasItsIndexesAndTriggers() async throws {
        let path = try directory.database(
            """
            CREATE TABLE "my table"(a); CREATE TABLE u(a); CREATE INDEX i ON "my table"(a); CREATE INDEX j ON u(a);
            CREATE TRIGGER g AFTER INSERT ON "My Table" BEGIN SELECT 1; END
            """
        )
        try await expect(
            Tool.run("schema", path, "MY TABLE"),
            prints: """
                CREATE TABLE "my table"(a);
                CREATE INDEX i ON "my table"(a);
                CREATE TRIGGER g AFTER INSERT ON "My Table" BEGIN SELECT 1; END;

                """
        )
        for verb in ["schema", "describe"] {
            try await expect(
                Tool.run(verb, path, "none"),
                fails: "error: \(path): no such table: none (SQLITE_ERROR)\nhint: 'squall tables' lists them\n",
                exitCode: 2
            )
        }
    }

    @Test func filesThatCannotBeReadAreErrors() async throws {
        let text = try directory.file("text.db", String(repeating: "This is no database. ", count: 100))
        for verb in ["tables", "schema", "describe", "size", "check", "doctor"] {
            let foreign = try await Tool.run(verb, text)
            #expect(foreign.output == "" && foreign.exitCode == 65)
            #expect(foreign.error.hasPrefix("error: \(text): file is not a database (SQLITE_NOTADB)\n"))
            let none = directory.path("none.db")
            try await expect(
                Tool.run(verb, none), fails: "error: cannot open '\(none)': No such file or directory\n", exitCode: 66
            )
        }
        #expect(try directory.files() == ["text.db"])
    }

    @Test func aLockedDatabaseIsATemporaryFailure() async throws {
        let path = try directory.database("CREATE TABLE t(a)")
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.execute("BEGIN EXCLUSIVE")
        for verb in ["tables", "schema", "describe", "size", "check", "doctor"] {
            try await expect(
                Tool.run(verb, path, "--timeout", "0"),
                fails: "error: \(path): database is locked (SQLITE_BUSY)\n", exitCode: 75
            )
        }
        try connection.execute("ROLLBACK")
    }

    #if os(Linux)
        @Test func aFullDiskIsAnInputOutputError() async throws {
            let path = try directory.database("CREATE TABLE t(a)")
            for verb in ["tables", "schema", "describe", "size", "check", "doctor"] {
                try await expect(
                    Tool.shell("\"$SQUALL\" \(verb) \"$1\" > /dev/full", [path]),
                    fails: "error: cannot write to standard output: No space left on device\n", exitCode: 74
                )
            }
        }
    #endif
}

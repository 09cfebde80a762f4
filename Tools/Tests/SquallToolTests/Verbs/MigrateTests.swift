import Foundation
import Squall
import Testing

@Suite struct MigrateTests {
    let directory: TemporaryDirectory
    let database: String
    let folder: String

    init() throws {
        directory = try TemporaryDirectory()
        database = directory.path("app.db")
        folder = directory.path("Migrations")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write("001_cars.sql", "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT);\n")
        try write("002_names.sql", "INSERT INTO cars VALUES(1, 'Audi');\nCREATE INDEX cars_name ON cars(name);\n")
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }

    private func migrate(_ verb: String, _ arguments: String...) async throws -> Outcome {
        try await Tool.shell("\"$SQUALL\" migrate \"$@\"", [verb, database, folder] + arguments)
    }

    private func names() throws -> [String] {
        try Connection(database, mode: .readOnly).query("SELECT name FROM cars")
    }

    @Test func upRunsWhatIsPending() async throws {
        try await expect(migrate("up", "--to", "1"), prints: "\(database): version 0 → 1\n")
        #expect(try names() == [])
        try await expect(migrate("up"), prints: "\(database): version 1 → 2\n")
        #expect(try names() == ["Audi"])
        try await expect(migrate("up"), prints: "\(database) has version 2\n")
        let connection = try Connection(database, mode: .readOnly)
        #expect(try connection.query("SELECT group_concat(schema || version) FROM squall_versions") == "main1,main2")
    }

    @Test func anErrorAtRunTimeHasTheLineOfItsStatement() async throws {
        try write("003_more.sql", "-- more\nINSERT INTO cars VALUES(2, 'BMW');\n\nINSERT INTO cars\nVALUES(2, 'VW');\n")
        let outcome = try await migrate("up")
        #expect(
            outcome.error.hasPrefix(
                "error: \(database): UNIQUE constraint failed: cars.id (version 3, 003_more.sql:4:1)"),
            "\(outcome)")
        #expect(outcome.exitCode == 2 && outcome.output == "")
        try write("003_more.sql", "CREATE TABLE u(a UNIQUE ON CONFLICT ROLLBACK);\nINSERT INTO u VALUES(1), (1);\n")
        let rolledBack = try await migrate("up")
        #expect(
            rolledBack.error.contains("UNIQUE constraint failed: u.a (version 3, 003_more.sql:2:1)"), "\(rolledBack)")
        #expect(
            rolledBack.error.hasSuffix(
                "\nhint: the statement itself rolled the version back: ON CONFLICT ROLLBACK, or RAISE(ROLLBACK) in a trigger\n"
            ))
        #expect(try names() == ["Audi"])
    }

    @Test func anEndingInUpperCaseIsAVersion() async throws {
        try write("003_more.SQL", "INSERT INTO cars VALUES(2, 'BMW');\n")
        try await expect(migrate("up"), prints: "\(database): version 0 → 3\n")
        #expect(try names() == ["Audi", "BMW"])
    }

    @Test func statusListsEachVersion() async throws {
        try await expect(
            migrate("status", "--format", "csv"),
            fails: "error: cannot open '\(database)': No such file or directory\n",
            exitCode: 66
        )
        _ = try await migrate("up", "--to", "1")
        let pending = try await migrate("status", "--format", "csv")
        #expect(pending.exitCode == 1 && pending.error == "")
        #expect(
            pending.output.replacing(/20\d\d-[-0-9:.T]+/, with: "DATE") == """
                version,file,state,applied
                1,001_cars.sql,applied,DATE
                2,002_names.sql,pending,

                """)
        _ = try await migrate("up")
        #expect(try await migrate("status").exitCode == 0)
        try write("001_cars.sql", "CREATE TABLE cars(id);\n")
        try FileManager.default.removeItem(atPath: "\(folder)/002_names.sql")
        let edited = try await migrate("status", "--format", "csv")
        #expect(edited.output.contains("1,001_cars.sql,edited,") && edited.output.contains("\n2,,unknown,"))
        #expect(edited.exitCode == 1)
    }

    @Test func anEditedFileEndsTheMigration() async throws {
        _ = try await migrate("up", "--to", "1")
        try write("001_cars.sql", "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL);\n")
        try await expect(
            migrate("up"),
            fails: """
                error: \(database): versions that the file has already run were edited: 1
                hint: undo the edits, or go on in spite of them with 'squall migrate up --ignore-edits'

                """,
            exitCode: 2
        )
        try await expect(migrate("up", "--ignore-edits"), prints: "\(database): version 1 → 2\n")
    }

    @Test func aSkippedVersionRunsOnRequest() async throws {
        try write("004_last.sql", "CREATE TABLE last(id);\n")
        _ = try await migrate("up")
        try write("003_late.sql", "CREATE TABLE late(id);\n")
        try await expect(
            migrate("up"),
            fails: """
                error: \(database): the file has a later version, but never ran version 3
                hint: give the added versions higher numbers, or run them with 'squall migrate up --run-skipped'

                """,
            exitCode: 2
        )
        try await expect(migrate("up", "--run-skipped"), prints: "\(database) has version 4\n")
        #expect(try Connection(database, mode: .readOnly).tableNames() == ["cars", "last", "late", "squall_versions"])
    }

    @Test func aFailureNamesTheFileAndTheLine() async throws {
        try write("003_bad.sql", "CREATE TABLE half(id);\nINSERT INTO cars\nSELECT nmae FROM cars;\n")
        try await expect(
            migrate("up"),
            fails: """
                error: \(database): no such column: nmae (version 3, 003_bad.sql:3:8) (SQLITE_ERROR)
                  SELECT nmae FROM cars;
                         ^

                """,
            exitCode: 2
        )
        #expect(try Connection(database, mode: .readOnly).tableNames() == ["cars", "squall_versions"])
        #expect(try names() == ["Audi"], "the versions before it stay")
    }

    @Test func aDryRunPrintsTheSQLAndChangesNothing() async throws {
        let printed = try await migrate("up", "--dry-run")
        #expect(printed.error == "" && printed.exitCode == 0)
        #expect(printed.output.contains("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT);\n"))
        #expect(!FileManager.default.fileExists(atPath: database))
        _ = try await migrate("up", "--to", "1")
        let before = try Data(contentsOf: URL(fileURLWithPath: database))
        let second = try await migrate("up", "--dry-run")
        #expect(second.output.contains("CREATE INDEX") && !second.output.contains("CREATE TABLE cars"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
        try await expect(migrate("up", "--to", "2"), prints: "\(database): version 1 → 2\n")
        try await expect(migrate("up", "--dry-run"))
    }

    @Test func aBackupIsMadeFirst() async throws {
        _ = try await migrate("up", "--to", "1")
        let copy = directory.path("before.db")
        try await expect(migrate("up", "--backup", copy), prints: "\(database): version 1 → 2\n")
        #expect(try Connection(copy, mode: .readOnly).userVersion == 1)
        try await expect(
            migrate("up", "--backup", copy), fails: "error: '\(copy)' exists already\n", exitCode: 73
        )
    }

    @Test func rowsKeepTheirReferencesWhenATableIsRebuilt() async throws {
        try write(
            "003_owners.sql",
            "CREATE TABLE owners(car REFERENCES cars(id) ON DELETE CASCADE); INSERT INTO owners VALUES(1);")
        let rebuild =
            "CREATE TABLE n(id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO n SELECT * FROM cars WHERE @;"
            + "DROP TABLE cars; ALTER TABLE n RENAME TO cars;"
        try write("004_rebuild.sql", rebuild.replacing("@", with: "1"))
        try await expect(migrate("up"), prints: "\(database): version 0 → 4\n")
        #expect(try Connection(database, mode: .readOnly).query("SELECT count(*) FROM owners") == 1)
        try write("005_lost.sql", rebuild.replacing("@", with: "0"))
        let refused = try await migrate("up")
        #expect(refused.exitCode == 2 && refused.error.contains("foreign keys are violated: 1 row of \"owners\""))
        #expect(try names() == ["Audi"])
    }

    @Test func newMakesTheNextFile() async throws {
        let outcome = try await Tool.run("migrate", "new", folder, "Add owners & visits!")
        expect(outcome, prints: "\(folder)/003_add_owners_visits.sql\n")
        #expect(
            try String(contentsOfFile: "\(folder)/003_add_owners_visits.sql", encoding: .utf8)
                == "-- Add owners & visits!\n")
        let fresh = directory.path("a/b")
        try await expect(Tool.run("migrate", "new", fresh, "Größe"), prints: "\(fresh)/001_größe.sql\n")
        try await expect(
            Tool.run("migrate", "new", "/dev/null/x", "a"), fails: "error: cannot create the folder '/dev/null/x'\n",
            exitCode: 73
        )
    }

    @Test func verifyComparesTheDatabaseWithTheFiles() async throws {
        _ = try await migrate("up")
        try await expect(migrate("verify"), prints: "\(database) has the schema of \(folder)\n")
        let connection = try Connection(database)
        try connection.execute("DROP INDEX cars_name; CREATE TABLE extra(a); ALTER TABLE cars ADD COLUMN price")
        try await expect(
            migrate("verify"),
            prints: """
                the table "cars" differs:
                  database  CREATE TABLE "cars"("id" INTEGER PRIMARY KEY, "name" TEXT, "price")
                  versions  CREATE TABLE "cars"("id" INTEGER PRIMARY KEY, "name" TEXT)
                the table "extra" is in the database, and not in the versions

                """,
            exitCode: 1
        )
        connection.close()
        try write("003_bad.sql", "SELECT a FROM nowhere;")
        try await expect(
            migrate("verify"), prints: "version 3, 003_bad.sql: no such table: nowhere\n", exitCode: 1
        )
    }

    /// A checkout with other line ends, and another layout.
    @Test func verifyIgnoresTheLayoutOfViewsAndTriggers() async throws {
        let view = "CREATE VIEW seen AS\nSELECT id\nFROM cars;\n"
        let trigger = "CREATE TRIGGER g AFTER INSERT ON cars\nBEGIN\n  SELECT 1;\nEND;\n"
        let other = "CREATE TRIGGER h INSTEAD OF INSERT ON seen\nBEGIN\n  SELECT 1;\nEND;\n"
        try write("003_objects.sql", (view + trigger + other).replacingOccurrences(of: "\n", with: "\r\n"))
        _ = try await migrate("up")
        for text in [
            view + trigger + other, (view + trigger + other).replacingOccurrences(of: "SELECT", with: "select"),
        ] {
            try write("003_objects.sql", text)
            let outcome = try await migrate("verify")
            // The checksum may differ, and the schema does not.
            #expect(!outcome.output.contains("differ:") && !outcome.output.contains("triggers of"), "\(outcome)")
        }
        let connection = try Connection(database)
        try connection.execute("DROP TRIGGER h; CREATE TRIGGER h INSTEAD OF INSERT ON seen BEGIN SELECT 2; END")
        connection.close()
        let outcome = try await migrate("verify")
        #expect(outcome.exitCode == 1)
    }

    @Test func versionsAreTimestamps() async throws {
        try write("20260101120000_prices.sql", "ALTER TABLE cars ADD COLUMN price;\n")
        try await expect(migrate("up"), prints: "\(database): version 0 → 20260101120000\n")
        try await expect(migrate("up"), prints: "\(database) has version 20260101120000\n")
        try await expect(migrate("verify"), prints: "\(database) has the schema of \(folder)\n")
        try await expect(
            Tool.run("migrate", "new", folder, "more"), prints: "\(folder)/20260101120001_more.sql\n")
    }

    @Test func aDatabaseThatIsBehindIsComparedWithItsOwnVersion() async throws {
        _ = try await migrate("up", "--to", "1")
        try await expect(migrate("verify"), prints: "\(database) has the schema of \(folder)\n")
    }

    @Test func foldersThatCannotBeUsedAreErrors() async throws {
        let missing = directory.path("none")
        try await expect(
            Tool.run("migrate", "up", database, missing),
            fails: "error: cannot open '\(missing)': No such file or directory\n", exitCode: 66
        )
        try write("notes.sql", "SELECT 1")
        try await expect(
            migrate("up"),
            fails:
                "error: \(folder): the name of notes.sql does not begin with the number of its version, as in 001_cars.sql\n",
            exitCode: 65
        )
        #expect(!FileManager.default.fileExists(atPath: database))
    }

    @Test func filesThatAreNoDatabaseAreErrors() async throws {
        let text = try directory.file("text.db", String(repeating: "not a database. ", count: 100))
        let outcome = try await Tool.run("migrate", "up", text, folder)
        #expect(outcome.exitCode == 65 && outcome.error.hasPrefix("error: \(text): file is not a database"))
    }

    @Test func aLockedDatabaseIsATemporaryFailure() async throws {
        let connection = try Connection(storageLocation: .onDisk(database))
        try connection.execute("CREATE TABLE t(a); BEGIN EXCLUSIVE")
        let outcome = try await migrate("up", "--timeout", "0")
        #expect(outcome.exitCode == 75 && outcome.error.hasPrefix("error: \(database): "))
        try connection.execute("ROLLBACK")
    }

    @Test func eachErrorIsOnALine() async throws {
        try write("002_more.sql", "SELECT 1;")
        try write("notes.sql", "SELECT 1;")
        try await expect(
            migrate("up"),
            fails: """
                error: \(folder): 002_more.sql and 002_names.sql have the same number
                  the name of notes.sql does not begin with the number of its version, as in 001_cars.sql

                """,
            exitCode: 65
        )
    }

    @Test func namesInTwoUnicodeFormsAreTwoTables() async throws {
        try write("003_two.sql", "CREATE TABLE \"\u{E9}\"(a); CREATE TABLE \"e\u{301}\"(a, b);")
        _ = try await migrate("up")
        try await expect(migrate("verify"), prints: "\(database) has the schema of \(folder)\n")
        try Connection(database, mode: .existing).run("DROP TABLE \"e\u{301}\"")
        let outcome = try await migrate("verify")
        #expect(outcome.output == "the table \"e\u{301}\" is in the versions, and not in the database\n")
        #expect(outcome.exitCode == 1)
    }

    @Test func aBackupInMemoryIsRefused() async throws {
        try await expect(
            migrate("up", "--backup", ":memory:"), fails: "error: the backup ':memory:' is not a file\n", exitCode: 73)
    }

    #if os(Linux)
        @Test(.enabled("needs util-linux") { FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid") })
        func aTerminalGetsNoEscapeSequencesOfFiles() async throws {
            try write("003_\u{1B}[31mred.sql", "CREATE TABLE \"\u{1B}[32mgreen\"(\n\ta);")
            for flags in [["--dry-run"], []] {
                let terminal = try Pseudoterminal(["migrate", "up", database, folder] + flags)
                let (rest, exitCode) = try await terminal.finish()
                #expect(!rest.contains("\u{1B}[31m") && !rest.contains("\u{1B}[32m"))
                #expect(flags == [] || rest.contains("CREATE TABLE \"\\u{1B}[32mgreen\"(\r\n\ta);"))
                #expect(exitCode == 0)
            }
        }
    #endif

    @Test func versionZeroIsNotATarget() async throws {
        #expect(try await migrate("up", "--to", "0").exitCode == 64)
    }
}

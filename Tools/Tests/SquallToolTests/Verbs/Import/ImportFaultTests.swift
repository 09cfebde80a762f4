import Foundation
import Squall
import Testing

@Suite struct ImportFaultTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var database: String { directory.path("test.db") }

    @Test func aMissingFileLeavesNoDatabase() async throws {
        let path = directory.path("none.csv")
        try await expect(
            Tool.run("import", database, path), fails: "error: cannot open '\(path)': No such file or directory\n",
            exitCode: 66
        )
        let folder = directory.url.path
        try await expect(
            Tool.run("import", database, folder, "--table", "t", "--format", "csv"),
            fails: "error: '\(folder)' is a directory\n", exitCode: 65
        )
        #expect(try directory.files() == [])
    }

    @Test func aNULInANameIsAFaultOfTheFile() async throws {
        let csv = try directory.file("t.csv", "a\0b\n1\n")
        let hint = "hint: give all columns other names with --columns\n"
        try await expect(
            Tool.run("import", database, csv),
            fails: "error: \(csv), line 1: a name in the header has a NUL character\n" + hint, exitCode: 65)
        let json = try directory.file("t.json", "[{\"a\\u0000b\": 1}]")
        try await expect(
            Tool.run("import", database, json), fails: "error: \(json), line 1: a key has a NUL character\n",
            exitCode: 65)
        try await expect(Tool.run("import", database, csv, "--columns", "a"), prints: "1 row into t\n")
    }

    #if os(Linux)
        @Test(.enabled("needs util-linux") { FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid") })
        func aTerminalGetsNoEscapeSequencesOfAHeader() async throws {
            let csv = try directory.file("t.csv", "a\u{1B}[31mb\n1\n")
            let terminal = try Pseudoterminal(["import", database, csv, "--dry-run"])
            let (rest, exitCode) = try await terminal.finish()
            #expect(rest.contains("CREATE TABLE \"t\"(\r\n  \"a\\u{1B}[31mb\" INTEGER\r\n);\r\n"))
            #expect(!rest.contains("\u{1B}[31m") && exitCode == 0)
        }
    #endif

    @Test func aLockedDatabaseIsATemporaryFailure() async throws {
        let csv = try directory.file("t.csv", "a\n1\n")
        let connection = try Connection(storageLocation: .onDisk(directory.database("CREATE TABLE t(a)")))
        try connection.execute("BEGIN IMMEDIATE")
        try await expect(
            Tool.run("import", database, csv, "--timeout", "0"),
            fails: "error: \(database): database is locked (SQLITE_BUSY)\n", exitCode: 75
        )
        try connection.execute("ROLLBACK")
    }

    @Test func aFileThatIsNoDatabaseIsNotTouched() async throws {
        let csv = try directory.file("t.csv", "a\n1\n")
        let text = String(repeating: "This is no database. ", count: 100)
        let path = try directory.file("text.db", text)
        let outcome = try await Tool.run("import", path, csv)
        #expect(outcome.output == "" && outcome.exitCode == 65)
        #expect(outcome.error.hasPrefix("error: \(path): file is not a database (SQLITE_NOTADB)\n"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func aFolderThatDoesNotExistIsNotMade() async throws {
        let csv = try directory.file("t.csv", "a\n1\n")
        let path = directory.path("none/test.db")
        let outcome = try await Tool.run("import", path, csv)
        #expect(outcome.output == "" && outcome.exitCode == 73 && outcome.error.contains("SQLITE_CANTOPEN"))
        try await expect(
            Tool.run("import", database, csv, "--reject", directory.path("none/bad.csv")),
            fails: "error: cannot create '\(directory.path("none/bad.csv"))': No such file or directory\n", exitCode: 73
        )
        #expect(try directory.files() == ["t.csv"])
    }

    #if os(Linux)
        @Test func aFullDiskEndsTheImport() async throws {
            let csv = try directory.file("t.csv", "a\n1\nx,y\n")
            try await expect(
                Tool.run("import", database, csv, "--reject", "/dev/full"),
                fails: "error: cannot write to '/dev/full': No space left on device\n", exitCode: 74
            )
            #expect(try directory.files() == ["t.csv"])
            let good = try directory.file("good.csv", "a\n1\n")
            try await expect(
                Tool.shell("\"$SQUALL\" import \"$1\" \"$2\" > /dev/full", [database, good]),
                fails: "error: cannot write to standard output: No space left on device\n", exitCode: 74
            )
        }

        @Test func aFullDatabaseIsAsItWasBefore() async throws {
            _ = try directory.database("CREATE TABLE t(a)")
            let rows = (0..<100_000).map { "row \($0) with a text of some length\n" }.joined()
            let csv = try directory.file("t.csv", "a\n" + rows)
            // Writing beyond the limit fails, as it does on a full disk.
            let outcome = try await Tool.shell(
                "trap '' XFSZ; ulimit -f 500; \"$SQUALL\" import \"$1\" \"$2\"", [database, csv])
            #expect(outcome.output == "" && outcome.exitCode == 74)
            #expect(outcome.error.hasPrefix("error: \(database): "))
            #expect(try directory.literals("SELECT count(*) FROM t") == ["0"])
            #expect(try directory.files() == ["t.csv", "test.db"])
        }
    #endif

    @Test(arguments: [
        (["t.txt"], "The format of 't.txt' is not known: give --format csv, tsv, json or ndjson."),
        (["-", "--table", "t"], "The format of standard input is not known: give --format csv, tsv, json or ndjson."),
        (["-", "--format", "csv"], "Name the table with --table."),
        (["t.csv", "--ignore", "--upsert"], "Only one of --upsert, --ignore and --replace can be given."),
        (["t.json", "--null", "NA"], "--null is for CSV and TSV."),
        (
            ["t.csv", "--delimiter", "ab"],
            "The value 'ab' is invalid for '--delimiter <character>': it must be one ASCII character, and neither a quote nor a line end"
        ),
        (["t.csv", "--columns", "a,,b"], "The value 'a,,b' is invalid for '--columns <names>': a name is empty"),
        (["t.csv", "--type", "a=number"], "The value 'a=number' is invalid for '--type <column=type>'"),
    ])
    func wrongUsageIsExplained(arguments: [String], message: String) async throws {
        let outcome = try await Tool.shell("\"$SQUALL\" import \"$@\"", [database] + arguments)
        #expect(outcome.output == "" && outcome.exitCode == 64)
        #expect(outcome.error.hasPrefix("Error: \(message)\n"), "\(outcome.error)")
    }

    @Test func aFileOfRejectsDoesNotOverwriteTheOthers() async throws {
        let csv = try directory.file("t.csv", "a\n1\n")
        _ = try directory.database("CREATE TABLE t(a)")
        for path in [csv, database] {
            let outcome = try await Tool.run("import", database, csv, "--reject", path)
            #expect(outcome.output == "" && outcome.exitCode == 64)
            #expect(outcome.error.hasPrefix("Error: --reject would overwrite '\(path)'.\n"))
        }
        #expect(try String(contentsOfFile: csv, encoding: .utf8) == "a\n1\n")
    }

    @Test func anInterruptLeavesNothing() async throws {
        _ = try directory.database("CREATE TABLE t(a)")
        let process = Tool.process(Tool.executable, ["import", database, "-", "--table", "t", "--format", "csv"], [:])
        let (input, output, error) = (Pipe(), Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, error)
        let (ends, end) = AsyncStream.makeStream(of: Process.TerminationReason.self)
        process.terminationHandler = { end.yield($0.terminationReason) }
        try Tool.start(process)
        // Once a pipe has taken more than it can hold, the import has read some rows and waits for others.
        try input.fileHandleForWriting.write(
            contentsOf: Data(("a\n" + String(repeating: "1\n", count: 1_000_000)).utf8))
        process.interrupt()
        try? input.fileHandleForWriting.write(contentsOf: Data(String(repeating: "1\n", count: 1000).utf8))
        try? input.fileHandleForWriting.close()
        // A shell reports this signal as 130.
        #expect(await ends.first { _ in true } == .uncaughtSignal && process.terminationStatus == SIGINT)
        #expect(try error.fileHandleForReading.readToEnd() == Data("interrupted: nothing was imported\n".utf8))
        #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
        #expect(try directory.literals("SELECT count(*) FROM t") == ["0"])
    }

    #if os(Linux)
        @Test(.enabled("needs util-linux") { FileManager.default.isExecutableFile(atPath: "/usr/bin/script") })
        func aTerminalShowsTheProgress() async throws {
            let csv = try directory.file("t.csv", "a\n" + String(repeating: "1\n", count: 10_000))
            let outcome = try await Tool.shell(
                "COLUMNS=80 /usr/bin/script -qec \"'$SQUALL' import '$1' '$2'\" /dev/null", [database, csv]
            )
            #expect(outcome.exitCode == 0)
            #expect(outcome.output.contains("reading types  ") && outcome.output.contains("importing  "))
            #expect(outcome.output.contains("256 rows") && outcome.output.hasSuffix("\r\u{1B}[K10000 rows into t\r\n"))
        }
    #endif
}

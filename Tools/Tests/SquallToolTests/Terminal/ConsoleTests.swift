import Foundation
import Testing

@Suite struct ConsoleTests {
    private static let endless = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    private static let sql = "SELECT NULL AS a, 'NULL' AS b"
    private static let plain = " a    │ b\n──────┼────────\n NULL │ 'NULL'\n1 row\n"
    private static let coloured =
        " \u{1B}[1ma\u{1B}[0m   \u{1B}[2m │ \u{1B}[0m\u{1B}[1mb\u{1B}[0m\n\u{1B}[2m──────┼────────\u{1B}[0m\n"
        + " \u{1B}[2mNULL\u{1B}[0m\u{1B}[2m │ \u{1B}[0m'NULL'\n\u{1B}[2m1 row\u{1B}[0m\n"

    @Test(arguments: [
        ([:], false), (["NO_COLOR": "1"], false), (["FORCE_COLOR": "0"], false), (["FORCE_COLOR": "1"], true),
        (["FORCE_COLOR": "1", "NO_COLOR": "1"], true),
    ])
    func aPipeHasNoColoursUnlessForced(environment: [String: String], isColoured: Bool) async throws {
        let outcome = try await Tool.run("query", ":memory:", Self.sql, environment: environment)
        expect(outcome, prints: isColoured ? Self.coloured : Self.plain)
    }

    #if os(Linux)
        @Test(
            .enabled("needs util-linux") { FileManager.default.isExecutableFile(atPath: "/usr/bin/script") },
            arguments: [("", true), ("NO_COLOR=1", false), ("TERM=dumb", false)]
        )
        func aTerminalHasColours(variable: String, isColoured: Bool) async throws {
            let outcome = try await Tool.shell(
                "/usr/bin/script -qec \"\(variable) '$SQUALL' query :memory: \\\"$1\\\"\" /dev/null", [Self.sql]
            )
            expect(outcome, prints: (isColoured ? Self.coloured : Self.plain).replacing("\n", with: "\r\n"))
        }

        @Test(
            .enabled("needs util-linux") { FileManager.default.isExecutableFile(atPath: "/usr/bin/script") },
            arguments: ["csv", "tsv", "json", "ndjson", "markdown", "table"]
        )
        func textCannotControlATerminal(format: String) async throws {
            let sql = "SELECT 'a' || char(27) || ']0;x' || char(7, 155) || 'é' || char(8238) AS t"
            let command = "'$SQUALL' query :memory: \\\"$1\\\" --format \(format)"
            let outcome = try await Tool.shell("NO_COLOR=1 /usr/bin/script -qec \"\(command)\" /dev/null", [sql])
            #expect(outcome.exitCode == 0 && outcome.output.contains("é"))
            let controls = outcome.output.unicodeScalars.filter {
                $0.properties.isBidiControl
                    || $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\r"
                        && $0 != "\t"
            }
            #expect(controls.isEmpty, "\(outcome.output.debugDescription)")
            let piped = try await Tool.run("query", ":memory:", sql, "--format", "csv")
            #expect(piped.output.unicodeScalars.contains("\u{1B}"))
        }

        @Test func aFullDiskIsAnInputOutputError() async throws {
            try await expect(
                Tool.shell("\"$SQUALL\" query :memory: 'SELECT 1' > /dev/full"),
                fails: "error: cannot write to standard output: No space left on device\n", exitCode: 74
            )
        }
    #endif

    @Test func anInputThatCannotBeReadIsAnInputOutputError() async throws {
        try await expect(
            Tool.shell("\"$SQUALL\" query :memory: - < /"), fails: "error: cannot read standard input\n", exitCode: 74
        )
    }

    @Test func aReaderThatHasSeenEnoughEndsTheToolQuietly() async throws {
        try await expect(
            Tool.shell("\"$SQUALL\" query :memory: \"$1\" --format csv | head -2", [Self.endless]), prints: "i\n1\n"
        )
        try await expect(
            Tool.shell("trap '' PIPE; \"$SQUALL\" query :memory: \"$1\" --format csv | head -1", [Self.endless]),
            prints: "i\n"
        )
    }

    @Test func anInterruptEndsTheTool() async throws {
        let process = Tool.process(Tool.executable, ["query", ":memory:", Self.endless, "--format", "csv"], [:])
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        let (ends, end) = AsyncStream.makeStream(of: Process.TerminationReason.self)
        process.terminationHandler = { end.yield($0.terminationReason) }
        try Tool.start(process)
        #expect(try output.fileHandleForReading.read(upToCount: 2) == Data("i\n".utf8))
        process.interrupt()
        // A shell reports this signal as 130.
        #expect(await ends.first { _ in true } == .uncaughtSignal && process.terminationStatus == SIGINT)
        #expect(try error.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    @Test func wrongUsageIsExplained() async throws {
        for arguments in [["query"], ["query", ":memory:"], ["nothing"], ["demo", "--database", ""]] {
            let outcome = try await Tool.shell("\"$SQUALL\" \"$@\"", arguments)
            #expect(outcome.output == "" && outcome.exitCode == 64)
            #expect(outcome.error.hasPrefix("Error: ") && outcome.error.contains("Usage: squall"))
        }
        let outcome = try await Tool.run("query", ":memory:", "SELECT 1", "--format", "xml")
        #expect(outcome.output == "" && outcome.exitCode == 64)
        #expect(["table", "json", "csv"].allSatisfy(outcome.error.contains))
    }

    @Test func helpSaysHowFormatsShowWhatTheyShow() async throws {
        let outcome = try await Tool.run("query", "--help")
        #expect(outcome.error == "" && outcome.exitCode == 0)
        for word in ["NULL is", "\"$base64\"", "x'0102'", "a:1", "NO_COLOR", "limit=20000"] {
            #expect(outcome.output.contains(word))
        }
    }
}

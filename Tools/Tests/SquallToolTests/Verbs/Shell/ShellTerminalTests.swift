#if os(Linux)
    import Foundation
    import Squall
    import Testing

    @Suite(.enabled("needs util-linux") { FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid") })
    struct ShellTerminalTests {
        let directory: TemporaryDirectory
        let path: String

        init() throws {
            directory = try TemporaryDirectory()
            path = try directory.database(
                "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, \"top speed\" INT); CREATE TABLE cards(a); INSERT INTO cars VALUES(1, 'Audi', 200)"
            )
        }

        private func start(_ flags: String..., columns: UInt16 = 80, history: String = "") async throws
            -> Pseudoterminal
        {
            let terminal = try Pseudoterminal(
                ["shell", path, "--format", "csv"] + flags, columns: columns,
                environment: ["NO_COLOR": "1", "SQUALL_HISTORY": history]
            )
            try await terminal.read(until: "squall> ")
            return terminal
        }

        private func end(_ terminal: Pseudoterminal) async throws -> String {
            // Before the prompt, the terminal itself would take ^D as the end of a line.
            try await terminal.read(until: "\u{1B}[?2004h")
            try terminal.type("\u{4}")
            let (rest, exitCode) = try await terminal.finish()
            #expect(exitCode == 0)
            return rest
        }

        @Test func statementsAreTypedAndRun() async throws {
            let terminal = try await start()
            try terminal.type("select name\rfrom cars;\r")
            try await terminal.read(until: "squall> select name\r\n   ...> ")
            try await terminal.read(until: "name\r\nAudi\r\n")
            try await terminal.read(until: "squall> ")
            try terminal.type(".tables\r")
            try await terminal.read(until: "\r\ncards\r\ncars\r\n")
            _ = try await end(terminal)
        }

        @Test func anErrorDoesNotEndIt() async throws {
            let terminal = try await start()
            try terminal.type("select none;\r")
            try await terminal.read(
                until: "error: no such column: none (SQLITE_ERROR)\r\n  select none;\r\n         ^\r\n")
            try terminal.type("delete from cars;\r")
            try await terminal.read(until: "hint: start the shell with --write\r\n")
            try terminal.type("select 7;\r")
            try await terminal.read(until: "\r\n7\r\n7\r\n")
            _ = try await end(terminal)
        }

        @Test func keysEditTheLine() async throws {
            let terminal = try await start()
            // "select 漢 字" with an error that is mended in the middle.
            try terminal.type("select '漢x字';\u{1B}[D\u{1B}[D\u{1B}[D\u{7F}y\u{1}\u{B}\u{19}\u{5} -- end\r")
            try await terminal.read(until: "\r\n'漢y字'\r\n漢y字\r\n")
            _ = try await end(terminal)
        }

        @Test func aLongLineIsDrawnInSeveralRows() async throws {
            let terminal = try await start(columns: 20)
            try terminal.type("select 'aaaaaaaaaaaaaaaaaaaa';")
            try await terminal.read(until: "squall> select 'aaaa\r\naaaaaaaaaaaaaaaa';\r\u{1B}[18C")
            try terminal.type("\u{1}")
            try await terminal.read(until: "squall> select 'aaaa\r\naaaaaaaaaaaaaaaa';\u{1B}[1A\r\u{1B}[8C")
            try terminal.type("\r")
            try await terminal.read(until: "\r\naaaaaaaaaaaaaaaaaaaa\r\n")
            _ = try await end(terminal)
        }

        @Test func tabCompletes() async throws {
            let terminal = try await start()
            try terminal.type("sel\t")
            try await terminal.read(until: "squall> select ")
            try terminal.type("cars.t\t")
            try await terminal.read(until: "select cars.\"top speed\" ")
            try terminal.type("from ca\t\t")
            try await terminal.read(until: "\r\u{1B}[Jcards    cars     cascade  case     cast\r\n")
            try terminal.type("rs\t;\r")
            try await terminal.read(until: "\r\n200\r\n")
            try terminal.type(".ta\t\r")
            try await terminal.read(until: "\r\ncards\r\ncars\r\n")
            _ = try await end(terminal)
        }

        @Test func theHistoryIsKept() async throws {
            let history = directory.path("history")
            let terminal = try await start(history: history)
            try terminal.type("select\r11;\r")
            try await terminal.read(until: "\r\n11\r\n11\r\n")
            try terminal.type("select 12;\r")
            try await terminal.read(until: "\r\n12\r\n12\r\n")
            _ = try await end(terminal)
            #expect(try String(contentsOfFile: history, encoding: .utf8) == "select\\n11;\nselect 12;\n")
            let next = try await start(history: history)
            try next.type("\u{1B}[A\u{1B}[A\r")
            try await next.read(until: "\r\n11\r\n11\r\n")
            _ = try await end(next)
        }

        @Test func whatIsPastedIsNotRunBeforeEnter() async throws {
            let terminal = try await start()
            try terminal.type("\u{1B}[200~select 21;\nselect\t22;\u{1B}[201~")
            try await terminal.read(until: "squall> select 21;\r\n   ...> select    22;")
            try terminal.type("\r")
            try await terminal.read(until: "\r\n21\r\n21\r\n22\r\n22\r\n")
            _ = try await end(terminal)
        }

        @Test func anInterruptClearsTheLineAndEndsAStatement() async throws {
            let terminal = try await start()
            try terminal.type("select nonsense\u{3}")
            try await terminal.read(until: "^C\r\n")
            try await terminal.read(until: "squall> ")
            // Also after other statements.
            for _ in 0..<3 {
                try terminal.type(
                    "with recursive n(i) as (values(1) union all select i + 1 from n) select i from n;\r"
                )
                try await terminal.read(until: "\r\n1\r\n2\r\n")
                try terminal.type("\u{3}")
                try await terminal.read(until: "interrupted\r\n")
                try await terminal.read(until: "squall> ")
            }
            try terminal.type("select 31;\r")
            try await terminal.read(until: "\r\n31\r\n31\r\n")
            _ = try await end(terminal)
        }

        @Test func aShellThatIsKilledRestoresTheTerminal() async throws {
            let terminal = try await start()
            try terminal.type("select")
            try await terminal.read(until: "select")
            #expect(!terminal.isInLineMode)
            terminal.signal(SIGTERM)
            #expect(try await terminal.finish().exitCode == 128 + SIGTERM)
            #expect(terminal.isInLineMode)
        }

        @Test func thePromptShowsATransaction() async throws {
            let terminal = try await start("--write")
            try terminal.type("begin;\r")
            try await terminal.read(until: "squall*> ")
            try terminal.type("delete from cars;\r")
            try await terminal.read(until: "\r\n1 row changed\r\n")
            #expect(try await end(terminal).hasSuffix("note: the open transaction was rolled back\r\n"))
            let connection = try Connection(path, mode: .readOnly, configuration: .sqlite)
            #expect(try connection.query("SELECT count(*) FROM cars") == 1)
        }
    }
#endif

import Foundation
import Squall
import Testing

@Suite struct WatchTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.database("CREATE TABLE t(a); CREATE TABLE u(a); INSERT INTO t VALUES(1)")
    }

    private static let sql = "SELECT a FROM t ORDER BY a"

    @Test func aResultIsPrintedNow() async throws {
        try await expect(
            Tool.run("watch", path, Self.sql, "--count", "1"), prints: " a\n───\n 1\n1 row\n"
        )
        try await expect(
            Tool.run("watch", path, "SELECT a FROM t WHERE a > :n", "-p", "n=0", "--count", "1", "--format", "json"),
            prints: "[{\"a\": 1}]\n"
        )
        #expect(try directory.files() == ["test.db"])
    }

    @Test(arguments: [Configuration.JournalMode.delete, .wal])
    func aResultIsPrintedAgainAfterEachChangeOfAnotherProcess(mode: Configuration.JournalMode) async throws {
        let connection = try Connection(path, mode: .existing, configuration: .sqlite)
        try connection.execute("PRAGMA journal_mode = \(raw: mode.rawValue)")
        let process = Tool.process(
            Tool.executable, ["watch", path, Self.sql, "--format", "csv", "--count", "3", "--timeout", "1000"], [:])
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { end.yield($0.terminationStatus) }
        try Tool.start(process)
        func next(_ text: String) throws {
            let data = try output.fileHandleForReading.read(upToCount: text.utf8.count) ?? Data()
            #expect(String(decoding: data, as: UTF8.self) == text)
        }
        connection.setBusyTimeout()
        try next("a\n1\n")
        // A change that the query does not see prints nothing.
        try connection.run("INSERT INTO u VALUES(1)")
        try connection.run("INSERT INTO t VALUES(2)")
        try next("\na\n1\n2\n")
        try connection.run("UPDATE t SET a = NULL WHERE a = 1")
        try next("\na\n\n2\n")
        #expect(await ends.first { _ in true } == 0)
        #expect(try error.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    @Test func whatWritesIsRefused() async throws {
        let refused = "error: \(path): the SQL writes, and the database is opened read-only (SQLITE_READONLY)\n"
        for sql in ["DELETE FROM t", "INSERT INTO t VALUES(2) RETURNING a", "VACUUM INTO 'copy.db'"] {
            try await expect(Tool.run("watch", path, sql, in: directory.url), fails: refused, exitCode: 77)
        }
        for sql in ["BEGIN", "ATTACH 'x.db' AS x"] {
            let outcome = try await Tool.run("watch", path, sql, in: directory.url)
            expect(outcome, fails: "error: \(path): the SQL returns no columns\n", exitCode: 2)
        }
        #expect(try directory.files() == ["test.db"])
    }

    @Test func errorsEndIt() async throws {
        let outcome = try await Tool.run("watch", path, "SELECT none FROM t")
        #expect(outcome.exitCode == 2 && outcome.output == "")
        #expect(outcome.error.hasPrefix("error: \(path): no such column: none (SQLITE_ERROR)\n"))
        let missing = directory.path("none.db")
        try await expect(
            Tool.run("watch", missing, "SELECT 1"),
            fails: "error: cannot open '\(missing)': No such file or directory\n",
            exitCode: 66
        )
        try await expect(
            Tool.run("watch", path, "SELECT :a", "-p", "b=1"), fails: "error: the SQL has no parameter 'b'\n",
            exitCode: 2
        )
        let failing = try await Tool.run("watch", path, "SELECT abs(-9223372036854775807 - a) FROM t")
        #expect(failing.exitCode == 2 && failing.error.hasPrefix("error: \(path): integer overflow"))
        #expect(try await Tool.run("watch", path, "SELECT 1", "--count", "0").exitCode == 64)
    }

    @Test func aReaderThatHasSeenEnoughEndsIt() async throws {
        try await expect(
            Tool.shell("\"$SQUALL\" watch \"$1\" \"$2\" --count 1 > /dev/full", [path, Self.sql]),
            fails: "error: cannot write to standard output: No space left on device\n", exitCode: 74
        )
    }

    #if os(Linux)
        private static let hasTerminal = FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid")

        @Test(.enabled("needs util-linux") { hasTerminal })
        func aTerminalIsDrawnInPlaceUntilAnInterrupt() async throws {
            let connection = try Connection(path, mode: .existing, configuration: .sqlite)
            connection.setBusyTimeout()
            let terminal = try Pseudoterminal(["watch", path, Self.sql], rows: 8, environment: ["NO_COLOR": "1"])
            try await terminal.read(until: "\r\u{1B}[J\u{1B}[?7l a\r\n───\r\n 1\r\n1 row\r\n\u{1B}[?7h")
            try connection.run("INSERT INTO t VALUES(2)")
            try await terminal.read(until: "\u{1B}[4A\r\u{1B}[J\u{1B}[?7l a\r\n───\r\n 1\r\n 2\r\n2 rows\r\n\u{1B}[?7h")
            // Only six lines and what is said about the others fit.
            try connection.run("INSERT INTO t VALUES(3), (4), (5)")
            try await terminal.read(
                until: "\u{1B}[5A\r\u{1B}[J\u{1B}[?7l a\r\n───\r\n 1\r\n 2\r\n 3\r\n 4\r\n… 2 more lines\r\n\u{1B}[?7h"
            )
            try connection.run("DELETE FROM t WHERE a > 1")
            try await terminal.read(until: "\u{1B}[7A\r\u{1B}[J\u{1B}[?7l a\r\n───\r\n 1\r\n1 row\r\n\u{1B}[?7h")
            try terminal.type("\u{3}")
            #expect(try await terminal.finish().exitCode == 130)
        }
    #endif
}

extension Connection {
    /// Waits for the locks of the tool, without a limit that a slow machine could reach.
    fileprivate func setBusyTimeout() {
        try? run("PRAGMA busy_timeout = 1000000")
    }
}

import Foundation
import Testing

/// SQLite's error log, in a process of its own, because it is observed by a whole process.
struct ErrorLogTests {
    private static func run(_ arguments: [String]) throws -> [String] {
        let process = Process()
        // Beside the test bundle.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: "ErrorLogProcess")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text.split(separator: "\n").map(String.init)
    }

    @Test func errorsOfSQLiteAreLoggedWithALevelByTheirCode() throws {
        let lines = try Self.run([])
        #expect(lines.contains { $0.hasPrefix("error 14 ") && $0.contains("cannot open file") })
        #expect(lines.contains { $0.hasPrefix("warning 284 automatic index on ") })
        #expect(lines.contains("debug 1 -"))
        #expect(!lines.contains { $0.contains("secret") })
    }

    @Test func theTextsOfErrorsThatStatementsThrowAreLoggedOnRequest() throws {
        let lines = try Self.run(["values"])
        #expect(lines.contains("debug 1 no such table: nowhere in \"SELECT * FROM nowhere WHERE a = ?\""))
        // The reason why it must be requested.
        #expect(lines.contains { $0.hasPrefix("debug 1 ") && $0.contains("secret") })
    }
}

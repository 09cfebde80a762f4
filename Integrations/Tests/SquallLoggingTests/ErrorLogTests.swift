import Foundation
import Testing

/// SQLite's error log, in a process of its own, because it is observed by a whole process.
struct ErrorLogTests {
    @Test func errorsOfSQLiteAreLoggedWithALevelByTheirCode() throws {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appending(path: "ErrorLogProcess")
        if !FileManager.default.fileExists(atPath: process.executableURL?.path ?? "") {
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                .deletingLastPathComponent().appending(path: "ErrorLogProcess")
        }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let lines = text.split(separator: "\n")
        #expect(lines.contains("debug 1 no such table: nowhere in \"SELECT * FROM nowhere WHERE a = ?\""))
        #expect(lines.contains { $0.hasPrefix("error 14 ") && $0.contains("cannot open file") })
        #expect(lines.contains { $0.hasPrefix("warning 284 automatic index on ") })
        #expect(!text.contains("secret"))
    }
}

import TestSupport
import Testing

/// SQLite's error log, in a process of its own, because it is observed by a whole process.
struct ErrorLogTests {
    private func run(_ arguments: [String]) throws -> [String] {
        let (lines, code) = try Program("ErrorLogProcess").run(arguments)
        #expect(code == 0)
        return lines
    }

    @Test func errorsOfSQLiteAreLoggedWithALevelByTheirCode() throws {
        let lines = try run([])
        #expect(lines.contains { $0.hasPrefix("error 14 ") && $0.contains("cannot open file") })
        #expect(lines.contains { $0.hasPrefix("warning 284 automatic index on ") })
        #expect(lines.contains("debug 1 -"))
        #expect(!lines.contains { $0.contains("secret") })
    }

    @Test func theTextsOfErrorsThatStatementsThrowAreLoggedOnRequest() throws {
        let lines = try run(["values"])
        #expect(lines.contains("debug 1 no such table: nowhere in \"SELECT * FROM nowhere WHERE a = ?\""))
        // The reason why it must be requested.
        #expect(lines.contains { $0.hasPrefix("debug 1 ") && $0.contains("secret") })
    }
}

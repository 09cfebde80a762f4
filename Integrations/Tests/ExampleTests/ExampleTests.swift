import Foundation
import Testing

/// The programs in the folder `Examples` run, and print what their comments promise.
struct ExampleTests {
    private static func run(_ name: String) throws -> (lines: [String], code: Int32) {
        let process = Process()
        // Beside the test bundle.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: name)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (text.split(separator: "\n").map(String.init), process.terminationStatus)
    }

    @Test func slowStatementsVersionsAndLostTransactionsAreLogged() throws {
        let (lines, code) = try Self.run("SquallLoggingExample")
        #expect(code == 0)
        for event in ["schema-version", "slow-statement", "transaction-lost"] {
            #expect(lines.contains { $0.contains("squall.event=\(event)") })
        }
    }

    @Test func metricsArePrinted() throws {
        let (lines, code) = try Self.run("SquallMetricsExample")
        #expect(code == 0)
        #expect(lines.contains("squall.writes 101"))
        #expect(lines.contains("squall.rows.returned 100"))
        #expect(lines.contains { $0.hasPrefix("db.client.operation.duration write p50 ") })
    }

    @Test func spansArePrinted() throws {
        let (lines, code) = try Self.run("SquallTracingExample")
        #expect(code == 0)
        #expect(
            lines.map { $0.trimmingCharacters(in: .whitespaces) } == [
                "write temporary.db", "count users", "write temporary.db error", "POST /users",
            ])
    }

    @Test(arguments: ["SquallServiceExample", "HummingbirdSquallExample"])
    func theServersEndByThemselves(name: String) throws {
        let (lines, code) = try Self.run(name)
        #expect(code == 0)
        #expect(!lines.isEmpty)
    }
}

import Foundation
import TestSupport
import Testing

/// The programs in the folder `Examples` run, and print what their comments promise.
struct ExampleTests {
    private func run(_ name: String) throws -> (lines: [String], code: Int32) {
        try Program(name).run(includingErrors: true)
    }

    @Test func slowStatementsVersionsAndLostTransactionsAreLogged() throws {
        let (lines, code) = try run("SquallLoggingExample")
        #expect(code == 0)
        for event in ["schema-version", "slow-statement", "transaction-lost"] {
            #expect(lines.contains { $0.contains("squall.event=\(event)") })
        }
    }

    @Test func metricsArePrinted() throws {
        let (lines, code) = try run("SquallMetricsExample")
        #expect(code == 0)
        #expect(lines.contains("squall.writes 101"))
        #expect(lines.contains("squall.rows.returned 100"))
        #expect(lines.contains { $0.hasPrefix("db.client.operation.duration write p50 ") })
    }

    @Test func spansArePrinted() throws {
        let (lines, code) = try run("SquallTracingExample")
        #expect(code == 0)
        #expect(
            lines.map { $0.trimmingCharacters(in: .whitespaces) } == [
                "write temporary.db", "count users", "write temporary.db error", "POST /users",
            ])
    }

    @Test(arguments: ["SquallServiceExample", "HummingbirdSquallExample"])
    func theServersEndByThemselves(name: String) throws {
        let (lines, code) = try run(name)
        #expect(code == 0)
        #expect(!lines.isEmpty)
    }
}

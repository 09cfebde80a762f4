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
        #expect(lines.contains { $0.contains("SELECT sleep(0.") })
        #expect(lines.count { $0.contains("squall.event=slow-statement") } == 2)
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

    @Test func aServiceEndsByItselfAndRefusesADamagedFile() throws {
        let (lines, code) = try run("SquallServiceExample")
        #expect(code == 0)
        #expect(lines.contains("ready: true"))
        #expect(lines.contains("ordered a basket"))
        #expect(lines.contains(#"files: ["orders.db"]"#))
        #expect(lines.last == "restore a backup: 1 problems")
    }

    @Test func aServerAnswersItsRequestsAndEnds() throws {
        let (lines, code) = try run("HummingbirdSquallExample")
        #expect(code == 0)
        for line in [
            "GET /visit → 200 Hello, stranger, for the 2. time", "    SameSite=Strict", "    Max-Age=3600",
            "GET /visit → 200 Hello, Ada, for the 1. time", "GET /whoami → 200 Ada", "to import later: []",
            "invitation: welcome, 2 left for an hour", "invitation: no invitation", "swept: 1",
        ] {
            #expect(lines.contains(line))
        }
    }
}

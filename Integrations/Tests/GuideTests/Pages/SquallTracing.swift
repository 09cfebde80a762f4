// swift-format-ignore-file
import InMemoryTracing
import Squall
import SquallTracing
import Testing
import Tracing

struct SquallTracingPage {
    @Test func callsAreSpans() async throws {
        let tracer = InMemoryTracer()
        let database = try Database.temporary()
        database.addTracing()
        try await database.write { try $0.execute("CREATE TABLE reminders(title, done)") }
        try await withTracer(tracer) {
            let titles = ["Buy milk", "Call Ada"]
            try await database.write { connection in
                let span = startSpan("import")
                defer { span.end() }
                for title in titles {
                    try connection.run("INSERT INTO reminders VALUES(\(title), 0)")
                }
            }
            let open = try await withQuerySummary("open reminders") {
                try await database.read { connection in
                    try connection.query("SELECT count(*) FROM reminders WHERE done = 0") as Int
                }
            }
            #expect(open == 2)
        }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["import", "write temporary.db", "open reminders"])
        #expect(spans[0].parentSpanID == spans[1].spanID)
    }
}

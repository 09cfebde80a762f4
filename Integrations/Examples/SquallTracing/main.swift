// Prints the spans of a request that reads and writes.
import InMemoryTracing
import Squall
import SquallTracing
import Tracing

let tracer = InMemoryTracer()
InstrumentationSystem.bootstrap(tracer)

let database = try Database.temporary()
let tracing = database.addTracing()

try await withSpan("POST /users") { _ in
    try await database.write { try $0.execute("CREATE TABLE users(name)") }
    try await withQuerySummary("count users") {
        _ = try await database.read { try $0.query("SELECT count(*) FROM users") as Int }
    }
    _ = try? await database.write { try $0.run("INSERT INTO nowhere VALUES(1)") }
}
try await withoutSpans(tracing) { try await database.checkpoint() }
for span in tracer.finishedSpans {
    print(span.parentSpanID == nil ? "" : "  ", span.operationName, span.status.map { "\($0.code)" } ?? "")
}

/// Ends the tracing of a database before work of its operator.
func withoutSpans(_ tracing: DatabaseTracing, _ body: () async throws -> Void) async throws {
    tracing.cancel()
    try await body()
}

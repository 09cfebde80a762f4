import SquallStore
import Foundation
import InMemoryTracing
import Squall
import SquallTracing
import Testing
import Tracing

/// `Database.addTracing`, by the spans that a tracer receives.
struct DatabaseTracingTests {
    private let tracer = InMemoryTracer()
    private struct Failure: Error {}

    private func attribute(_ span: FinishedInMemorySpan, _ key: String) -> String? {
        switch span.attributes[key]?.toSpanAttribute() {
        case .string(let text): text
        case .bool(let isTrue): "\(isTrue)"
        default: nil
        }
    }

    @Test func eachCallIsOneSpan() async throws {
        let database = try Database.temporary()
        database.addTracing(tracer: tracer)
        try await database.migrate(Schema("app") { Version(1) { CreateTable("t") { ColumnDef("a", Int.self) } } })
        try await database.write { connection in
            for number in 0..<10 { try connection.run("INSERT INTO t VALUES(\(number))") }
        }
        let _: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
        for try await _ in database.backup(to: database.fileName + "-copy", pagesPerStep: 1) {}
        let file = try #require(database.fileName.split(separator: "/").last)
        let operations = ["migrate", "write", "read", "backup"]
        #expect(tracer.finishedSpans.map(\.operationName) == operations.map { "\($0) \(file)" })
        #expect(tracer.finishedSpans.allSatisfy { $0.kind == .client && $0.errors.isEmpty && $0.status == nil })
        for (span, operation) in zip(tracer.finishedSpans, operations) {
            #expect(attribute(span, "db.system.name") == "sqlite")
            #expect(attribute(span, "db.namespace") == String(file))
            #expect(attribute(span, "db.operation.name") == operation)
            #expect(attribute(span, "db.query.summary") == span.operationName)
            #expect(span.startInstant.nanosecondsSinceEpoch < span.endInstant.nanosecondsSinceEpoch)
        }
    }

    @Test func spansInsideTheClosureAreChildren() async throws {
        let database = try Database.temporary()
        database.addTracing(tracer: tracer)
        try await InstrumentationContextHolder.withSpan("request", tracer) {
            try await database.write { [tracer] _ in
                tracer.startSpan("inside the closure").end()
            }
            try await database.read(deadline: nil) { [tracer] (_: StoreConnection) in
                tracer.startSpan("inside the connection").end()
            }
        }
        let spans = Dictionary(uniqueKeysWithValues: tracer.finishedSpans.map { ($0.operationName, $0) })
        let file = database.fileName.split(separator: "/").last.map(String.init) ?? ""
        let (write, read) = (try #require(spans["write \(file)"]), try #require(spans["read \(file)"]))
        #expect(spans["inside the closure"]?.parentSpanID == write.spanID)
        #expect(spans["inside the connection"]?.parentSpanID == read.spanID)
        #expect(write.parentSpanID == spans["request"]?.spanID)
        #expect(Set(spans.values.map(\.traceID)).count == 1)
    }

    @Test func errorsAreRecorded() async throws {
        let database = try Database.temporary()
        database.addTracing(tracer: tracer)
        try await database.write { try $0.execute("CREATE TABLE t(a UNIQUE)") }
        await #expect(throws: SQLiteError.self) {
            try await database.write { connection in
                for _ in 0..<2 { try connection.run("INSERT INTO t VALUES(1)") }
            }
        }
        await #expect(throws: Failure.self) { try await database.read { _ in throw Failure() } }
        let spans = tracer.finishedSpans
        #expect(spans.map { $0.status?.code } == [nil, .error, .error])
        #expect(spans.map(\.errors.count) == [0, 1, 1])
        #expect(attribute(spans[1], "error.type") == "19")
        #expect(attribute(spans[1], "db.response.status_code") == "2067")
        #expect(attribute(spans[2], "error.type") == "Failure")
    }

    @Test func aCancelledCallIsNoFailure() async throws {
        let database = try Database.temporary()
        database.addTracing(tracer: tracer)
        let call = Task {
            try await database.read {
                try $0.query("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c")
                    as Int
            }
        }
        while database.statistics.busyReaders == 0 { await Task.yield() }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        let span = try #require(tracer.finishedSpans.first)
        #expect(attribute(span, "squall.cancelled") == "true")
        #expect(span.status == nil)
        #expect(span.errors.isEmpty)
    }

    @Test func aFailedBackupIsRecorded() async throws {
        let database = try Database.temporary()
        database.addTracing(tracer: tracer)
        await #expect(throws: (any Error).self) {
            for try await _ in database.backup(to: database.fileName + "/no/copy") {}
        }
        #expect(tracer.finishedSpans.map { $0.status?.code } == [.error])
    }

    @Test func aSummaryNamesTheSpan() async throws {
        let database = try Database.temporary()
        database.addTracing(tracer: tracer)
        let one: Int = try await withQuerySummary("the number one") {
            try await database.read { try $0.query("SELECT 1") }
        }
        #expect(one == 1)
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.operationName == "the number one")
        #expect(attribute(span, "db.query.summary") == "the number one")
        #expect(attribute(span, "db.operation.name") == "read")
    }

    @Test func nothingIsRecordedWithoutATracerOrAfterwards() async throws {
        let database = try Database.temporary()
        let tracing = database.addTracing()
        try await database.write { _ in }
        try await withTracer(tracer) { try await database.write { _ in } }
        #expect(tracer.finishedSpans.count == 1)
        tracing.cancel()
        try await withTracer(tracer) { try await database.write { _ in } }
        #expect(tracer.finishedSpans.count == 1)
    }

    /// Calls run while a tracer is bootstrapped for the process; each has a span or none.
    @Test func aTracerThatIsStartedLateMissesNothingAfterwards() async throws {
        let database = try Database.temporary()
        database.addTracing()
        let late = InMemoryTracer()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<8 {
                tasks.addTask { for _ in 0..<50 { try await database.read { _ in } } }
            }
            tasks.addTask { InstrumentationSystem.bootstrap(late) }
            try await tasks.waitForAll()
        }
        late.clearFinishedSpans()
        try await database.read { _ in }
        let file = database.fileName.split(separator: "/").last.map(String.init) ?? ""
        #expect(late.finishedSpans.contains { $0.operationName == "read \(file)" })
        #expect(late.activeSpans.isEmpty)
    }
}

/// Runs a closure in a span of a tracer that is not that of the process.
private enum InstrumentationContextHolder {
    static func withSpan(_ name: String, _ tracer: InMemoryTracer, _ body: () async throws -> Void) async throws {
        let span = tracer.startSpan(name)
        try await InstrumentationContext.$current.withValue(span.context) { try await body() }
        span.end()
    }
}

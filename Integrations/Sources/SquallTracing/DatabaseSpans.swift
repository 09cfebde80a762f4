import IntegrationSupport
import Squall
import Tracing

/// Records the spans of the calls of a database.
struct DatabaseSpans: DatabaseInterceptor {
    let tracer: (any Tracer)?

    /// The tracer of a call; `nil` while there is none.
    private var presentTracer: (any Tracer)? {
        let tracer = self.tracer ?? InstrumentationSystem.tracer
        return tracer is NoOpTracer ? nil : tracer
    }

    nonisolated(nonsending) func intercept<Result: Sendable>(
        _ operation: DatabaseOperation, on database: Database,
        _ call: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        guard let tracer = presentTracer else { return try await call() }
        let name = SpanName(operation.rawValue, path: database.fileName)
        let span = tracer.startSpan(name.summary, ofKind: .client)
        span.attributes = name.attributes
        defer { span.end() }
        do {
            return try await InstrumentationContext.$current.withValue(span.context) { try await call() }
        } catch {
            span.fail(with: error)
            throw error
        }
    }

    /// Records the span of a backup after its end: its steps are calls of an iterator, around which nothing can run.
    func record(_ backup: DatabaseEvent.Backup, of path: String) {
        guard let tracer = presentTracer else { return }
        let end = DefaultTracerClock.now.nanosecondsSinceEpoch
        let start = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: end - min(backup.duration.nanoseconds, end))
        let name = SpanName("backup", path: path)
        let span = tracer.startSpan(name.summary, ofKind: .client, at: start)
        span.attributes = name.attributes
        if let error = backup.error { span.fail(with: error) }
        span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: end))
    }
}

/// The name and the attributes of a span, by OpenTelemetry's conventions for databases.
private struct SpanName {
    let summary: String
    let attributes: SpanAttributes

    init(_ operation: String, path: String) {
        let file = namespace(ofFile: path)
        let summary = QuerySummary.current ?? "\(operation) \(file)"
        var attributes: SpanAttributes = [:]
        attributes["db.system.name"] = "sqlite"
        attributes["db.namespace"] = file
        attributes["db.operation.name"] = operation
        attributes["db.query.summary"] = summary
        self.summary = summary
        self.attributes = attributes
    }
}

extension Span {
    /// Records the error of a call. A cancellation is not a failure.
    fileprivate func fail(with error: any Error) {
        if error is CancellationError {
            attributes["squall.cancelled"] = true
            return
        }
        recordError(error)
        setStatus(SpanStatus(code: .error))
        guard let error = error as? SQLiteError else {
            attributes["error.type"] = "\(type(of: error))"
            return
        }
        attributes["error.type"] = "\(error.resultCode.primary.rawValue)"
        attributes["db.response.status_code"] = "\(error.extendedCode)"
    }
}

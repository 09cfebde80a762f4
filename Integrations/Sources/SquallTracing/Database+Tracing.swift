import Squall
import Tracing

extension Database {
    /// Records a span for each asynchronous `read`, `write`, `migrate`, `checkpoint`, `vacuum` and backup.
    ///
    ///     database.addTracing()
    ///
    /// The closure of a call sees the context of its span, so that spans inside it are its children. A span has the attributes
    /// `db.system.name`, `db.namespace`, `db.operation.name` and `db.query.summary`, and after an error `error.type` and
    /// `db.response.status_code`. A cancelled call has not failed: its span has `squall.cancelled`. Blocking calls have no spans.
    ///
    /// - Parameter tracer: The tracer; `nil` for the one of the task or of the process, which is looked up at each call: nothing
    ///   is recorded until one is bootstrapped.
    @discardableResult
    public func addTracing(tracer: (any Tracer)? = nil) -> DatabaseTracing {
        DatabaseTracing(of: self, tracer: tracer)
    }
}

/// The tracing of a database, until it is cancelled. It need not be kept.
public final class DatabaseTracing: Sendable {
    private let tokens: [DatabaseObserverToken]

    init(of database: Database, tracer: (any Tracer)?) {
        let spans = DatabaseSpans(tracer: tracer)
        let path = database.fileName
        tokens = [
            database.addInterceptor(spans),
            database.addEventObserver { event in
                if case .backupEnded(let backup) = event { spans.record(backup, of: path) }
            },
        ]
    }

    /// Records no spans of calls that begin later.
    public func cancel() {
        for token in tokens { token.cancel() }
    }
}

/// Names the spans of the calls of a database inside a closure, by a summary of what they do: a few words that do not depend on
/// values. It is the attribute `db.query.summary`, which is otherwise the operation and the name of the file.
///
///     let open = try await withQuerySummary("open reminders") {
///         try await database.read { try $0.all(Reminder.self) { $0.doneAt == nil } }
///     }
public nonisolated(nonsending) func withQuerySummary<Result>(
    _ summary: String, _ body: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    try await QuerySummary.$current.withValue(summary) { try await body() }
}

enum QuerySummary {
    @TaskLocal static var current: String?
}

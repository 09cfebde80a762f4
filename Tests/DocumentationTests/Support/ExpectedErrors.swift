import Squall
import Testing

// The pages about problems call `expect` for each: it runs a closure, and compares the error that it throws, and its message.

private func compare<E: Error, T>(
    _ message: String, _ place: SourceLocation, _ body: () throws -> T,
    with parts: (E) -> (isExpected: Bool, message: String)
) {
    let error = #expect(throws: E.self, sourceLocation: place) { _ = try body() }
    guard let error else { return }
    let found = parts(error)
    #expect(found.isExpected, "\(error)", sourceLocation: place)
    #expect(found.message == message, sourceLocation: place)
}

/// Expects an error with a problem.
func expect<P: SQLiteProblem, T>(
    _ problem: P, _ message: String, at place: SourceLocation = #_sourceLocation, _ body: () throws -> T
) {
    compare(message, place, body) { (error: SQLiteError) in (error.problem(P.self) == problem, error.message) }
}

/// Expects an error of a kind.
func expect<T>(
    kind: SQLiteError.Kind, _ message: String, at place: SourceLocation = #_sourceLocation, _ body: () throws -> T
) {
    compare(message, place, body) { (error: SQLiteError) in (error.kind == kind, error.message) }
}

/// Expects an error with an extended code.
func expect<T>(
    code: ResultCode, _ message: String, at place: SourceLocation = #_sourceLocation, _ body: () throws -> T
) {
    compare(message, place, body) { (error: SQLiteError) in (error.extendedResultCode == code, error.message) }
}

/// Expects an error for a value that does not fit.
func expect<T>(
    reason: ConversionError.Reason, _ message: String, at place: SourceLocation = #_sourceLocation,
    _ body: () throws -> T
) {
    compare(message, place, body) { (error: ConversionError) in (error.reason == reason, error.description) }
}

/// Expects an error of a schema.
func expect<T>(
    _ expected: SchemaError, _ message: String, at place: SourceLocation = #_sourceLocation, _ body: () throws -> T
) {
    compare(message, place, body) { (error: SchemaError) in (error == expected, error.description) }
}

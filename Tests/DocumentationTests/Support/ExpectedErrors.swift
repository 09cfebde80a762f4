import Foundation
import Squall
import Testing

// The pages about problems call `expect` for each: it runs a closure, and compares the error that it throws, and its message.

private func compare<E: Error, T>(
    _ type: E.Type, _ message: String, _ place: SourceLocation, _ body: () throws -> T,
    text: (E) -> String, isExpected: (E) -> Bool
) {
    guard let error = #expect(throws: E.self, sourceLocation: place, performing: { _ = try body() }) else { return }
    #expect(isExpected(error), "\(error)", sourceLocation: place)
    #expect(text(error) == message, sourceLocation: place)
}

/// Expects an error with a problem.
func expect<P: SQLiteProblem, T>(
    _ problem: P, _ message: String, at place: SourceLocation = #_sourceLocation, _ body: () throws -> T
) {
    compare(SQLiteError.self, message, place, body) { $0.message } isExpected: { $0.problem(P.self) == problem }
}

/// Expects an error of a kind.
func expect<T>(
    kind: SQLiteError.Kind, _ message: String, at place: SourceLocation = #_sourceLocation, _ body: () throws -> T
) {
    compare(SQLiteError.self, message, place, body) { $0.message } isExpected: { $0.kind == kind }
}

/// Expects an error that SQLite reports with a code.
func expect<T>(
    code: ResultCode, _ message: String, at place: SourceLocation = #_sourceLocation, _ body: () throws -> T
) {
    compare(SQLiteError.self, message, place, body) { $0.message } isExpected: { $0.extendedResultCode == code }
}

/// Expects an error for a value that does not fit.
func expect<T>(
    reason: ConversionError.Reason, _ message: String, at place: SourceLocation = #_sourceLocation,
    _ body: () throws -> T
) {
    compare(ConversionError.self, message, place, body) { $0.description } isExpected: { $0.reason == reason }
}

/// Expects an error of a schema.
func expect<T>(
    _ error: SchemaError, _ message: String, at place: SourceLocation = #_sourceLocation, _ body: () throws -> T
) {
    compare(SchemaError.self, message, place, body) { $0.description } isExpected: { $0 == error }
}

import Squall
import Testing

/// Returns the `SQLiteError` that an expression throws.
func sqliteError(
    _ expression: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> SQLiteError {
    try #require(throws: SQLiteError.self, sourceLocation: sourceLocation, performing: expression)
}

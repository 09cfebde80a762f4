import Squall
import Testing

/// Returns the `SQLiteError` that an expression throws.
package func sqliteError(
    _ expression: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> SQLiteError {
    try #require(throws: SQLiteError.self, sourceLocation: sourceLocation, performing: expression)
}

/// Returns the `ConversionError` that an expression throws.
package func conversionError(
    _ expression: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> ConversionError {
    try #require(throws: ConversionError.self, sourceLocation: sourceLocation, performing: expression)
}

/// Returns the kind of the `SQLiteError` that an expression throws.
package func errorKind(
    _ expression: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> SQLiteError.Kind {
    try sqliteError(expression, sourceLocation: sourceLocation).kind
}

import Squall
import Testing

/// The `SQLiteError` that an expression throws.
func sqliteError(
    _ expression: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> SQLiteError {
    try #require(throws: SQLiteError.self, sourceLocation: sourceLocation, performing: expression)
}

/// The `ConversionError` that an expression throws.
func conversionError(
    _ expression: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> ConversionError {
    try #require(throws: ConversionError.self, sourceLocation: sourceLocation, performing: expression)
}

/// The kind of the `SQLiteError` that an expression throws.
func errorKind(
    _ expression: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> SQLiteError.Kind {
    try sqliteError(expression, sourceLocation: sourceLocation).kind
}

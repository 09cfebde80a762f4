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

import Squall

/// A result that is not the one that Squall promises.
public struct WrongResult: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// Throws ``WrongResult`` if a condition does not hold.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw WrongResult(message()) }
}

/// Throws ``WrongResult`` if two values differ.
func requireEqual<Value: Equatable>(_ left: Value, _ right: Value, _ message: @autoclosure () -> String) throws {
    if left != right { throw WrongResult("\(message()): \(left) is not \(right)") }
}

/// Runs a closure, and returns `nil` if it throws an error that Squall documents.
///
/// - Throws: Every other error.
@discardableResult
func allowingErrors<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
        return try body()
    } catch let error where error is SQLiteError || error is ConversionError || error is SchemaError {
        // The text of an error is made of the data, too.
        try require(!"\(error)".isEmpty, "an error without a text")
        return nil
    }
}

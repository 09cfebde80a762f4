/// An error for the record because of which none of many was inserted.
public struct InsertionError: ErrorWithReason, CustomStringConvertible {
    /// The number of the record, from 0.
    public let index: Int

    /// The error: a ``SQLiteError``, or one that the type of a value throws.
    public let reason: any Error

    @_documentation(visibility: internal)
    public var description: String { "record \(index): \(reason)" }
}

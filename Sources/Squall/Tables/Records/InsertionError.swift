/// A record of many that could not be inserted. None of them was.
public struct InsertionError: Error, CustomStringConvertible {
    /// The number of the record, from 0.
    public let index: Int

    /// What was wrong with it: a ``SQLiteError``, or what its type throws.
    public let reason: any Error

    public var description: String { "record \(index): \(reason)" }
}

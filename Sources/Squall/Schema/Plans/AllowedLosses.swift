/// The losses that ``SchemaPlan/apply(allowing:)`` may cause.
public struct AllowedLosses: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Undeclared columns, with their values. The rows are kept.
    public static let columns = Self(rawValue: 1)
    /// The rows of tables that cannot be changed while keeping their rows.
    public static let tables = Self(rawValue: 2)
    /// Values that the new type of their column does not keep unchanged. Values that cannot be converted stay in the column.
    public static let conversions = Self(rawValue: 4)
}

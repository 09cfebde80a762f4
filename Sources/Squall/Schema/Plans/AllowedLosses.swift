/// What ``SchemaPlan/apply(allowing:)`` may lose.
public struct AllowedLosses: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Columns that are not declared, with their values. Rows stay.
    public static let columns = Self(rawValue: 1)
    /// The rows of tables that cannot be changed with them.
    public static let tables = Self(rawValue: 2)
    /// Values that the new type of their column does not keep as they are. Those that cannot be converted stay in the column.
    public static let conversions = Self(rawValue: 4)
}

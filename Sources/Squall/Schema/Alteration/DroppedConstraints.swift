/// The constraints that ``ChangeColumn`` drops from a column.
public struct DroppedConstraints: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let primaryKey = Self(rawValue: 1)
    public static let unique = Self(rawValue: 2)
    public static let `default` = Self(rawValue: 4)
    public static let checks = Self(rawValue: 8)
    public static let collation = Self(rawValue: 16)
    public static let references = Self(rawValue: 32)
    public static let generated = Self(rawValue: 64)
    public static let all = Self(ColumnDefinition.Constraint.Key.allCases.compactMap(\.dropping))
}

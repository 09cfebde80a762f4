/// The constraints that ``ChangeColumn`` drops from a column. `NOT NULL` is not among them: it follows from the type that
/// ``ChangeColumn`` sets.
///
///     ChangeColumn("age", dropping: [.default, .checks])
public struct DroppedConstraints: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// `PRIMARY KEY` of the column. A primary key of several columns is a constraint of the table; see ``DropConstraint``.
    public static let primaryKey = Self(rawValue: 1)
    /// `UNIQUE` of the column.
    public static let unique = Self(rawValue: 2)
    /// `DEFAULT …`. Existing rows keep their values.
    public static let `default` = Self(rawValue: 4)
    /// All `CHECK (…)` constraints of the column.
    public static let checks = Self(rawValue: 8)
    /// `COLLATE …`. The column is then compared by its bytes (`BINARY`).
    public static let collation = Self(rawValue: 16)
    /// All foreign keys of the column: `REFERENCES …`.
    public static let references = Self(rawValue: 32)
    /// `GENERATED ALWAYS AS (…)`. The column is then an ordinary column.
    public static let generated = Self(rawValue: 64)
    /// All of the above.
    public static let all = Self(ColumnDefinition.Constraint.Key.allCases.compactMap(\.dropping))
}

import Squall

extension Changeset {
    /// A change that does not fit the row that it is applied to.
    public struct Conflict: Sendable {
        /// The way in which a change does not fit.
        public enum Kind: Hashable, Sendable {
            /// The row that is updated or deleted has other values than before the change.
            case data
            /// The row that is updated or deleted does not exist.
            case notFound
            /// The row that is inserted exists.
            case conflict
            /// A constraint other than the primary key or a foreign key is violated, such as UNIQUE, NOT NULL and CHECK.
            case constraint
            /// When all changes are applied, foreign keys are violated: `PRAGMA foreign_key_check` lists them.
            case foreignKey
        }

        public let kind: Kind
        /// The change; `nil` for foreign keys, which SQLite checks at the end. ``UndoConflictError`` has the change for them too.
        public let change: Change?
        /// The row that is in the way, for ``Kind/data`` and ``Kind/conflict``.
        public let row: ChangedValues?
    }

    /// The answer to a conflict.
    public enum Answer: Hashable, Sendable {
        /// Leave the change out. For foreign keys: keep the violation.
        case omit
        /// Write the change over the row that is in the way. Possible for ``Conflict/Kind/data`` and ``Conflict/Kind/conflict``.
        case replace
        /// Undo all changes, and throw.
        case abort
    }

    /// How changes are applied.
    public struct ApplyOptions: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Applies the inverse of the changes.
        public static let inverted = ApplyOptions(rawValue: 1)
        /// Does not run triggers, nor TEMP triggers. The changes that they made when they were recorded are among the changes. The
        /// triggers that only write to search tables and R*Trees run; one that also writes to another table is an error.
        public static let withoutTriggers = ApplyOptions(rawValue: 2)
    }
}

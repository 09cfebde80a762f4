extension Changeset {
    /// The change of one row.
    public struct Change: Hashable, Sendable {
        /// The table of the row.
        public let table: String
        /// The kind of the change.
        public let operation: Connection.UpdateHookType
        /// Whether only triggers and foreign keys have changed the row, or whether it was recorded as indirect.
        public let isIndirect: Bool
        /// The positions of the columns of the primary key.
        public let keyColumns: [Int]
        /// The values before the change: those of all columns of a deleted row, the primary key and the changed columns of an
        /// updated one, and none of an inserted one. A patchset has only the primary key.
        public let old: ChangedValues
        /// The values after the change: those of all columns of an inserted row, the changed columns of an updated one, and none of
        /// a deleted one.
        public let new: ChangedValues
    }
}

extension Changeset.Change: CustomStringConvertible {
    public var description: String {
        switch operation {
        case .insert: "insert into \(table): \(new)"
        case .update: "update \(table): \(old) to \(new)"
        case .delete: "delete from \(table): \(old)"
        }
    }
}

/// The progress of a migration.
public struct SchemaProgress: Hashable, Sendable {
    /// The version that is being run; 0 for a plan or a reset.
    public let version: Int
    /// The current step: `AlterTable contacts`.
    public let step: String
    /// The number of rows copied so far in a rebuild; 0 if no table is being rebuilt.
    public let copiedRows: Int
    /// The number of rows to copy in a rebuild; 0 if no table is being rebuilt.
    public let allRows: Int
}

/// How far a migration is.
public struct SchemaProgress: Hashable, Sendable {
    /// The version that is being run; 0 for a plan and for a reset.
    public let version: Int
    /// What is being done: `AlterTable contacts`.
    public let step: String
    /// The rows of the table that is rebuilt, so far, and all of them; 0 and 0 where no table is.
    public let copiedRows: Int
    public let allRows: Int
}

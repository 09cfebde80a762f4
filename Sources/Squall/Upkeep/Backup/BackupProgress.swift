/// How far a backup is.
public struct BackupProgress: Hashable, Sendable {
    /// The pages that are still to be copied. More than before when somebody else has changed the source: then SQLite
    /// begins again.
    public let remaining: Int

    /// The pages of the source.
    public let total: Int

    /// The pages that have been copied.
    public var completed: Int { total - remaining }

    /// What has been copied, from 0 to 1.
    public var fractionCompleted: Double { total == 0 ? 1 : Double(completed) / Double(total) }
}

/// The progress of a backup.
public struct BackupProgress: Hashable, Sendable {
    /// The number of pages that remain to be copied. It increases when another connection has changed the source:
    /// SQLite then starts the backup again.
    public let remaining: Int

    /// The number of pages of the source.
    public let total: Int

    /// The number of copied pages.
    public var completed: Int { total - remaining }

    /// The copied fraction, from 0 to 1.
    public var fractionCompleted: Double { total == 0 ? 1 : Double(completed) / Double(total) }
}

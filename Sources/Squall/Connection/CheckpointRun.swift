/// A checkpoint that has ended, as the connection reports it to its database.
struct CheckpointRun {
    /// The mode, as SQLite numbers it.
    let mode: Int32
    /// Whether a commit has run it.
    let isAutomatic: Bool
    /// The result code.
    let code: Int32
    let logFrames: Int
    let checkpointedFrames: Int
    let duration: Duration
}

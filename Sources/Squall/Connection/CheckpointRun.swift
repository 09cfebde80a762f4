/// A checkpoint that has ended, as the connection reports it to its database.
package struct CheckpointRun {
    /// The mode, as SQLite numbers it.
    let mode: Int32
    /// Whether a commit has run it.
    let isAutomatic: Bool
    /// The numbers of frames that `sqlite3_wal_checkpoint_v2` returns, or the error.
    let result: Result<(logFrames: Int, checkpointedFrames: Int), any Error>
    let duration: Duration
}

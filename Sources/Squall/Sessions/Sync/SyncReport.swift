/// The outcome of a merge. Every change of the batch that is not in the tables afterwards is in one of its lists.
public struct SyncReport: Sendable {
    /// The changes that the merge has made to the tables, with the rows that were there before.
    public internal(set) var applied: [SyncChange] = []
    /// Peers: rows of the batch, and pending ones, that have lost against a later writer.
    public internal(set) var superseded: [SyncChange] = []
    /// Peers: all rows that cannot be stored at present, with those of earlier merges. Every merge tries again.
    public internal(set) var pending: [PendingChange] = []
    /// Peers: changes that foreign keys and triggers have made in the tables of the log during the merge. They are changes of
    /// this replica now.
    public internal(set) var recorded: [SyncChange] = []
    /// A hub: changes of replicas that did not fit. A replica: the changes made here that did not fit, here or at the hub.
    public internal(set) var conflicts: [SyncConflict] = []
    /// The position up to which the changes of the sender are known here.
    public internal(set) var cursor: SyncCursor

    /// A row that wins, and cannot be stored.
    public struct PendingChange: Hashable, Sendable {
        /// The change. ``SyncChange/new`` is the row that cannot be stored, or `nil` if it cannot be deleted.
        public let change: SyncChange
        /// The message of the error, for instance `UNIQUE constraint failed: notes.title`.
        public let reason: String
    }
}

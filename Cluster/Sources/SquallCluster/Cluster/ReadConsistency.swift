/// The guarantee of a read about writes that other clients have completed.
public enum ReadConsistency: Hashable, Sendable {
    /// The leader answers from what it has.
    ///
    /// A leader that is cut off from the majority answers without newer writes, until it notices after an election
    /// timeout.
    case leader
    /// The rows have every write that was completed before the read began.
    ///
    /// The leader first proves that it leads by a replicated write, which costs as much as a small write and waits for
    /// its turn among the writes: an upsert of the only row of the table `squall_barrier`, which is created when it is
    /// first needed.
    case linearizable
}

/// The guarantee of a read about writes that other clients have completed.
public enum ReadConsistency: Hashable, Sendable {
    /// The leader answers from what it has.
    ///
    /// A leader that is cut off from the majority answers without newer writes, until it notices after an election
    /// timeout: 15 times the network latency of the nodes, and up to twice that. With a latency of 5 ms, the oldest of
    /// 273 old answers came 46 ms after its successor had acknowledged a write, in 20 cuts (2026-11-25). A leader that
    /// was paused and resumed gave no old answer in 20 trials.
    case leader
    /// The rows have every write that was completed before the read began.
    ///
    /// The leader first proves that it leads by a replicated write, which costs as much as a small write and waits for
    /// its turn among the writes: an upsert of the only row of the table `squall_barrier`, which is created when it is
    /// first needed.
    case linearizable
}

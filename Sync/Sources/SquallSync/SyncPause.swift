/// The pauses after failures: each is about twice as long as the one before, from a second to five minutes. A random part keeps devices from
/// coming back together.
struct SyncPause {
    private var limit = Duration.seconds(1)

    mutating func next() -> Duration {
        defer { limit = min(limit * 2, .seconds(300)) }
        return limit * Double.random(in: 0.5...1)
    }
}

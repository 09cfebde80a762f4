import Squall

/// Limits the messages of each kind in an interval. A plain value without a lock and a clock.
struct MessageLimiter {
    private struct Window {
        var end: ContinuousClock.Instant
        var count = 0
        var suppressed = 0
    }

    let maximum: Int
    let interval: Duration
    private var windows: [Message.Kind: Window] = [:]

    init(maximum: Int, interval: Duration) {
        self.maximum = max(1, maximum)
        self.interval = max(.zero, interval)
    }

    /// Decides about a message.
    ///
    /// - Returns: The number of messages of the kind that were suppressed since the last one; `nil` if this one is suppressed.
    mutating func admit(_ kind: Message.Kind, at now: ContinuousClock.Instant) -> Int? {
        var window = windows[kind] ?? Window(end: now.advanced(by: interval))
        defer { windows[kind] = window }
        if now >= window.end {
            window.end = now.advanced(by: interval)
            window.count = 0
        }
        guard window.count < maximum else {
            window.suppressed += 1
            return nil
        }
        window.count += 1
        defer { window.suppressed = 0 }
        return window.suppressed
    }

    /// Counts a message that is suppressed for another reason.
    mutating func suppress(_ kind: Message.Kind, at now: ContinuousClock.Instant) {
        windows[kind, default: Window(end: now.advanced(by: interval))].suppressed += 1
    }
}

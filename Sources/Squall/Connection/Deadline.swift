import Dispatch
import SquallSQLite

/// The instant at which a call, a wait or a statement must end.
///
/// Not a `ContinuousClock.Instant`: copies of that optional, whose layout is not known at compile time, were a third of the
/// instructions of an asynchronous read (2026-11-23). The clock is the same, and does not stop while the
/// system sleeps. A wait during which the system sleeps may end later.
@usableFromInline
struct Deadline: Comparable, Sendable {
    /// The time on `MonotonicClock`.
    private let time: UInt64

    /// Makes the instant after a duration from now. A negative duration is treated as zero.
    @usableFromInline
    init(after duration: Duration) {
        time = MonotonicClock.now.addingClamped(duration.clampedNanoseconds)
    }

    /// Whether the instant is not in the future.
    var hasPassed: Bool { MonotonicClock.now >= time }

    /// The duration from now until the instant; zero if it has passed.
    var rest: Duration { .nanoseconds(Int64(clamping: time.subtractingClamped(MonotonicClock.now))) }

    /// The instant as a time of the dispatch library, at most a billion seconds from now.
    var dispatchTime: DispatchTime { .now() + min(rest / .seconds(1), 1e9) }

    @usableFromInline
    static func < (lhs: Deadline, rhs: Deadline) -> Bool { lhs.time < rhs.time }
}

extension Duration {
    /// The nanoseconds, at least 0.
    var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = max(self, .zero).components
        let (product, isTooLarge) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? .max : product.addingClamped(UInt64(attoseconds / 1_000_000_000))
    }
}

extension UInt64 {
    fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }

    fileprivate func subtractingClamped(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}

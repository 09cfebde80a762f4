import SquallSQLite

/// The nanoseconds since the system was started, including the time for which it sleeps.
enum MonotonicClock {
    static var now: UInt64 {
        var time = timespec()
        #if os(Linux)
            clock_gettime(CLOCK_BOOTTIME, &time)
        #else
            clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        #endif
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    static func duration(since start: UInt64) -> Duration { .nanoseconds(Int64(clamping: now &- start)) }
}

/// A clock that is cheap to read and precise to some milliseconds, in nanoseconds.
enum CoarseClock {
    static var now: UInt64 {
        var time = timespec()
        #if os(Linux)
            clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        #else
            clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

/// Blocks the thread for a duration.
func sleepThread(_ duration: Duration) {
    let (seconds, attoseconds) = max(duration, .zero).components
    var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    // A signal ends the sleep early. `nanosleep` then stores the remaining time.
    while true {
        var time = rest
        if nanosleep(&time, &rest) == 0 { return }
    }
}

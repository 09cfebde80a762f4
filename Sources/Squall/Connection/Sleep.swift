import SquallSQLite

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

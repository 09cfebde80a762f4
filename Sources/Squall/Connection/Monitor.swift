import SquallSQLite

/// A lock with a condition that threads can wait for.
///
/// Sendable, because only pthread functions change the memory. It does not move, and is freed with the last reference
/// to the monitor.
final class Monitor: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Wakes all threads that wait. Called with the lock.
    func broadcast() { pthread_cond_broadcast(condition) }

    /// Waits for ``broadcast()``, at most for a duration; may return early. Called with the lock, which is released
    /// during the wait.
    func wait(atMost duration: Duration) {
        var end = timespec()
        // Conditions use this clock on every platform.
        clock_gettime(CLOCK_REALTIME, &end)
        let (seconds, attoseconds) = max(duration, .zero).components
        let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
        end.tv_sec += Int(min(seconds, 1_000_000_000)) + nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_cond_timedwait(condition, mutex, &end)
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A condition of a ``Locked`` variable that threads wait for.
///
/// Sendable, because only pthread functions change the memory. It does not move, and is freed with the last reference
/// to the condition variable.
package final class ConditionVariable: @unchecked Sendable {
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            // Not the wall clock, which may be set while a thread waits.
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Wakes all threads that wait. Called with the lock.
    package func broadcast() { pthread_cond_broadcast(condition) }

    /// Waits for ``broadcast()``, at most for a duration; may return early. Called with the mutex, which is
    /// released during the wait.
    func wait(with mutex: UnsafeMutablePointer<pthread_mutex_t>, atMost duration: Duration) {
        let (seconds, attoseconds) = min(max(duration, .zero), .seconds(1_000_000_000)).components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        #if canImport(Darwin)
            pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            time.tv_sec += now.tv_sec + (time.tv_nsec + now.tv_nsec) / 1_000_000_000
            time.tv_nsec = (time.tv_nsec + now.tv_nsec) % 1_000_000_000
            pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }
}

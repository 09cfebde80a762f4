#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A variable under a mutual exclusion lock.
///
///     private let names = Locked<Set<String>>([])
///     names.withLock { $0.insert(name) }
///
/// Not a `Mutex`, for which the thread sanitizer reports false races, and not an `NSLock`, whose calls cannot be inlined: 20 ns
/// instead of 7 without contention. A closure that locks again waits for itself.
///
/// Sendable, because the state is used only under the lock. An object of the state that is not `Sendable` must not be used after
/// its closure, or by one thread at a time.
public final class Locked<State>: @unchecked Sendable {
    // It does not move, and is freed with the last reference to the object.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // The lock excludes every other access.
    @usableFromInline @exclusivity(unchecked) var state: State

    public init(_ state: sending State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        #if canImport(Glibc)
            // Spins for a moment before it sleeps: the lock is held for less time than sleeping takes.
            var attributes = pthread_mutexattr_t()
            pthread_mutexattr_init(&attributes)
            pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
            pthread_mutex_init(mutex, &attributes)
            pthread_mutexattr_destroy(&attributes)
        #else
            pthread_mutex_init(mutex, nil)
        #endif
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Calls a closure with the variable, while no other thread uses it.
    @inlinable
    @inline(__always)
    public func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Calls a closure with the variable until it returns a value. Between two calls it waits for a broadcast, at most for a duration,
    /// without the lock.
    package func wait<Result>(
        for condition: ConditionVariable, atMost duration: @autoclosure () -> Duration,
        until body: (inout State) throws -> Result?
    ) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = try body(&state) { return result }
            condition.wait(with: mutex, atMost: duration())
        }
    }
}

/// A lock for variables that are stored elsewhere.
package typealias Lock = Locked<Void>

extension Locked where State == Void {
    package convenience init() { self.init(()) }

    @inlinable
    @inline(__always)
    package func lock() { pthread_mutex_lock(mutex) }

    @inlinable
    @inline(__always)
    package func unlock() { pthread_mutex_unlock(mutex) }

    /// Calls a closure, while no other thread has the lock.
    @inlinable
    @inline(__always)
    package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}

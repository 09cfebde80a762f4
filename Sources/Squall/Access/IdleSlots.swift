import Foundation

/// Where the connections of a ``PoolCore`` stay between two leases: each thread has a place, and a lock of its own, so that threads
/// that read at the same time do not wait for each other (with one lock, four threads on two cores took 1.5 of C).
///
/// A pooled that is parked keeps its permit. The core takes it from there for somebody else when it needs it; the lock of
/// the core, if both are held, is taken first.
///
/// Sendable, because each place is used under its lock alone. The connections are kept by the core.
struct IdleSlots: @unchecked Sendable {
    private struct Place {
        // The first, so that its address is that of the place.
        var mutex = pthread_mutex_t()
        var pooled: Unmanaged<PooledConnection>?
        /// Whether nobody may park here, because somebody waits for a pooled.
        var isBarred = false
        var nextLook: UInt64 = 0
        var usage = Usage()
    }

    /// What the leases from a place have done.
    struct Usage {
        var leases = 0
        var cacheHits = 0
        var cacheMisses = 0

        static func += (lhs: inout Usage, rhs: Usage) {
            lhs.leases += rhs.leases
            lhs.cacheHits += rhs.cacheHits
            lhs.cacheMisses += rhs.cacheMisses
        }
    }

    /// Each place on cache lines of its own.
    private static let stride = 256
    private let memory: UnsafeMutableRawPointer
    private let count: Int

    /// - Parameter connections: How many connections there are at most. There are more places, up to 16, so that few threads share one.
    init(connections: Int) {
        var count = 1
        while count < min(connections == 1 ? 1 : connections * 2, 16) { count *= 2 }
        self.count = count
        memory = .allocate(byteCount: count * Self.stride, alignment: Self.stride)
        for index in 0..<count {
            let place = place(index)
            place.initialize(to: Place())
            pthread_mutex_init(mutex(of: place), nil)
        }
    }

    func deallocate() {
        for index in 0..<count { pthread_mutex_destroy(mutex(of: place(index))) }
        memory.deallocate()
    }

    @inline(__always)
    private func place(_ index: Int) -> UnsafeMutablePointer<Place> {
        (memory + index * Self.stride).assumingMemoryBound(to: Place.self)
    }

    @inline(__always)
    private func mutex(of place: UnsafeMutablePointer<Place>) -> UnsafeMutablePointer<pthread_mutex_t> {
        UnsafeMutableRawPointer(place).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    /// The place of this thread.
    @inline(__always)
    private var own: UnsafeMutablePointer<Place> {
        #if canImport(Darwin)
            let thread = UInt64(UInt(bitPattern: pthread_self()))
        #else
            let thread = UInt64(pthread_self())
        #endif
        return place(Int(truncatingIfNeeded: (thread &* 0x9e37_79b9_7f4a_7c15) >> 40) & (count - 1))
    }

    @inline(__always)
    private func with<Result>(
        _ place: UnsafeMutablePointer<Place>, _ body: (UnsafeMutablePointer<Place>) -> Result
    ) -> Result {
        pthread_mutex_lock(mutex(of: place))
        defer { pthread_mutex_unlock(mutex(of: place)) }
        return body(place)
    }

    /// The pooled at the place of this thread, and whether it is time to look at the file.
    @inline(__always)
    func take(_ now: UInt64, timeBetweenLooks: UInt64) -> (pooled: PooledConnection, looks: Bool)? {
        with(own) { place in
            guard let pooled = place.pointee.pooled else { return nil }
            place.pointee.pooled = nil
            place.pointee.usage.leases += 1
            let looks = now >= place.pointee.nextLook
            if looks { place.pointee.nextLook = now + timeBetweenLooks }
            return (pooled.takeUnretainedValue(), looks)
        }
    }

    /// Parks a pooled at the place of this thread, if it is free.
    @inline(__always)
    func park(_ pooled: PooledConnection, _ usage: Usage) -> Bool {
        with(own) { place in
            guard !place.pointee.isBarred, place.pointee.pooled == nil else { return false }
            place.pointee.pooled = .passUnretained(pooled)
            place.pointee.usage += usage
            return true
        }
    }

    /// Any pooled that is parked.
    func takeAny() -> PooledConnection? {
        for index in 0..<count {
            let pooled = with(place(index)) { place in
                defer { place.pointee.pooled = nil }
                return place.pointee.pooled
            }
            if let pooled { return pooled.takeUnretainedValue() }
        }
        return nil
    }

    /// Lets nobody park any more, or everybody again.
    ///
    /// - Returns: The connections that were parked.
    func bar(_ isBarred: Bool) -> [PooledConnection] {
        (0..<count).compactMap { index in
            with(place(index)) { place in
                place.pointee.isBarred = isBarred
                defer { if isBarred { place.pointee.pooled = nil } }
                return isBarred ? place.pointee.pooled?.takeUnretainedValue() : nil
            }
        }
    }

    func lookAgain() {
        for index in 0..<count { with(place(index)) { $0.pointee.nextLook = 0 } }
    }

    var parked: Int { (0..<count).count { index in with(place(index)) { $0.pointee.pooled != nil } } }

    var usage: Usage {
        (0..<count).reduce(into: Usage()) { sum, index in sum += with(place(index)) { $0.pointee.usage } }
    }
}

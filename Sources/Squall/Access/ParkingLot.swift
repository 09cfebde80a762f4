import Foundation

/// Where the seats of a ``Lender`` stay between two loans: each thread has a place, and a lock of its own, so that threads
/// that read at the same time do not wait for each other (with one lock, four threads on two cores took 1.5 of C).
///
/// A seat that is parked keeps its permit. The lender takes it from there for somebody else when it needs it; the lock of
/// the lender, if both are held, is taken first.
///
/// Sendable, because each place is used under its lock alone. The seats are kept by the lender.
struct ParkingLot: @unchecked Sendable {
    private struct Place {
        // The first, so that its address is that of the place.
        var mutex = pthread_mutex_t()
        var seat: Unmanaged<Seat>?
        /// Whether nobody may park here, because somebody waits for a seat.
        var isBarred = false
        var nextLook: UInt64 = 0
        var usage = Usage()
    }

    /// What the loans from a place have done.
    struct Usage {
        var loans = 0
        var cacheHits = 0
        var cacheMisses = 0

        static func += (lhs: inout Usage, rhs: Usage) {
            lhs.loans += rhs.loans
            lhs.cacheHits += rhs.cacheHits
            lhs.cacheMisses += rhs.cacheMisses
        }
    }

    /// Each place on cache lines of its own.
    private static let stride = 256
    private let memory: UnsafeMutableRawPointer
    private let count: Int

    /// - Parameter seats: How many seats there are at most. There are more places, up to 16, so that few threads share one.
    init(seats: Int) {
        var count = 1
        while count < min(seats == 1 ? 1 : seats * 2, 16) { count *= 2 }
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

    /// The seat at the place of this thread, and whether it is time to look at the file.
    @inline(__always)
    func take(_ now: UInt64, timeBetweenLooks: UInt64) -> (seat: Seat, looks: Bool)? {
        with(own) { place in
            guard let seat = place.pointee.seat else { return nil }
            place.pointee.seat = nil
            place.pointee.usage.loans += 1
            let looks = now >= place.pointee.nextLook
            if looks { place.pointee.nextLook = now + timeBetweenLooks }
            return (seat.takeUnretainedValue(), looks)
        }
    }

    /// Parks a seat at the place of this thread, if it is free.
    @inline(__always)
    func park(_ seat: Seat, _ usage: Usage) -> Bool {
        with(own) { place in
            guard !place.pointee.isBarred, place.pointee.seat == nil else { return false }
            place.pointee.seat = .passUnretained(seat)
            place.pointee.usage += usage
            return true
        }
    }

    /// Any seat that is parked.
    func takeAny() -> Seat? {
        for index in 0..<count {
            let seat = with(place(index)) { place in
                defer { place.pointee.seat = nil }
                return place.pointee.seat
            }
            if let seat { return seat.takeUnretainedValue() }
        }
        return nil
    }

    /// Lets nobody park any more, or everybody again.
    ///
    /// - Returns: The seats that were parked.
    func bar(_ isBarred: Bool) -> [Seat] {
        (0..<count).compactMap { index in
            with(place(index)) { place in
                place.pointee.isBarred = isBarred
                defer { if isBarred { place.pointee.seat = nil } }
                return isBarred ? place.pointee.seat?.takeUnretainedValue() : nil
            }
        }
    }

    func lookAgain() {
        for index in 0..<count { with(place(index)) { $0.pointee.nextLook = 0 } }
    }

    var parked: Int { (0..<count).count { index in with(place(index)) { $0.pointee.seat != nil } } }

    var usage: Usage {
        (0..<count).reduce(into: Usage()) { sum, index in sum += with(place(index)) { $0.pointee.usage } }
    }
}

import SquallSQLite

/// Idle connections of a ``PoolCore``, one for each thread that reads. With them, threads that read at the same time do
/// not wait for the core's lock: four threads on two cores took 1.50× C with that lock alone, and 1.36× with slots.
///
/// A connection in a slot keeps its permit. The core takes it out when another thread needs a connection. A thread that
/// needs both locks takes that of the core first.
///
/// Sendable, because each slot is used under its own lock. The core keeps the connections alive.
struct IdleSlots: @unchecked Sendable {
    private struct IdleSlot {
        var mutex = pthread_mutex_t()
        // Unmanaged: the core's list of open connections keeps it. It is removed from that list only after it has been
        // taken out of its slot.
        var pooled: Unmanaged<PooledConnection>?
        /// Whether a connection may be put here.
        var isOpen = true
        /// Whether a connection here may keep a snapshot.
        var isKeeping = true
        /// Whether a timer will end the snapshot that an idle connection keeps.
        var isWatched = false
        var nextFileCheck: UInt64 = 0
        var usage = Usage()
        var timing = Timing.none
    }

    /// Chooses the leases whose time is measured, by the bits of their number that are 0.
    struct Timing {
        let mask: Int

        // No lease has the number 0.
        static let none = Timing(mask: .max)
        static let sample = Timing(mask: 63)
        static let all = Timing(mask: 0)

        @inline(__always)
        func includes(_ lease: Int) -> Bool { lease & mask == 0 }
    }

    /// The number of leases from slots, of reads that have continued a transaction, of uses of the statement cache, and of rows.
    struct Usage {
        var leases = 0
        var continuedReads = 0
        var cacheHits = 0
        var cacheMisses = 0
        var returnedRows = 0

        static func += (lhs: inout Usage, rhs: Usage) {
            lhs.leases += rhs.leases
            lhs.continuedReads += rhs.continuedReads
            lhs.cacheHits += rhs.cacheHits
            lhs.cacheMisses += rhs.cacheMisses
            lhs.returnedRows += rhs.returnedRows
        }
    }

    /// The distance between two slots: each has its own cache lines.
    private static let stride = 256
    private let memory: UnsafeMutableRawPointer
    private let count: Int
    /// A stored property: a static property took 13 of the 175 ns of an empty read (2026-11-22).
    private let mutexOffset = MemoryLayout<IdleSlot>.offset(of: \.mutex) ?? 0
    private let threadNumbers = ThreadNumbers.shared

    /// - Parameter connections: The maximum number of connections. There are twice as many slots, up to 16, so that few
    ///   threads share a slot.
    init(connections: Int) {
        var count = 1
        while count < min(connections == 1 ? 1 : connections * 2, 16) { count *= 2 }
        self.count = count
        memory = .allocate(byteCount: count * Self.stride, alignment: Self.stride)
        for index in 0..<count {
            let slot = slot(index)
            slot.initialize(to: IdleSlot())
            pthread_mutex_init(mutex(of: slot), nil)
        }
    }

    func deallocate() {
        for index in 0..<count { pthread_mutex_destroy(mutex(of: slot(index))) }
        memory.deallocate()
    }

    @inline(__always)
    private func slot(_ index: Int) -> UnsafeMutablePointer<IdleSlot> {
        (memory + index * Self.stride).assumingMemoryBound(to: IdleSlot.self)
    }

    @inline(__always)
    private func mutex(of slot: UnsafeMutablePointer<IdleSlot>) -> UnsafeMutablePointer<pthread_mutex_t> {
        (UnsafeMutableRawPointer(slot) + mutexOffset).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    /// The slot of this thread.
    @inline(__always)
    private var own: UnsafeMutablePointer<IdleSlot> { slot(ownIndex) }

    @inline(__always)
    private var ownIndex: Int { threadNumbers.current & (count - 1) }

    @inline(__always)
    private func with<Result>(
        _ slot: UnsafeMutablePointer<IdleSlot>, _ body: (UnsafeMutablePointer<IdleSlot>) -> Result
    ) -> Result {
        pthread_mutex_lock(mutex(of: slot))
        defer { pthread_mutex_unlock(mutex(of: slot)) }
        return body(slot)
    }
}

// MARK: - One slot

extension IdleSlots {
    /// Takes the connection out of this thread's slot, and returns whether the file must be checked.
    @inline(__always)
    func take(_ now: UInt64, timeBetweenChecks: UInt64) -> (pooled: PooledConnection, checksFile: Bool)? {
        with(own) { slot in
            guard let pooled = slot.pointee.pooled else { return nil }
            slot.pointee.pooled = nil
            slot.pointee.usage.leases += 1
            let isTimed = slot.pointee.timing.includes(slot.pointee.usage.leases)
            pooled._withUnsafeGuaranteedRef {
                $0.held.leaseTime = now
                if isTimed { $0.callStart = MonotonicClock.now }
            }
            let checksFile = now >= slot.pointee.nextFileCheck
            if checksFile { slot.pointee.nextFileCheck = now + timeBetweenChecks }
            return (pooled.takeUnretainedValue(), checksFile)
        }
    }

    enum Placement {
        case accepted
        /// Accepted, with a snapshot for which ``endIdleSnapshot(_:leasedBefore:)`` must be called later.
        case acceptedToWatch(slot: Int)
        /// The slot is in use, or connections are not shared now.
        case refused
    }

    /// Puts a connection into this thread's slot.
    @inline(__always)
    func put(_ pooled: PooledConnection, _ usage: Usage) -> Placement {
        let index = ownIndex
        return with(slot(index)) { slot in
            guard slot.pointee.isOpen, slot.pointee.pooled == nil else { return .refused }
            slot.pointee.pooled = .passUnretained(pooled)
            slot.pointee.usage += usage
            guard pooled.held.isKept else { return .accepted }
            guard slot.pointee.isKeeping else {
                pooled.endKeptSnapshot()
                return .accepted
            }
            if slot.pointee.isWatched { return .accepted }
            slot.pointee.isWatched = true
            return .acceptedToWatch(slot: index)
        }
    }
}

// MARK: - Kept snapshots

extension IdleSlots {
    /// Ends the snapshot that the connection of a slot keeps, if the connection was leased before a time.
    ///
    /// - Returns: Whether to call this again later.
    func endIdleSnapshot(_ index: Int, leasedBefore time: UInt64) -> Bool {
        with(slot(index)) { slot in
            slot.pointee.isWatched = false
            guard let pooled = slot.pointee.pooled?.takeUnretainedValue(), pooled.held.isKept else { return false }
            guard pooled.held.leaseTime >= time else {
                pooled.endKeptSnapshot()
                return false
            }
            slot.pointee.isWatched = true
            return true
        }
    }

    /// Sets whether connections that are put into slots may keep snapshots; with `false`, also ends those that are kept. While a
    /// checkpoint of the database runs, a reader that never pauses would otherwise keep it waiting.
    func setKeeping(_ isKeeping: Bool) {
        for index in 0..<count {
            with(slot(index)) { slot in
                slot.pointee.isKeeping = isKeeping
                if !isKeeping { slot.pointee.pooled?.takeUnretainedValue().endKeptSnapshot() }
            }
        }
    }
}

// MARK: - All slots

extension IdleSlots {
    /// Takes a connection from any slot. It does not keep a snapshot.
    func takeAny() -> PooledConnection? {
        for index in 0..<count {
            let pooled = with(slot(index)) { slot in
                defer { slot.pointee.pooled = nil }
                return slot.pointee.pooled?.takeUnretainedValue()
            }
            if let pooled {
                pooled.endKeptSnapshot()
                return pooled
            }
        }
        return nil
    }

    /// Sets whether connections may be put into slots; with `false`, also empties them.
    ///
    /// - Returns: The connections that were in slots. None keeps a snapshot.
    func setSharing(_ isSharing: Bool) -> [PooledConnection] {
        let taken: [PooledConnection] = (0..<count).compactMap { index in
            with(slot(index)) { slot in
                slot.pointee.isOpen = isSharing
                guard !isSharing else { return nil }
                defer { slot.pointee.pooled = nil }
                return slot.pointee.pooled?.takeUnretainedValue()
            }
        }
        for pooled in taken { pooled.endKeptSnapshot() }
        return taken
    }

    /// Sets whose time is measured.
    func setTiming(_ timing: Timing) {
        for index in 0..<count { with(slot(index)) { $0.pointee.timing = timing } }
    }

    /// Makes the next lease from each slot check the file.
    func requireFileCheck() {
        for index in 0..<count { with(slot(index)) { $0.pointee.nextFileCheck = 0 } }
    }

    /// The number of connections in slots.
    var connections: Int { (0..<count).count { index in with(slot(index)) { $0.pointee.pooled != nil } } }

    var usage: Usage {
        (0..<count).reduce(into: Usage()) { sum, index in sum += with(slot(index)) { $0.pointee.usage } }
    }
}

import Dispatch

extension PoolCore {
    /// The time between two looks at a connection that keeps a snapshot.
    private static let timeBetweenLooks = DispatchTimeInterval.milliseconds(10)
    /// The time for which an idle connection keeps its snapshot, in nanoseconds.
    private static let longestIdleTime: UInt64 = 5_000_000

    /// Ends the snapshot of the connection in a slot when no read has used it for a while.
    func watch(_ slot: Int) {
        DispatchQueue.squallTimers.asyncAfter(deadline: .now() + Self.timeBetweenLooks) { [weak self] in
            guard let self, !fork.isChild else { return }
            if idleSlots.endIdleSnapshot(slot, leasedBefore: CoarseClock.now - Self.longestIdleTime) { watch(slot) }
        }
    }
}

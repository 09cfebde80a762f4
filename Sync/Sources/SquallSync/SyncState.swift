import Foundation
import SquallChanges

/// The state of a device beside its hub.
public enum SyncState: Sendable {
    /// The device has sent and received everything.
    case upToDate
    /// The device sends this number of transactions.
    case sending(Int)
    /// The device receives changes.
    case receiving
    /// An attempt has failed, and the next one is made at this time.
    case waiting(retryAt: Date, error: any Error)
    /// Changes of the device that did not fit those of the hub, each with both rows. The rows of the winners are in the tables.
    case conflicts([SyncConflict])
    /// The tables of the hub have this version: one side must be migrated.
    case needsMigration(hub: Int)
}

/// The work of one synchronisation.
public struct SyncSummary: Sendable {
    /// The number of transactions that were sent.
    public internal(set) var sent = 0
    /// The changes of rows that were received.
    public internal(set) var received: [SyncChange] = []
    /// The changes of this device that did not fit those of the hub, each with both rows.
    public internal(set) var conflicts: [SyncConflict] = []
}

/// The streams of a device's states.
struct SyncStates {
    private var last: SyncState?
    private var streams: [UUID: AsyncStream<SyncState>.Continuation] = [:]

    /// Adds a stream, which begins with the last state.
    mutating func add(_ stream: AsyncStream<SyncState>.Continuation, _ id: UUID) {
        streams[id] = stream
        if let last { stream.yield(last) }
    }

    mutating func remove(_ id: UUID) { streams[id] = nil }

    mutating func report(_ state: SyncState) {
        last = state
        for stream in streams.values { stream.yield(state) }
    }
}

/// Ends the snapshots that idle readers keep before a checkpoint of their writer, which they would block, and reports its end.
final class CheckpointFollower: ConnectionFollower {
    let events: FollowedEvents
    private let readers: PoolCore?
    private let databaseEvents: DatabaseEvents?

    init(readers: PoolCore?, databaseEvents: DatabaseEvents?) {
        self.readers = readers
        self.databaseEvents = databaseEvents
        events = databaseEvents == nil ? [] : .checkpoints
    }

    func willCheckpoint() { readers?.idleSlots.setKeeping(false) }

    func didEndCheckpoint() { readers?.idleSlots.setKeeping(true) }

    func didCheckpoint(_ run: CheckpointRun) {
        databaseEvents?.send(.checkpointEnded(DatabaseEvent.Checkpoint(run)))
    }
}

import Squall

/// Snapshots that are held while others write.
final class SnapshotFeature: FeatureParts {
    private var held: (snapshot: ReadSnapshot, rows: Model)?

    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        if held != nil {
            world.log("try snapshot.close()")
            try release()
        }
        world.declare("snapshot", "ReadSnapshot", end: "try snapshot?.close()")
        world.log("snapshot = try db.blocking.snapshot()")
        let snapshot = try world.database.blocking.snapshot()
        held = (snapshot, world.model)
        try UsedSnapshot(snapshot: snapshot, database: world.database, world: world).check()
        if dice.once(in: 2) { try UsedSnapshot.checkInMemory(world) }
        try world.check()
        // Outside WAL, no connection can write while a snapshot is open.
        if world.settings.configuration.journalMode == .delete { try release() }
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        guard let held else { return }
        try held.snapshot.blocking.read {
            try require(world.rows(of: $0), equals: held.rows, "rows of a snapshot")
        }
    }

    /// A suspension has closed the snapshot.
    func resumed(_ world: World) throws { held = nil }

    private func release() throws {
        try held?.snapshot.close()
        held = nil
    }

    func stop() { try? release() }
}

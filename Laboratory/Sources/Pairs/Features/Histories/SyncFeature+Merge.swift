import Squall
import SquallChanges

extension SyncFeature {
    /// Merges in the transaction that has written one of the same rows: that row is left out of the step of a history.
    func mergeInsideTransaction(_ world: World, _ dice: inout Dice) throws {
        guard let replica else { return }
        let (both, alone) = (newRow(&dice), newRow(&dice))
        try world.write([.insert([both, alone], .record)], nil, &dice)
        try exchange(world)
        var remote = both
        (remote.price, remote.stars) = (77.5, 9)
        try record(.update(remote, .sql), world)
        var mine = [both, alone]
        for index in mine.indices { mine[index].name = "local gamma" }
        let changes = mine.map { Change.update($0, .sql) }
        let origin = replica.log.origin
        world.log("_ = try db.blocking.write { c in\ntry hubLog.record(on: c) { (c) -> Void in")
        for change in changes { world.log("    " + change.swift(world.shape)) }
        world.log(
            """
            }
            let position = try hubLog.cursor(of: "\(origin)", on: c)
            return try hubLog.merge(\(origin)Log.changes(since: position, on: \(origin)), on: c)
            }
            """)
        try world.database.blocking.write { connection in
            try hub.record(on: connection) {
                for change in changes { try change.run($0, world.verbs, world.shape) }
            }
            let position = try hub.cursor(of: origin, on: connection)
            let batch = try replica.log.changes(since: position, on: replica.connection)
            try requireClear(hub.merge(batch, on: connection), "inside a transaction")
        }
        // Of peers, the whole row wins.
        if !arePeers { remote.name = mine[0].name }
        var (new, before) = (world.model, world.model)
        (new.items[both.id], new.items[alone.id]) = (remote, mine[1])
        (before.items[both.id], before.items[alone.id]) = (remote, alone)
        try requireClear(take(world), "after a merge inside a transaction")
        try world.commit(new, by: self, step: (before, new))
        for case let part as UndoFeature in world.parts { try part.move(world, isRedo: false) }
        try exchange(world)
    }
}

import Squall
import SquallChanges

extension SyncFeature {
    /// Opens the log of a copy: in the name of the original, which goes on, and as another peer. Other roles have no second log.
    func opened(_ copy: UsedCopy) throws {
        guard copy.world.parts.first(where: { $0 is SyncFeature }) === self, let replica,
            generation == shared.generation
        else { return }
        let position = try replica.log.cursor(of: "hub", on: replica.connection)
        let log = try open(copy, "hub")
        copy.surround = { connection, body in try log.record(on: connection) { try body($0) } }
        try copy.write(.insertAuthor(900))
        let batch = try copy.database.blocking.read { try log.changes(since: position, on: $0) }
        try require(
            !batch.isEmpty && batch.sender == "hub" && (position == nil || batch.start == position),
            "the log of a copy does not go on: \(batch) after \(String(describing: position))")
        try copy.write(.deleteAuthor(900))
        if !arePeers {
            do {
                _ = try open(copy, "copy")
                throw Violation(description: "the log of a hub was opened with another origin")
            } catch let error as SQLiteError
                where error.problem(SyncProblem.self) == .otherLog(origin: "hub", role: "hub")
            {}
            return
        }
        let other = try open(copy, "copy")
        copy.surround = { connection, body in try other.record(on: connection) { try body($0) } }
        let (all, later) = try copy.database.blocking.read {
            (try other.changes(on: $0), try other.changes(since: position, on: $0))
        }
        try require(
            all.sender == "copy" && all.count == later.count,
            "the log of a copied peer sends \(later) after a position of the other log, and not \(all)")
    }

    private func open(_ copy: UsedCopy, _ origin: String) throws -> SyncLog {
        try copy.database.blocking.write { connection in
            try SyncLog(
                connection, origin: origin, role: arePeers ? .peer : .hub, tables: tables, version: shared.version,
                runsTriggers: copy.world.shape.hasTriggers)
        }
    }

    /// A new peer gets all rows of a copied peer, and sends it one.
    func written(_ copy: UsedCopy) throws {
        let world = copy.world
        let isOpen = world.parts.first(where: { $0 is SyncFeature }) === self && generation == shared.generation
        guard arePeers, !shared.isOutdated, isOpen else { return }
        let (log, peer) = (try open(copy, "copy"), try world.connection(":memory:", .create))
        defer { peer.close() }
        if try !copy.database.blocking.read({ try log.pending(on: $0) }).isEmpty { return }
        try peer.execute("\(raw: world.shape.definition)")
        let peerLog = try SyncLog(peer, origin: "new peer", role: .peer, tables: tables, version: shared.version)
        try requireClear(
            peerLog.merge(copy.database.blocking.read { try log.changes(on: $0) }, on: peer), "at a new peer")
        try require(world.rows(of: peer), equals: copy.model, "rows of a new peer of a copied one")
        let change = Change.insertAuthor(901)
        try peerLog.record(on: peer) { try change.run($0, world.verbs, world.shape) }
        let batch = try peerLog.changes(on: peer)
        try requireClear(copy.database.blocking.write { try log.merge(batch, on: $0) }, "at a copied peer")
        copy.take(change)
        try copy.check()
    }
}

import Squall
import SquallChanges

/// A hub and a replica, or two peers. The other one has all changes when it writes, so that nothing is a conflict.
final class SyncFeature: FeatureParts {
    private let suffix: String
    private var hub: SyncLog?
    private var replica: (connection: Connection, log: SyncLog)?
    /// The key of the next row that only the hub writes.
    private var nextKey: Int64
    /// Whether rows were written outside `record`, which the replica never gets.
    private var isDiverged = false
    private let arePeers: Bool
    private let origin: String
    /// Whether the changes of transactions are recorded here: a second replica has the same hub.
    private var isRecording = true

    init(_ suffix: String, peers arePeers: Bool = false) {
        (self.suffix, self.arePeers, origin) = (suffix, arePeers, "replica_\(suffix)")
        nextKey = suffix == "a" ? 1_000 : suffix == "b" ? 2_000 : 3_000
    }

    /// The policies. A peer that writes over a row wins, whatever the values of its column are.
    private var tables: [String: SyncLog.Policy] {
        arePeers
            ? ["items": .lastWriter(by: "stars"), "authors": .lastWriter(by: "name")]
            : ["items": .hubWins, "authors": .hubWins]
    }

    func setUp(_ world: World) throws {
        isRecording = world.parts.first { $0 is SyncFeature } === self
        let connection = try world.connection("\(world.folder)/replica_\(suffix).db", .create)
        try connection.execute("\(raw: world.shape.definition)")
        world.log(
            """
            let replica = try Connection(replicaPath); try replica.execute(#"\(world.shape.definition)"#)
            let tables: [String: SyncLog.Policy] = \(tables)
            let hubLog = try db.blocking.write { try SyncLog($0, origin: "hub", role: .\(arePeers ? "peer" : "hub"), \
            tables: tables, runsTriggers: \(world.shape.hasTriggers)) }
            let log = try SyncLog(replica, origin: "\(origin)", role: .\(arePeers ? "peer" : "replica"), tables: tables)
            // Each transaction of the hub is inside hubLog.record(on: c).
            """)
        hub = try world.database.blocking.write {
            try SyncLog(
                $0, origin: "hub", role: arePeers ? .peer : .hub, tables: tables,
                runsTriggers: world.shape.hasTriggers)
        }
        let log = try SyncLog(
            connection, origin: origin, role: arePeers ? .peer : .replica, tables: tables)
        replica = (connection, log)
        try exchange(world)
    }

    func surround(_ connection: Connection, _ body: (Connection) throws -> Void) throws {
        guard let hub, isRecording else { return try body(connection) }
        try hub.record(on: connection) { try body($0) }
    }

    /// Sends the changes of the replica, and takes those of the hub.
    private func exchange(_ world: World) throws {
        guard let hub, let replica else { return }
        world.log(
            "try db.blocking.write { try hubLog.merge(log.changes(since: hubLog.cursor(of: \"\(origin)\", on: $0), on: replica), on: $0) }"
        )
        let report = try world.database.blocking.write { connection in
            let position = try hub.cursor(of: origin, on: connection)
            return try hub.merge(replica.log.changes(since: position, on: replica.connection), on: connection)
        }
        try require(isClear(report, world), "conflicts at the hub: \(report)")
        try take(world)
    }

    /// Takes the changes of the hub.
    private func take(_ world: World) throws {
        guard let hub, let replica else { return }
        world.log(
            """
            let position = try log.cursor(of: "hub", on: replica)
            try log.merge(db.blocking.read { try hubLog.changes(since: position, on: $0) }, on: replica)
            """)
        let position = try replica.log.cursor(of: "hub", on: replica.connection)
        let news = try world.database.blocking.read { try hub.changes(since: position, on: $0) }
        let back = try replica.log.merge(news, on: replica.connection)
        try require(isClear(back, world), "conflicts at the replica: \(back)")
    }

    private func isClear(_ report: SyncReport, _ world: World) -> Bool {
        // Only triggers and the actions of foreign keys make changes of their own in a merge.
        let mayRecord = world.shape.hasTriggers || world.shape.hasActions
        // Peers also send what they have received, of which later versions are there.
        return report.conflicts.isEmpty && report.pending.isEmpty && (mayRecord || report.recorded.isEmpty)
    }

    /// The replica takes what the hub has, and writes; the hub writes a row that the replica may take before it sends.
    func step(_ world: World, _ dice: inout Dice) throws {
        guard let replica, !isDiverged else { return }
        try exchange(world)
        var (new, changes) = (world.model, [Change]())
        for _ in 0...dice.number(below: 3) {
            let change = Change.random(new, world.shape, &dice)
            change.apply(to: &new, world.shape)
            if world.shape.reference == .deferred, !new.hasAllAuthors { return }
            changes.append(change)
        }
        // One transaction, or one for each change.
        for changes in dice.once(in: 2) ? [changes] : changes.map({ [$0] }) {
            world.log("try log.record(on: replica) { c in")
            for change in changes { world.log("    " + change.swift(world.shape)) }
            world.log("}")
            try replica.log.record(on: replica.connection) { connection in
                for change in changes { try change.run(connection, world.verbs, world.shape) }
            }
        }
        if !world.hidesTables, dice.once(in: 2) {
            let row = ItemRow(id: nextKey, &dice)
            nextKey += 1
            try world.write([.insert([row], .record)], nil, &dice)
            // A door of a database may be one that no log records.
            if isDiverged { return }
            new.items[row.id] = row
            try take(world)
            try require(
                world.rows(of: replica.connection).fingerprints, equals: new.fingerprints,
                "rows of a replica that has not sent")
        }
        try exchange(world)
        try world.commit(new, by: self)
        try world.checkCopiedRows(replica.connection, "the replica")
    }

    /// A log records by itself what a history undoes.
    func committed(_ commit: Commit, _ world: World) throws {
        if commit.origin == .surrounded || commit.author is SyncFeature || commit.author is UndoFeature { return }
        if !commit.isEmpty { isDiverged = true }
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}
}

import Foundation
import Squall
import SquallChanges

/// A hub and a replica, or two peers, and another replica that only receives, whose table has a column more.
final class SyncFeature: FeatureParts {
    /// A database that exchanges changes with the common one.
    struct Replica {
        let connection: Connection
        var log: SyncLog
    }

    let suffix: String
    let arePeers: Bool
    /// The key of the next row that only this feature writes.
    var nextKey: Int64
    /// The log of the database, which is the one of the first of these features.
    private var shared: SharedLog
    var replica: Replica?
    private var wide: Replica?
    /// The log from which the replicas were made.
    private var generation = 0

    /// The log of a database.
    final class SharedLog {
        var log: SyncLog?
        var version = 0
        /// The number of times that the log was made.
        var generation = 0
        /// Whether rows were written outside `record`, of which the log has nothing.
        var isOutdated = false
    }

    init(_ suffix: String, peers arePeers: Bool = false) {
        (self.suffix, self.arePeers) = (suffix, arePeers)
        nextKey = suffix == "a" ? 1_000 : suffix == "b" ? 2_000 : 3_000
        shared = SharedLog()
    }

    var hub: SyncLog {
        get throws { try shared.log ?? { throw Violation(description: "there is no log") }() }
    }

    /// The policies. A peer that writes over a row wins, whatever the values of its column are.
    var tables: [String: SyncLog.Policy] {
        arePeers
            ? ["items": .lastWriter(by: "stars"), "authors": .lastWriter(by: "name")]
            : ["items": .hubWins, "authors": .hubWins]
    }

    func setUp(_ world: World) throws {
        if let first = world.parts.lazy.compactMap({ $0 as? SyncFeature }).first { shared = first.shared }
        world.log(
            """
            let tables: [String: SyncLog.Policy] = \(tables)
            let hubLog = try db.blocking.write { try SyncLog($0, origin: "hub", role: .\(arePeers ? "peer" : "hub"), \
            tables: tables, runsTriggers: \(world.shape.hasTriggers)) }
            // Each transaction of the hub is inside hubLog.record(on: c).
            """)
        try open(world, tables)
        try makeReplicas(world)
    }

    /// Opens the logs with policies.
    func open(_ world: World, _ tables: [String: SyncLog.Policy]) throws {
        try world.database.blocking.write { try openHub($0, world, tables) }
        if let replica {
            self.replica?.log = try SyncLog(
                replica.connection, origin: replica.log.origin, role: replica.log.role, tables: tables,
                version: shared.version)
        }
    }

    private func openHub(_ connection: Connection, _ world: World, _ tables: [String: SyncLog.Policy]) throws {
        shared.log = try SyncLog(
            connection, origin: "hub", role: arePeers ? .peer : .hub, tables: tables, version: shared.version,
            runsTriggers: world.shape.hasTriggers)
    }

    /// Makes new replicas, which get all rows.
    private func makeReplicas(_ world: World) throws {
        generation = shared.generation
        replica?.connection.close()
        wide?.connection.close()
        replica = try makeReplica(world, "replica_\(suffix)\(generation)", addition: "")
        wide = try makeReplica(
            world, "wide_\(suffix)\(generation)", addition: "; ALTER TABLE items ADD COLUMN extra TEXT DEFAULT 'wide'")
        try exchange(world)
        try takeWide(world)
    }

    private func makeReplica(_ world: World, _ origin: String, addition: String) throws -> Replica {
        let role = arePeers ? SyncLog.Role.peer : .replica
        world.log(
            """
            let \(origin) = try Connection(\(origin)Path); try \(origin).execute(#"\(world.shape.definition)\(addition)"#)
            let \(origin)Log = try SyncLog(\(origin), origin: "\(origin)", role: .\(role), tables: tables, version: \(shared.version))
            """)
        let connection = try world.connection("\(world.folder)/\(origin).db", .create)
        try connection.execute("\(raw: world.shape.definition + addition)")
        return Replica(
            connection: connection,
            log: try SyncLog(connection, origin: origin, role: role, tables: tables, version: shared.version))
    }

    /// Makes the log again where rows were written outside `record`: the rows that a table has when it enters a log are sent.
    private func renew(_ world: World) throws {
        if shared.isOutdated {
            world.log(
                """
                try db.blocking.write {
                    for name in tables.keys { try SyncLog.remove(name, on: $0) }
                    hubLog = try SyncLog($0, …)
                }
                """)
            try world.database.blocking.write { connection in
                for name in tables.keys.sorted() { try SyncLog.remove(name, on: connection) }
                try openHub(connection, world, tables)
            }
            shared.isOutdated = false
            shared.generation += 1
        }
        if generation != shared.generation { try makeReplicas(world) }
    }

    func surround(_ connection: Connection, _ body: (Connection) throws -> Void) throws {
        // A second of these features has the same log.
        guard let log = shared.log else { return try body(connection) }
        try log.record(on: connection) { try body($0) }
    }

    // MARK: - Exchanging

    /// Sends the changes of the replica, and takes those of the hub. Nothing may be a conflict.
    func exchange(_ world: World) throws {
        try requireClear(send(world), "at the hub")
        try requireClear(take(world), "at the replica")
    }

    /// Sends the changes of the replica.
    func send(_ world: World) throws -> SyncReport {
        guard let replica else { throw Violation(description: "there is no replica") }
        let origin = replica.log.origin
        world.log(
            "try db.blocking.write { try hubLog.merge(\(origin)Log.changes(since: hubLog.cursor(of: \"\(origin)\", on: $0), on: \(origin)), on: $0) }"
        )
        return try world.database.blocking.write { connection in
            let position = try hub.cursor(of: origin, on: connection)
            return try hub.merge(replica.log.changes(since: position, on: replica.connection), on: connection)
        }
    }

    /// Takes the changes of the hub.
    func take(_ world: World) throws -> SyncReport {
        guard let replica else { throw Violation(description: "there is no replica") }
        return try take(world, replica)
    }

    private func take(_ world: World, _ replica: Replica) throws -> SyncReport {
        let origin = replica.log.origin
        world.log(
            "try \(origin)Log.merge(db.blocking.read { try hubLog.changes(since: \(origin)Log.cursor(of: \"hub\", on: \(origin)), on: $0) }, on: \(origin))"
        )
        let position = try replica.log.cursor(of: "hub", on: replica.connection)
        let news = try world.database.blocking.read { try hub.changes(since: position, on: $0) }
        return try replica.log.merge(news, on: replica.connection)
    }

    private func requireClear(_ report: SyncReport, _ place: String) throws {
        // Peers also send what they have received, of which later versions are there.
        try require(
            report.conflicts.isEmpty && report.pending.isEmpty && report.recorded.isEmpty,
            "a merge \(place) without a conflict: \(report)")
    }

    /// Takes the changes of the hub into the replica with more columns, which get their defaults.
    private func takeWide(_ world: World) throws {
        guard let wide else { return }
        try requireClear(take(world, wide), "at the replica with more columns")
        try require(
            world.rows(of: wide.connection).fingerprints, equals: world.model.fingerprints,
            "rows of the replica with more columns")
        let others: Int = try wide.connection.query("SELECT count(*) FROM items WHERE extra IS NOT 'wide'")
        try require(others == 0, "\(others) rows have not the default of the column that the hub does not have")
    }

    func requireReplica(_ model: Model, _ world: World, _ subject: String) throws {
        guard let replica else { return }
        try require(world.rows(of: replica.connection).fingerprints, equals: model.fingerprints, subject)
    }

    // MARK: - Steps

    func step(_ world: World, _ dice: inout Dice) throws {
        try renew(world)
        try exchange(world)
        switch dice.number(below: 5) {
        case 0: try writeAtBothSides(world, &dice)
        case 1: try migrate(world, &dice)
        case 2: try mergeInsideTransaction(world, &dice)
        default: try arePeers ? collideAsPeers(world, &dice) : collideAtHub(world, &dice)
        }
        try requireReplica(world.model, world, "rows of the replica")
        try takeWide(world)
        // A peer would forget deletions, whose keys are used again.
        if !arePeers, dice.once(in: 3) { try compact(world) }
    }

    /// Makes the log of the hub smaller, up to the smallest position of all replicas.
    private func compact(_ world: World) throws {
        let parts = world.parts.compactMap { $0 as? SyncFeature }.filter { $0.generation == shared.generation }
        let cursors = try parts.flatMap { [$0.replica, $0.wide] }.compactMap { $0 }.map {
            try $0.log.cursor(of: "hub", on: $0.connection)
        }
        guard let oldest = cursors.compactMap({ $0 }).min(by: { $0.sequence < $1.sequence }), !cursors.contains(nil)
        else { return }
        world.log("try db.blocking.write { try hubLog.compact(through: oldest, on: $0) }")
        try world.database.blocking.write { try hub.compact(through: oldest, on: $0) }
        try world.check()
    }

    /// The replica writes, and the hub a row that the replica may take before it sends.
    private func writeAtBothSides(_ world: World, _ dice: inout Dice) throws {
        var (new, changes) = (world.model, [Change]())
        for _ in 0...dice.number(below: 3) {
            let change = Change.random(new, world.shape, &dice)
            change.apply(to: &new, world.shape)
            if !world.allows(new) { return }
            changes.append(change)
        }
        for change in changes { try record(change, world) }
        if dice.once(in: 2) {
            let row = newRow(&dice)
            try world.write([.insert([row], .record)], nil, &dice)
            new.items[row.id] = row
            try requireClear(take(world), "at a replica that has not sent")
            try requireReplica(new, world, "rows of a replica that has not sent")
        }
        try exchange(world)
        try world.commit(new, by: self)
    }

    /// Makes a change in the replica.
    func record(_ change: Change, _ world: World) throws {
        guard let replica else { return }
        let origin = replica.log.origin
        world.log("try \(origin)Log.record(on: \(origin)) { c in \(change.swift(world.shape)) }")
        try replica.log.record(on: replica.connection) { try change.run($0, world.verbs, world.shape) }
    }

    /// Returns a row that nothing else writes.
    func newRow(_ dice: inout Dice) -> ItemRow {
        var row = ItemRow(id: nextKey, &dice)
        row.stars = 5
        nextKey += 1
        return row
    }

    /// A log records by itself what a history undoes.
    func committed(_ commit: Commit, _ world: World) throws {
        if commit.origin == .surrounded || commit.author is SyncFeature || commit.author is UndoFeature { return }
        if commit.before.fingerprints != commit.after.fingerprints { shared.isOutdated = true }
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    // MARK: - Migrations

    /// Migrates the log, with changes that were not sent: a column is renamed and gets its name back, or is added and dropped.
    private func migrate(_ world: World, _ dice: inout Dice) throws {
        let (mine, other) = (newRow(&dice), newRow(&dice))
        try world.write([.insert([mine], .record)], nil, &dice)
        try record(.insert([other], .sql), world)
        shared.version += 2
        let schema = Schema("sync") { for number in 1...(shared.version / 2) { Self.version(number) } }
        world.log("try db.blocking.migrate(schema)    // with SyncLog.migrate(\"items\", to: \(shared.version), …)")
        try world.database.blocking.migrate(schema)
        for part in world.parts {
            guard let part = part as? SyncFeature, part.generation == shared.generation else { continue }
            for path in [\SyncFeature.replica, \SyncFeature.wide] {
                guard let replica = part[keyPath: path] else { continue }
                try schema.migrate(replica.connection)
                part[keyPath: path]?.log = try SyncLog(
                    replica.connection, origin: replica.log.origin, role: replica.log.role, tables: tables,
                    version: shared.version)
            }
        }
        try open(world, tables)
        try world.commit(world.model, by: self, .migration)
        var new = world.model
        new.items[other.id] = other
        try exchange(world)
        try world.commit(new, by: self)
    }

    private static func version(_ number: Int) -> Version {
        let (first, second) = (number * 2 - 1, number * 2)
        if number % 2 == 0 {
            return Version(number) {
                AlterTable("items") { AddColumn("size", Int?.self, fillingWith: "length(name)") }
                Execute { try SyncLog.migrate("items", to: first, columns: ["size": "length(name)"], on: $0) }
                AlterTable("items") { DropColumn("size") }
                Execute { try SyncLog.migrate("items", to: second, on: $0) }
            }
        }
        return Version(number) {
            AlterTable("items") { RenameColumn("price", to: "cost") }
            Execute { try SyncLog.migrate("items", to: first, columns: ["cost": "price"], on: $0) }
            AlterTable("items") { RenameColumn("cost", to: "price") }
            Execute { try SyncLog.migrate("items", to: second, columns: ["price": "cost"], on: $0) }
        }
    }

    // MARK: - Merges inside a transaction

    /// Merges in the transaction that has written one of the same rows: that row is left out of the step of a history.
    private func mergeInsideTransaction(_ world: World, _ dice: inout Dice) throws {
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
        world.log("try db.blocking.write { c in try hubLog.record(on: c) {")
        for change in changes { world.log("    " + change.swift(world.shape)) }
        world.log("}; try hubLog.merge(\(origin)Log.changes(since: …, on: \(origin)), on: c) }")
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

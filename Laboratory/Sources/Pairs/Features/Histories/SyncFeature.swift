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
    private(set) var shared: SharedLog
    var replica: Replica?
    var wide: Replica?
    /// The log from which the replicas were made.
    var generation = 0
    /// Whether the replica has the rows of the last commit.
    private var isComplete = true
    /// Whether this is the first of these features, in whose name transactions are recorded.
    private var isFirst = true

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
        share(world)
        world.declare("hubLog", "SyncLog", end: "")
        try open(world, tables)
        try makeReplicas(world)
    }

    /// Uses the log of the first of these features.
    private func share(_ world: World) {
        guard let first = world.parts.lazy.compactMap({ $0 as? SyncFeature }).first else { return }
        (shared, isFirst) = (first.shared, first === self)
    }

    /// Opens the logs again, and exchanges what was not sent. A log is made again where the kill was between two of its files.
    func resume(_ world: World, as former: any FeatureParts) throws {
        guard let former = former as? SyncFeature else { return }
        share(world)
        nextKey = former.nextKey
        if isFirst {
            shared.version = try 2 * world.database.blocking.read { try Self.schema(1).status(of: $0).version }
            shared.generation = former.shared.generation
            try world.database.blocking.write { try openHub($0, world, tables) }
        }
        let path = "\(world.folder)/replica_\(suffix)\(former.generation).db"
        generation = -1
        guard !former.shared.isOutdated, former.generation == former.shared.generation,
            FileManager.default.fileExists(atPath: path)
        else { return try abandon(world) }
        let connection = try world.connection(path)
        let count: Int = try connection.query("SELECT count(*) FROM sqlite_schema WHERE name = 'items'")
        if count == 0 { return try abandon(world) }
        if shared.version > 0 { try Self.schema(shared.version / 2).migrate(connection) }
        replica = Replica(
            connection: connection,
            log: try SyncLog(
                connection, origin: "replica_\(suffix)\(former.generation)", role: arePeers ? .peer : .replica,
                tables: tables, version: shared.version))
        _ = try (send(world), take(world))
        let reports = try [send(world), take(world)]
        try world.takeRows()
        if reports.allSatisfy(\.pending.isEmpty) {
            try requireReplica(world.model, world, "rows of a replica after a kill")
        }
        try abandon(world)
    }

    /// Lets the next step make the log and the replicas again, in other files than those that were there.
    private func abandon(_ world: World) throws {
        shared.isOutdated = true
        shared.generation += 1_000
    }

    /// Opens the logs with policies.
    func open(_ world: World, _ tables: [String: SyncLog.Policy], swift: String? = nil) throws {
        world.log(
            """
            hubLog = try db.blocking.write { try SyncLog($0, origin: "hub", role: .\(arePeers ? "peer" : "hub"), \
            tables: \(swift ?? self.swiftOfTables), version: \(shared.version), runsTriggers: \(world.shape.hasTriggers)) }
            """)
        try world.database.blocking.write { try openHub($0, world, tables) }
        if let replica {
            let origin = replica.log.origin
            world.log(
                """
                \(origin)Log = try SyncLog(\(origin), origin: "\(origin)", role: .\(arePeers ? "peer" : "replica"), \
                tables: \(swift ?? self.swiftOfTables), version: \(shared.version))
                """)
            self.replica?.log = try SyncLog(
                replica.connection, origin: origin, role: replica.log.role, tables: tables, version: shared.version)
        }
    }

    /// The policies in the Swift of the run.
    var swiftOfTables: String {
        arePeers
            ? "[\"items\": .lastWriter(by: \"stars\"), \"authors\": .lastWriter(by: \"name\")]"
            : "[\"items\": .hubWins, \"authors\": .hubWins]"
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
            let \(origin) = try Connection("\\(folder)/\(origin).db", configuration: configuration)
            try prepare(\(origin))
            try \(origin).execute(#"\(world.shape.definition)\(addition)"#)
            var \(origin)Log = try SyncLog(\(origin), origin: "\(origin)", role: .\(role), \
            tables: \(swiftOfTables), version: \(shared.version))
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
                try db.blocking.write { c in
                    try SyncLog.remove("authors", on: c)
                    try SyncLog.remove("items", on: c)
                    hubLog = try SyncLog(c, origin: "hub", role: .\(arePeers ? "peer" : "hub"), \
                tables: \(swiftOfTables), version: \(shared.version), runsTriggers: \(world.shape.hasTriggers))
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

    var swift: FeatureSwift {
        let name = "replica_\(suffix)\(generation)"
        return FeatureSwift(
            surrounding: isFirst ? "try hubLog.record(on: c)" : nil,
            expectations: isComplete ? ["#expect(try Set(\(name).table(items).all()) == Set(expected))"] : [])
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
            """
            _ = try db.blocking.write { c in
                let position = try hubLog.cursor(of: "\(origin)", on: c)
                return try hubLog.merge(\(origin)Log.changes(since: position, on: \(origin)), on: c)
            }
            """)
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
            """
            do {
                let position = try \(origin)Log.cursor(of: "hub", on: \(origin))
                let news = try db.blocking.read { [hubLog] in try hubLog!.changes(since: position, on: $0) }
                _ = try \(origin)Log.merge(news, on: \(origin))
            }
            """)
        let position = try replica.log.cursor(of: "hub", on: replica.connection)
        let news = try world.database.blocking.read { try hub.changes(since: position, on: $0) }
        return try replica.log.merge(news, on: replica.connection)
    }

    func requireClear(_ report: SyncReport, _ place: String) throws {
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
            world.rows(of: wide.connection), equals: world.model, "rows of the replica with more columns")
        let others: Int = try wide.connection.query("SELECT count(*) FROM items WHERE extra IS NOT 'wide'")
        try require(others == 0, "\(others) rows have not the default of the column that the hub does not have")
    }

    func requireReplica(_ model: Model, _ world: World, _ subject: String) throws {
        guard let replica else { return }
        try require(world.rows(of: replica.connection), equals: model, subject)
    }

    // MARK: - Steps

    func step(_ world: World, _ dice: inout Dice) throws {
        try renew(world)
        try exchange(world)
        switch world.hidesTables ? 0 : dice.number(below: 5) {
        case 0: try writeAtBothSides(world, &dice)
        // SQLite's ALTER TABLE takes the table of an index for the TEMP table.
        case 1 where !world.parts.contains { $0 is TemporaryTables }: try migrate(world, &dice)
        case 2: try mergeInsideTransaction(world, &dice)
        default: try arePeers ? collideAsPeers(world, &dice) : collideAtHub(world, &dice)
        }
        if let replica { try world.checkCopiedRows(replica.connection, "the replica") }
        try takeWide(world)
        // A peer would forget deletions, whose keys are used again.
        if !arePeers, dice.once(in: 3) { try compact(world) }
    }

    /// Makes the log of the hub smaller, up to the smallest position of all replicas.
    private func compact(_ world: World) throws {
        let parts = world.parts.compactMap { $0 as? SyncFeature }.filter { $0.generation == shared.generation }
        let replicas = parts.flatMap { [$0.replica, $0.wide] }.compactMap { $0 }
        let cursors = try replicas.map { try $0.log.cursor(of: "hub", on: $0.connection) }
        guard let oldest = cursors.compactMap({ $0 }).min(by: { $0.sequence < $1.sequence }), !cursors.contains(nil),
            let origin = cursors.firstIndex(of: oldest).map({ replicas[$0].log.origin })
        else { return }
        world.log(
            """
            if let oldest = try \(origin)Log.cursor(of: "hub", on: \(origin)) {
                try db.blocking.write { try hubLog.compact(through: oldest, on: $0) }
            }
            """)
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
        // One transaction, or one for each change.
        for changes in dice.once(in: 2) ? [changes] : changes.map({ [$0] }) { try record(changes, world) }
        if !world.hidesTables, dice.once(in: 2) {
            let row = newRow(&dice)
            try world.write([.insert([row], .record)], nil, &dice)
            new.items[row.id] = row
            try requireClear(take(world), "at a replica that has not sent")
            try requireReplica(new, world, "rows of a replica that has not sent")
        }
        try exchange(world)
        try world.commit(new, by: self)
    }

    func record(_ change: Change, _ world: World) throws { try record([change], world) }

    /// Makes changes in the replica, in one transaction.
    private func record(_ changes: [Change], _ world: World) throws {
        guard let replica else { return }
        let origin = replica.log.origin
        world.log("try \(origin)Log.record(on: \(origin)) { (c) -> Void in")
        for change in changes { world.log("    " + change.swift(world.shape)) }
        world.log("}")
        try replica.log.record(on: replica.connection) { connection in
            for change in changes { try change.run(connection, world.verbs, world.shape) }
        }
    }

    /// Returns a row that nothing else writes.
    func newRow(_ dice: inout Dice) -> ItemRow {
        var row = ItemRow(id: nextKey, &dice)
        row.stars = 5
        nextKey += 1
        return row
    }

    /// Whether the foreign key refuses to delete the owner of an item, also at the end of a transaction.
    func refusesDeletion(ofOwnerOf child: ItemRow, _ world: World) -> Bool {
        guard let owner = child.owner else { return false }
        var model = world.model
        (model.items[child.id], model.authors[owner]) = (child, "owner")
        return world.shape.reference == .deferred || model.refuses(.deleteAuthor(owner), world.shape)
    }

    /// A log records by itself what a history undoes.
    func committed(_ commit: Commit, _ world: World) throws {
        isComplete = commit.author === self
        if commit.origin == .surrounded || commit.author is SyncFeature || commit.author is UndoFeature
            || commit.author is SubsetHistories
        {
            return
        }
        if !commit.isEmpty { shared.isOutdated = true }
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}
}

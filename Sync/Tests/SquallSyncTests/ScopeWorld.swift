import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub

/// A hub whose users see the lists of which they are members, and their items.
struct ScopeWorld {
    static let devicesSchema: SQL = """
        CREATE TABLE lists(id TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
        CREATE TABLE items(
            list TEXT, number TEXT, text TEXT, owner TEXT, PRIMARY KEY(list, number));
        CREATE TABLE notes(id TEXT PRIMARY KEY, owner TEXT, text TEXT);
        """
    static let hubSchema: SQL =
        devicesSchema + """
            CREATE TABLE members(list TEXT, user TEXT, role INTEGER, PRIMARY KEY(list, user));
            CREATE TABLE blocked(user TEXT PRIMARY KEY, until TEXT);
            """

    let hub: SyncHub
    private(set) var devices: [(user: String, engine: SyncEngine)] = []
    let watches: [Watch]
    let wires: [Wire]

    /// - Parameter users: The user of each device.
    init(users: [String], items: String = Self.items) async throws {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run(Self.hubSchema)
        hub = try await Self.hub(database, items: items)
        watches = users.map { _ in Watch() }
        wires = users.map { _ in Wire() }
        for (index, user) in users.enumerated() {
            let wire = WireTransport(wire: wires[index], hub: hub.transport(for: SyncPrincipal(user: user)))
            let transport = WatchedTransport(hub: wire, watch: watches[index])
            devices.append((user, try await Self.device(transport)))
        }
    }

    static let lists = "id IN (SELECT list FROM members WHERE user = :user)"
    static let items =
        "EXISTS (SELECT 1 FROM members m WHERE m.list = items.list AND m.user = :user) AND :user NOT IN (SELECT user FROM blocked)"

    static func hub(_ database: Database, items: String = Self.items) async throws -> SyncHub {
        try await SyncHub(database) {
            SyncTable("lists", visible: lists)
            SyncTable("items", visible: items, writable: "owner = :user")
            SyncTable("notes", conflicts: .replicaWins, visible: "owner = :user")
        }
    }

    static func device(_ transport: some SyncTransport) async throws -> SyncEngine {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run(devicesSchema)
        return try await SyncEngine(database, transport: transport) {
            SyncTable("lists")
            SyncTable("items")
            SyncTable("notes", conflicts: .replicaWins)
        }
    }

    /// The rows that a user sees, read by SQL of the test.
    func visible(_ table: String, to user: String) async throws -> [String] {
        let condition: SQL =
            switch table {
            case "lists": "EXISTS (SELECT 1 FROM members m WHERE m.list = lists.id AND m.user = \(user))"
            case "items":
                """
                list IN (SELECT list FROM members WHERE user = \(user))
                AND (SELECT count(*) FROM blocked WHERE user = \(user)) = 0
                """
            default: "owner = \(user)"
            }
        return try await hub.database.read { connection in
            try connection.query("SELECT * FROM \(name: table) WHERE \(condition)", as: Row.self)
                .map { row in row.columns.map(\.plain).joined(separator: "|") }.sorted()
        }
    }
}

/// The keys that a device knows because it was sent them or has made them.
final class Watch: @unchecked Sendable {
    private let lock = NSLock()
    private var known: Set<String> = []
    private var found: [String] = []

    /// The changes of rows that the device did not have.
    var leaks: [String] { lock.withLock { found } }

    func sends(_ changesets: [Changeset]) throws {
        for change in try changesets.flatMap({ try $0.elements }) { lock.withLock { _ = known.insert(change.key) } }
    }

    func receives(_ changesets: [Changeset]) throws {
        for change in try changesets.flatMap({ try $0.elements }) {
            lock.withLock {
                if change.operation != .insert, !known.contains(change.key) { found.append("\(change)") }
                if change.operation == .delete { known.remove(change.key) } else { known.insert(change.key) }
            }
        }
    }
}

extension Changeset.Change {
    fileprivate var key: String {
        let row = operation == .insert ? new : old
        return "\(table) \(keyColumns.map { row[$0] ?? .null })"
    }
}

/// A transport that records which rows pass.
struct WatchedTransport<Hub: SyncTransport>: ForwardingTransport {
    let hub: Hub
    let watch: Watch

    func push(_ batch: SyncBatch) async throws -> SyncCursor {
        try watch.sends(batch.changesets)
        return try await hub.push(batch)
    }

    func pull(_ request: SyncPullRequest) async throws -> SyncPage {
        let page = try await hub.pull(request)
        try watch.receives(page.batch.changesets)
        return page
    }

    func rows(_ request: SyncRowsRequest) async throws -> SyncRows {
        let rows = try await hub.rows(request)
        try watch.receives(SyncBatch(rows.data).changesets)
        return rows
    }
}

import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub

/// A hub and devices, for tests.
struct SyncWorld {
    static let schema: SQL = """
        CREATE TABLE IF NOT EXISTS lists(id TEXT PRIMARY KEY, name TEXT UNIQUE, note TEXT);
        CREATE TABLE IF NOT EXISTS items(
            id TEXT PRIMARY KEY, list TEXT NOT NULL REFERENCES lists ON DELETE CASCADE, text TEXT, n INTEGER CHECK (n < 1000));
        CREATE TABLE IF NOT EXISTS marks(id TEXT PRIMARY KEY, device INTEGER);
        """

    let hub: SyncHub
    private(set) var devices: [SyncEngine] = []
    let paths: [Wire]

    init(devices count: Int, conflicts: SyncLog.Policy = .hubWins) async throws {
        hub = try await SyncHub(try await Self.database()) {
            SyncTable("lists", conflicts: conflicts)
            SyncTable("items", conflicts: conflicts)
            SyncTable("marks")
        }
        paths = (0..<count).map { _ in Wire() }
        for path in paths {
            let transport = WireTransport(wire: path, hub: hub.transport(for: SyncPrincipal(user: "ada")))
            devices.append(try await Self.device(transport, conflicts))
        }
    }

    static func database() async throws -> Database {
        var configuration = Configuration.recommended
        configuration.foreignKeys = true
        let database = try Database(":memory:", configuration: configuration)
        try await database.write { try $0.execute(schema) }
        return database
    }

    static func device(
        _ transport: some SyncTransport, _ conflicts: SyncLog.Policy = .hubWins, in database: Database? = nil
    ) async throws -> SyncEngine {
        let own: Database
        if let database { own = database } else { own = try await Self.database() }
        return try await SyncEngine(own, transport: transport) {
            SyncTable("lists", conflicts: conflicts)
            SyncTable("items", conflicts: conflicts)
            SyncTable("marks")
        }
    }
}

/// What goes wrong between a device and the hub.
final class Wire: @unchecked Sendable {
    enum Fault { case lost, answerLost, repeated }

    struct Cut: Error {}

    private let lock = NSLock()
    private var faults: [Fault] = []
    private var offline = false

    /// The faults of the next calls.
    func fail(_ faults: Fault...) { lock.withLock { self.faults += faults } }

    var isOffline: Bool {
        get { lock.withLock { offline } }
        set { lock.withLock { offline = newValue } }
    }

    func repair() {
        lock.withLock { (faults, offline) = ([], false) }
    }

    func next() -> Fault? { lock.withLock { faults.isEmpty ? nil : faults.removeFirst() } }
}

/// A transport through the bytes of messages, with faults.
struct WireTransport<Hub: SyncTransport>: SyncTransport {
    let wire: Wire
    let hub: Hub

    private func call<Value: Codable>(_ body: () async throws -> Value) async throws -> Value {
        if wire.isOffline { throw Wire.Cut() }
        let fault = wire.next()
        if fault == .lost { throw Wire.Cut() }
        if fault == .repeated { _ = try? await body() }
        let answer = try await body()
        if fault == .answerLost { throw Wire.Cut() }
        return try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(answer))
    }

    func push(_ batch: SyncBatch) async throws -> SyncCursor {
        try await call { try await hub.push(SyncBatch(batch.data)) }
    }

    func pull(_ request: SyncPullRequest) async throws -> SyncPage {
        try await call { try await hub.pull(request) }
    }

    func rows(_ request: SyncRowsRequest) async throws -> SyncRows {
        try await call { try await hub.rows(request) }
    }

    func audit(_ request: SyncAuditRequest) async throws -> Int? { try await hub.audit(request) }

    func events() -> AsyncThrowingStream<SyncCursor, any Error> {
        if wire.isOffline { return AsyncThrowingStream { $0.finish(throwing: Wire.Cut()) } }
        return hub.events()
    }
}

extension Row.Column {
    /// The value as text, in which values of two types are different.
    var plain: String {
        switch bindingValue {
        case .text(let text): text
        case .null: "NULL"
        case let value: "\(value)"
        }
    }
}

extension Database {
    func rows(_ table: String) async throws -> [String] {
        try await read { connection in
            try connection.query("SELECT * FROM \(name: table)", as: Row.self)
                .map { row in row.columns.map(\.plain).joined(separator: "|") }.sorted()
        }
    }

    func run(_ sql: SQL) async throws { try await write { try $0.execute(sql) } }
}

import Foundation
import Squall
import SquallBase
import SquallChanges
import SquallSync
import SquallSyncHub

/// A hub and 20 devices of four users, which write while some of them are offline and while members of lists come and go: `make sync-demo`.
@main enum Demo {
    static let users = ["ada", "bob", "cleo", "dan"]
    static let lists = ["work", "home", "trip", "club", "shop"]
    static let schema: SQL = """
        CREATE TABLE lists(id TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE items(id TEXT PRIMARY KEY, list TEXT NOT NULL, text TEXT, author TEXT);
        CREATE INDEX items_list ON items(list);
        """

    static func main() async throws {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10
        let server = try Database(":memory:", configuration: .recommended)
        try await server.write { connection in
            try connection.execute(schema)
            try connection.execute(
                "CREATE TABLE members(user TEXT NOT NULL, list TEXT NOT NULL, PRIMARY KEY(user, list))")
            for list in lists {
                try connection.run("INSERT INTO lists VALUES(\(list), upper(\(list)))")
                for user in users { try connection.run("INSERT INTO members VALUES(\(user), \(list))") }
            }
        }
        let hub = try await SyncHub(server) {
            SyncTable("lists", visible: "id IN (SELECT list FROM members WHERE user = :user)")
            SyncTable(
                "items", visible: "list IN (SELECT list FROM members WHERE user = :user)", writable: "author = :user")
        }
        var devices: [Device] = []
        for number in 0..<20 { devices.append(try await Device(number, user: users[number % 4], hub)) }
        let running = devices.map { device in Task { try await device.engine.run() } }

        print("second  online  written  items at the hub  not yet confirmed")
        for second in 1...seconds {
            for _ in 0..<10 {
                for device in devices { try await device.write() }
                try await Task.sleep(for: .milliseconds(100))
            }
            for device in devices { device.line.isCut = Int.random(in: 0..<3) == 0 }
            try await changeMembers(server)
            var waiting = 0
            for device in devices { waiting += try await device.unsent() }
            let values = [
                second, devices.count { !$0.line.isCut }, devices.reduce(0) { $0 + $1.written.withLock(\.count) },
                try await count(in: server), waiting,
            ]
            print(zip(values, [6, 6, 7, 16, 17]).map { row($0, $1) }.joined(separator: "  "))
        }

        for device in devices { device.line.isCut = false }
        for task in running { task.cancel() }
        for _ in 0..<2 { for device in devices { try await device.engine.now() } }
        print("\ndevice  user   items  refused  differs from the hub  lost")
        var lost = 0
        for device in devices { lost += try await device.report(beside: server) }
        print(lost == 0 ? "\nNo write was lost." : "\n\(lost) writes were lost.")
        if lost > 0 { exit(1) }
    }

    static func row(_ value: Int, _ width: Int) -> String {
        let text = "\(value)"
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func count(in database: Database) async throws -> Int {
        try await database.read { try $0.query("SELECT count(*) FROM items") }
    }

    /// One user leaves a list, and another one enters one.
    private static func changeMembers(_ server: Database) async throws {
        let (leaving, entering) = (users[Int.random(in: 0..<4)], users[Int.random(in: 0..<4)])
        let (left, entered) = (lists[Int.random(in: 0..<5)], lists[Int.random(in: 0..<5)])
        try await server.write { connection in
            try connection.run("DELETE FROM members WHERE (user, list) = (\(leaving), \(left))")
            try connection.run("INSERT OR IGNORE INTO members VALUES(\(entering), \(entered))")
        }
    }
}

/// A device, and what it has written.
struct Device: Sendable {
    let number: Int
    let user: String
    let line = Line()
    let engine: SyncEngine
    let written = Locked<Set<String>>([])

    init(_ number: Int, user: String, _ hub: SyncHub) async throws {
        self.number = number
        self.user = user
        let database = try Database(":memory:", configuration: .recommended)
        try await database.write { try $0.execute(Demo.schema) }
        let transport = LineTransport(line: line, hub: hub.transport(for: SyncPrincipal(user: user)))
        engine = try await SyncEngine(database, transport: transport) {
            SyncTable("lists")
            SyncTable("items")
        }
        try await engine.now()
    }

    /// Adds an item to one of the lists that the device has.
    func write() async throws {
        let (id, user) = (UUID().uuidString, user)
        let isWritten = try await engine.database.write { connection in
            try connection.run(
                "INSERT INTO items SELECT \(id), id, 'an item', \(user) FROM lists ORDER BY random() LIMIT 1")
            return connection.changes > 0
        }
        if isWritten { written.withLock { _ = $0.insert(id) } }
    }

    func unsent() async throws -> Int {
        try await engine.database.read { [log = engine.origin] connection in
            try connection.query(
                "SELECT count(*) FROM squall_sync_log WHERE origin = \(log) AND sequence > \(Self.confirmed)")
        }
    }

    /// The number of the last transaction that the hub has answered.
    private static let confirmed: SQL = "(SELECT ifnull(max(value), 0) FROM squall_sync_state WHERE name = 'confirmed')"

    /// Prints the device, and returns the number of its writes that neither the hub nor its conflicts have.
    func report(beside server: Database) async throws -> Int {
        let refused = try await engine.conflicts()
        let known = Set(refused.map { "\($0.change["id"] ?? .null)" })
        let atHub: Set<String> = try await Set(server.read { try $0.query("SELECT id FROM items") as [String] })
        let lost = written.withLock { $0.filter { !atHub.contains($0) && !known.contains("\(BindingValue.text($0))") } }
        let items: Int = try await engine.database.read { try $0.query("SELECT count(*) FROM items") }
        let difference = try await engine.audit()
        print(
            Demo.row(number, 6), user.padding(toLength: 5, withPad: " ", startingAt: 0), Demo.row(items, 5),
            Demo.row(refused.count, 7),
            (difference.map { $0.table } ?? "no").padding(toLength: 20, withPad: " ", startingAt: 0),
            Demo.row(lost.count, 4), separator: "  ")
        return lost.count
    }
}

/// A connection that can be cut.
final class Line: Sendable {
    struct Cut: Error {}

    private let cut = Locked(false)

    var isCut: Bool {
        get { cut.withLock { $0 } }
        set { cut.withLock { $0 = newValue } }
    }

    func check() throws {
        if isCut { throw Cut() }
    }
}

struct LineTransport<Hub: SyncTransport>: SyncTransport {
    let line: Line
    let hub: Hub

    func push(_ batch: SyncBatch) async throws -> SyncCursor {
        try line.check()
        return try await hub.push(batch)
    }

    func pull(_ request: SyncPullRequest) async throws -> SyncPage {
        try line.check()
        return try await hub.pull(request)
    }

    func rows(_ request: SyncRowsRequest) async throws -> SyncRows {
        try line.check()
        return try await hub.rows(request)
    }

    func audit(_ request: SyncAuditRequest) async throws -> Int? {
        try line.check()
        return try await hub.audit(request)
    }

    func events() -> AsyncThrowingStream<SyncCursor, any Error> {
        if line.isCut { return AsyncThrowingStream { $0.finish(throwing: Line.Cut()) } }
        return hub.events()
    }
}

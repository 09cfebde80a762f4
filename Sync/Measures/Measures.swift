import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub

/// Measures of a hub with many users: `swift run -c release --package-path Sync SyncMeasures [NAME…]`.
@main enum Measures {
    static func main() async throws {
        let all: [(String, () async throws -> Void)] = [
            ("commit", commit), ("scopes", scopes), ("first", first), ("events", events),
        ]
        let names = CommandLine.arguments.dropFirst()
        for (name, measure) in all where names.isEmpty || names.contains(name) { try await measure() }
    }

    /// A file in a folder that is removed in the end.
    static func withDatabase(_ body: (Database) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try Database(folder.appending(path: "hub.db").path, configuration: .recommended)
        try await body(database)
        try await database.close()
    }

    static func median(_ count: Int, _ body: () async throws -> Void) async rethrows -> Double {
        var times: [Double] = []
        for _ in 0..<count {
            let begin = ContinuousClock.now
            try await body()
            times.append((ContinuousClock.now - begin) / .milliseconds(1))
        }
        return times.sorted()[count / 2]
    }

    static func show(_ name: String, _ value: Double, _ unit: String) {
        print(name.padding(toLength: 72, withPad: " ", startingAt: 0), String(format: "%10.3f", value), unit)
    }

    /// The resident memory of this process in MB.
    static var memory: Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (Double(line.split(separator: " ").dropFirst().first ?? "") ?? 0) / 1_024
    }
}

// MARK: - Commits

extension Measures {
    /// The cost of a commit of one row with a log.
    static func commit() async throws {
        var plain = 0.0
        for isFollowed in [false, true] {
            try await withDatabase { database in
                try await database.write {
                    try $0.execute("CREATE TABLE items(id TEXT PRIMARY KEY, list TEXT, text TEXT)")
                }
                let followed =
                    isFollowed
                    ? try await SyncLog.follow(database, origin: "d", role: .replica, tables: ["items": .hubWins]) : nil
                var number = 0
                let time = try await median(2_000) {
                    number += 1
                    let id = "row \(number)"
                    try await database.write { try $0.run("INSERT INTO items VALUES(\(id), 'list', 'text')") }
                }
                followed?.stop()
                if isFollowed {
                    show("commit of one row with a log, of a plain commit", time / plain, "x")
                } else {
                    plain = time
                }
            }
        }
    }
}

// MARK: - Scopes

extension Measures {
    static let users = 10_000

    static func makeHub(_ database: Database, rowsPerUser: Int, rowsOfFirst: Int) async throws -> SyncHub {
        try await database.write { connection in
            try connection.execute(
                """
                CREATE TABLE items(id TEXT PRIMARY KEY, list TEXT NOT NULL, text TEXT);
                CREATE INDEX items_list ON items(list);
                CREATE TABLE members(user TEXT, list TEXT, PRIMARY KEY(user, list)) WITHOUT ROWID;
                """)
            let insertion = try connection.prepare("INSERT INTO items VALUES(?, ?, 'the text of an item')")
            for user in 0..<users {
                try connection.run("INSERT INTO members VALUES('u' || \(user), 'l' || \(user))")
                for row in 0..<(user == 0 ? rowsOfFirst : rowsPerUser) {
                    try insertion.bind("\(user)-\(row)", "l\(user)").run()
                }
            }
        }
        return try await SyncHub(database) {
            SyncTable("items", visible: "list IN (SELECT list FROM members WHERE user = :user)")
        }
    }

    /// The time of a pull by a device of one of 10,000 users.
    static func scopes() async throws {
        for visible in [100, 10_000] {
            try await withDatabase { database in
                let hub = try await makeHub(database, rowsPerUser: 10, rowsOfFirst: visible)
                let principal = SyncPrincipal(user: "u0")
                func pull(_ cursor: SyncCursor?) async throws -> SyncPage {
                    try await hub.pull(
                        SyncPullRequest(origin: "d", version: 0, cursor: cursor, byteLimit: 1_000_000), by: principal)
                }
                var number = 0
                let changes: [(String, () -> SQL)] = [
                    ("nothing has changed", { "SELECT 1" }),
                    ("a row of another user has changed", { "UPDATE items SET text = \(number) WHERE id = '77-1'" }),
                    ("a row of its own has changed", { "UPDATE items SET text = \(number) WHERE id = '0-1'" }),
                    ("another user has entered a list", { "INSERT INTO members VALUES('u77', 'x' || \(number))" }),
                    (
                        "its user has entered a list of 10 rows",
                        { "INSERT INTO members VALUES('u0', 'l' || \(number))" }
                    ),
                ]
                for (name, sql) in changes {
                    var times: [Double] = []
                    var cursor = try await pull(nil).batch.cursor
                    for _ in 0..<101 {
                        number += 1
                        let statement = sql()
                        try await database.write { _ = try $0.prepare(statement).query() as Row? }
                        // The entry of the log is made before the clock starts.
                        let begin = ContinuousClock.now
                        cursor = try await pull(cursor).batch.cursor
                        times.append((ContinuousClock.now - begin) / .milliseconds(1))
                    }
                    show("pull, \(visible) visible rows, \(name)", times.sorted()[50], "ms")
                }
            }
        }
    }
}

// MARK: - First synchronisation

extension Measures {
    /// A device that begins with 100,000 rows.
    static func first() async throws {
        try await withDatabase { database in
            let hub = try await makeHub(database, rowsPerUser: 10, rowsOfFirst: 100_000)
            try await withDatabase { own in
                try await own.write {
                    try $0.execute("CREATE TABLE items(id TEXT PRIMARY KEY, list TEXT NOT NULL, text TEXT)")
                }
                let device = try await SyncEngine(own, transport: hub.transport(for: SyncPrincipal(user: "u0"))) {
                    SyncTable("items")
                }
                let memory = memory
                let begin = ContinuousClock.now
                let received = try await device.now().received.count
                show("first synchronisation of \(received) rows", (ContinuousClock.now - begin) / .seconds(1), "s")
                show("its memory, of the hub and the device in one process", self.memory - memory, "MB")
            }
        }
    }
}

// MARK: - Events

extension Measures {
    /// Streams of events of 1,000 users.
    static func events() async throws {
        try await withDatabase { database in
            let hub = try await makeHub(database, rowsPerUser: 10, rowsOfFirst: 10)
            let memory = memory
            let count = 1_000
            let (arrivals, arrive) = AsyncStream.makeStream(of: Int.self)
            let tasks = (0..<count).map { user in
                Task {
                    for try await _ in hub.events(for: SyncPrincipal(user: "u\(user)")) { arrive.yield(user) }
                }
            }
            var events = arrivals.makeAsyncIterator()
            for _ in 0..<count { _ = await events.next() }
            show("memory of \(count) streams of events", self.memory - memory, "MB")
            var number = 0
            let time = try await median(21) {
                number += 1
                let text = "\(number)"
                try await database.write { try $0.run("UPDATE items SET text = \(text) WHERE id = '999-1'") }
                while await events.next() != 999 {}
            }
            show("a change until its stream tells, among \(count) streams", time, "ms")
            for task in tasks { task.cancel() }
        }
    }
}

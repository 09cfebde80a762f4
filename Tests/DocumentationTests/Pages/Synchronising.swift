// swift-format-ignore-file
import Foundation
import Squall
import SquallChanges
import SquallSearch
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Synchronising databases".
@Suite(.enabled(if: SQLiteLibrary.has("ENABLE_SESSION")))
struct SynchronisingSnippets {
    private static let schema: SQL = """
        CREATE TABLE IF NOT EXISTS notes(id TEXT PRIMARY KEY, text TEXT, updated_at INTEGER)
        """

    private func print(_ text: String, _ change: SyncChange) {}

    private func print(_ change: SyncChange, _ reason: String) {}

    private func print(_ change: SyncChange, _ row: [BindingValue], _ reason: String) {}

    private func print(_ first: [SyncConflict], _ second: [SyncConflict]) {
        #expect(first.isEmpty && second.isEmpty)
    }

    @Test func peers() async throws {
        let folder = try TemporaryDirectory()
        let (deviceID, text, now) = ("phone", "new", 5)
        let file = URL(fileURLWithPath: folder.file("batch"))
        let other = try Database.temporary()
        let otherLog = try await other.write { connection in
            try connection.execute(Self.schema)
            return try SyncLog(connection, origin: "desk", tables: ["notes": .lastWriter(by: "updated_at")])
        }
        let (database, log) = try await Self.phone(folder, deviceID)
        try await database.write { connection in
            try log.record(on: connection) {
                try $0.run("INSERT INTO notes VALUES('a', 'old', 1)")
            }
        }
        try await database.write { connection in
            try log.record(on: connection) {
                try $0.run("UPDATE notes SET text = \(text), updated_at = \(now)")
            }
        }
        let followed: FollowedLog = try await SyncLog.follow(
            database, origin: deviceID,
            tables: ["notes": .lastWriter(by: "updated_at")])
        try await database.write { connection in
            try connection.run("DELETE FROM notes WHERE text IS NULL")
        }
        try await followed.flush()      // only after statements outside transactions
        let cursor = try await other.read { try otherLog.cursor(of: deviceID, on: $0) }
        let batch = try await database.read { try log.changes(since: cursor, on: $0) }
        try batch.data.write(to: file)

        let received = try SyncBatch(Data(contentsOf: file))
        let report = try await other.write { try otherLog.merge(received, on: $0) }
        for change in report.superseded { print("a later one has won:", change) }
        for row in report.pending { print(row.change, row.reason) }
        #expect(try await other.read { try $0.query("SELECT text FROM notes") } == "new")
        try await database.close()
    }

    private static func phone(_ folder: TemporaryDirectory, _ deviceID: String) async throws -> (Database, SyncLog) {
        let path = folder.file("notes.db")
        let database = try Database(path)
        let log = try await database.write { connection in
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS notes(
                    id TEXT PRIMARY KEY, text TEXT, updated_at INTEGER)
                """)
            return try SyncLog(
                connection, origin: deviceID,
                tables: ["notes": .lastWriter(by: "updated_at")])
        }
        return (database, log)
    }

    struct Memo: Searchable {
        let id: Int64
        let uuid: UUID
        var text: String
        var updatedAt: Int

        static let table = Table("memos", Memo.init) {
            Column("id", \Memo.id, .primaryKey)
            Column("uuid", \Memo.uuid, as: .text, .unique)
            Column("text", \Memo.text)
            Column("updated_at", \Memo.updatedAt)
        }
        static let searchTable = SearchTable("memos_search", of: table, columns: \.text)

        /// 62 bits, all of which are random in a UUID of version 4 or 7.
        static func key(of uuid: UUID) -> Int64 {
            withUnsafeBytes(of: uuid.uuid) { bytes in
                bytes.suffix(8).reduce(0) { $0 << 8 | Int64($1) } & 0x3FFF_FFFF_FFFF_FFFF
            }
        }
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5")))
    func keysOfUUIDs() throws {
        let devices = try ["phone", "desk"].map { origin in
            let connection = try Connection(":memory:")
            try connection.create(Memo.table)
            try connection.create(Memo.searchTable)
            let tables = ["memos": SyncLog.Policy.lastWriter(by: "updated_at")]
            return (connection: connection, log: try SyncLog(connection, origin: origin, tables: tables))
        }
        for (now, (connection, log)) in devices.enumerated() {
            let uuid = UUID()
            try log.record(on: connection) {
                try $0.insert(
                    Memo(id: Memo.key(of: uuid), uuid: uuid, text: "Hello", updatedAt: now))
            }
        }
        for (here, there) in [(0, 1), (1, 0)] {
            let changes = try devices[here].log.changes(since: nil, on: devices[here].connection)
            try devices[there].log.merge(changes, on: devices[there].connection)
        }
        for (connection, _) in devices {
            #expect(try connection.all(Memo.search("hello")).count == 2)
            try connection.integrityCheck(Memo.searchTable)
        }
        // The last eight bytes without the two bits of the variant, which are 10.
        let uuid = try #require(UUID(uuidString: "00000000-0000-4000-BFFF-FFFFFFFFFFFE"))
        #expect(Memo.key(of: uuid) == 0x3FFF_FFFF_FFFF_FFFE)
    }

    @Test func hub() throws {
        let (connection, other, deviceID) = (try Connection(), try Connection(), "phone")
        try connection.execute(Self.schema)
        try other.execute(Self.schema)
        let hubLog = try SyncLog(
            connection, origin: "server", role: .hub, tables: ["notes": .hubWins])
        let replicaLog = try SyncLog(
            other, origin: deviceID, role: .replica, tables: ["notes": .hubWins])

        // To the hub, and back.
        let sent = try replicaLog.changes(on: other)
        let atHub = try hubLog.merge(sent, on: connection)
        let position = try replicaLog.cursor(of: "server", on: other)
        let news = try hubLog.changes(since: position, on: connection)
        let atReplica = try replicaLog.merge(news, on: other)
        print(atHub.conflicts, atReplica.conflicts)
        for conflict in try replicaLog.conflicts(on: other) {
            print(conflict.change, conflict.row ?? [], conflict.reason ?? "")
            try replicaLog.resolve(conflict, keeping: .replica, on: other)
        }
    }

    private func print(_ count: Int) { #expect(count == 1) }

    @Test func compaction() throws {
        let (connection, other) = (try Connection(), try Connection())
        try connection.execute(Self.schema)
        try other.execute(Self.schema)
        let hubLog = try SyncLog(connection, origin: "server", role: .hub, tables: ["notes": .hubWins])
        let log = try SyncLog(other, origin: "phone", role: .replica, tables: ["notes": .hubWins])
        for number in 1...20 {
            try hubLog.record(on: connection) { try $0.run("INSERT INTO notes VALUES(\(number), 'a', 1)") }
        }
        #expect(try hubLog.changes(on: connection).count == 20)
        let positions = [try log.merge(hubLog.changes(on: connection), on: other).cursor]
        // Sent by the replicas: the `report.cursor` of their last merges.
        if let oldest = positions.min(by: { $0.sequence < $1.sequence }) {
            try hubLog.compact(through: oldest, on: connection)
        }
        let forNewReplica = try hubLog.changes(on: connection)
        print(forNewReplica.count)          // 1, of 20 entries before
    }

    @Test func aReplicaBegins() throws {
        let (connection, other) = (try Connection(), try Connection())
        try connection.execute(Self.schema)
        try other.execute(Self.schema)
        let deviceID = "phone"
        let hubLog = try SyncLog(connection, origin: "server", role: .hub, tables: ["notes": .hubWins])
        let replicaLog = try SyncLog(other, origin: deviceID, role: .replica, tables: ["notes": .hubWins])
        for number in 1...20 {
            try hubLog.record(on: connection) { try $0.run("INSERT INTO notes VALUES(\(number), 'a', 1)") }
        }
        try replicaLog.record(on: other) { try $0.run("INSERT INTO notes VALUES('own', 'b', 1)") }
        var batches = [try hubLog.start(of: deviceID, on: connection)]
        var pages: [SyncRows] = []
        for table in ["notes"] {
            var key: Data?
            repeat {
                let rows = try hubLog.rows(
                    of: table, after: key, byteLimit: 1_000_000, on: connection)
                pages.append(rows)
                key = rows.next
            } while key != nil
        }
        let since = try hubLog.changes(
            since: batches[0].cursor, byteLimit: 1_000_000, on: connection)
        batches.append(since)
        if try hubLog.end(on: connection) == since.cursor {     // else more of them
            try replicaLog.begin(with: pages, batches, on: other)
        }
        #expect(try other.query("SELECT count(*) FROM notes") == 21)
        #expect(try replicaLog.changes(on: other).count == 1)
    }

    @Test func aPart() throws {
        let (connection, other, deviceID) = (try Connection(), try Connection(), "phone")
        let schema: SQL = "CREATE TABLE notes(id TEXT PRIMARY KEY, owner TEXT)"
        try connection.execute(schema)
        try other.execute(schema)
        let hubLog = try SyncLog(connection, origin: "server", role: .hub, tables: ["notes": .hubWins])
        let replicaLog = try SyncLog(other, origin: deviceID, role: .replica, tables: ["notes": .hubWins])
        let start = try hubLog.end(on: connection)
        try hubLog.record(on: connection) { try $0.run("INSERT INTO notes VALUES('a', 'ada'), ('b', 'bob')") }
        try replicaLog.record(on: other) { try $0.run("INSERT INTO notes VALUES('c', 'ada'), ('d', 'bob')") }
        let sent = try replicaLog.changes(on: other)
        func visible(_ row: [BindingValue]?) -> [BindingValue]? {
            row.flatMap { $0[1] == .text("ada") ? $0 : nil }
        }
        let end = try hubLog.end(on: connection)
        let all = try hubLog.netChanges(after: start, upTo: end, on: connection)
        let chosen = all.map { change in
            SyncChange(
                table: change.table, columnNames: change.columnNames, isKey: change.isKey,
                old: visible(change.old), new: visible(change.new))
        }
        let batch = try hubLog.batch(
            of: chosen.filter { $0.old != $0.new }, after: start, upTo: end,
            for: deviceID, on: connection)

        let answer = try hubLog.merge(sent, on: connection) { table, row in
            visible(row) == nil ? "\(table) has rows of other users" : nil
        }
        for conflict in answer.conflicts { print(conflict.change, conflict.reason ?? "") }
        #expect(answer.conflicts.map(\.reason) == ["notes has rows of other users"])
        try replicaLog.merge(batch, on: other)
        #expect(try other.query("SELECT id FROM notes ORDER BY id") == ["a", "c", "d"])
    }

    @Test func restored() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute(Self.schema) }
        let followed = try await SyncLog.follow(database, origin: "phone", role: .replica, tables: ["notes": .hubWins])
        let lastOfHub: Int64 = 0
        let renewed: FollowedLog = try await followed.renewed(origin: UUID().uuidString)
        let isKept = try await database.write { connection in
            try renewed.log.sendAgain(after: lastOfHub, on: connection)
        }
        #expect(isKept && renewed.log.origin != "phone")
        try await database.close()
    }

    @Test func aTableLeavesTheLog() throws {
        let connection = try Connection()
        try connection.execute(Self.schema)
        try connection.run("CREATE TABLE tags(note TEXT PRIMARY KEY, updated_at INTEGER)")
        let policy = SyncLog.Policy.lastWriter(by: "updated_at")
        let before = try SyncLog(connection, origin: "phone", tables: ["notes": policy, "tags": policy])
        try before.record(on: connection) { try $0.run("INSERT INTO tags VALUES('a', 1)") }
        let third = Version(3) {
            DropTable("tags")
            Execute { try SyncLog.remove("tags", on: $0) }
        }
        try Schema("notes") { third }.migrate(connection)
        let log = try SyncLog(connection, origin: "phone", tables: ["notes": policy])
        #expect(try log.changes(on: connection).isEmpty)
    }

    @Test func policies() throws {
        let policy = SyncLog.Policy.resolve { conflict in
            conflict.change["text"] == .null ? .hub : .replica
        }
        let connection = try Connection()
        try connection.execute(Self.schema)
        _ = try SyncLog(connection, origin: "server", role: .hub, tables: ["notes": policy])
    }

    @Test func migration() throws {
        let (connection, deviceID) = (try Connection(), "phone")
        let first = Version(1) { Execute(Self.schema) }
        let second = Version(2) {
            AlterTable("notes") {
                RenameColumn("text", to: "body")
                AddColumn("size", Int.self, fillingWith: "length(text)")
            }
            Execute { connection in
                let columns: [String: SQL] = ["body": "text", "size": "length(text)"]
                try SyncLog.migrate("notes", to: 2, columns: columns, on: connection)
            }
        }
        try Schema("notes") { first }.migrate(connection)
        let before = try SyncLog(connection, origin: deviceID, tables: ["notes": .lastWriter(by: "updated_at")])
        try before.record(on: connection) { try $0.run("INSERT INTO notes VALUES('a', 'one', 1)") }
        try Schema("notes") {
            first
            second
        }.migrate(connection)
        let log = try SyncLog(
            connection, origin: deviceID,
            tables: ["notes": .lastWriter(by: "updated_at")], version: 2)
        #expect(try log.changes(on: connection).count == 1)
    }
}

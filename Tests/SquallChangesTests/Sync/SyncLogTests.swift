import SquallChanges
import Squall
import SquallTestSupport
import Testing

/// The tables of a log, and the file in which they are stored.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct SyncLogTests {
    private static let tables: [String: SyncLog.Policy] = ["notes": .lastWriter(by: "at")]
    private static let more: [String: SyncLog.Policy] = tables.merging(["lists": .lastWriter(by: "at")]) { $1 }
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute(
            "CREATE TABLE notes(id INTEGER PRIMARY KEY, at); CREATE TABLE lists(id INTEGER PRIMARY KEY, at)")
    }

    @Test func aTableThatOnlyTheFileHas() throws {
        let log = try SyncLog(connection, origin: "one", tables: Self.tables)
        _ = try SyncLog(connection, origin: "one", tables: Self.more)
        let error = try sqliteError { _ = try log.changes(on: connection) }
        #expect(error.kind == .problem(SyncProblem.unnamedTable, of: .table("lists")) && error.resultCode == .misuse)
    }

    @Test func aTableThatOnlyTheLogHas() throws {
        let other = try SyncLogTests().connection
        _ = try SyncLog(other, origin: "one", tables: Self.tables)
        let log = try SyncLog(connection, origin: "one", tables: Self.more)
        let error = try sqliteError { _ = try log.changes(on: other) }
        #expect(error.kind == .problem(SyncProblem.unknownTable, of: .table("lists")) && error.resultCode == .misuse)
    }

    @Test func aFileWhoseLogHasLostItsIdentity() throws {
        let log = try SyncLog(connection, origin: "one", tables: Self.tables)
        try connection.run("DELETE FROM squall_sync_state WHERE name = 'log'")
        #expect(try errorKind { _ = try log.changes(on: connection) } == .problem(SyncProblem.notInstalled))
    }

    @Test func namesThatDifferOnlyInCaseAreOneTable() throws {
        let log = try SyncLog(
            connection, origin: "one", tables: ["notes": .lastWriter(by: "at"), "NOTES": .lastWriter(by: "at")])
        try log.record(on: connection) { try $0.run("INSERT INTO notes VALUES(1, 1)") }
        #expect(try log.changes(on: connection).count == 1)
    }

    @Test func aRecordingInsideAnotherOneThatThrowsKeepsNothing() throws {
        struct Failure: Error {}
        let schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, v);"
        let (one, two) = (
            try SyncReplica("one", schema: schema, tables: ["t": .lastWriter(by: "v")]),
            try SyncReplica("two", schema: schema, tables: ["t": .lastWriter(by: "v")])
        )
        try one.log.record(on: one.connection) { connection in
            try connection.run("INSERT INTO t VALUES(1, 1)")
            #expect(throws: Failure.self) {
                try one.log.record(on: connection) {
                    try $0.run("INSERT INTO t VALUES(2, 2)")
                    throw Failure()
                }
            }
        }
        try two.pull(one)
        #expect(try two.rows("t") == ["1, 1"] && one.rows("t") == two.rows("t"))
    }

    @Test func aColumnOfTheLastWriterThatTheFileLacks() throws {
        let other = try Connection()
        try other.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, at, changed)")
        let log = try SyncLog(other, origin: "one", tables: ["notes": .lastWriter(by: "changed")])
        _ = try SyncLog(connection, origin: "one", tables: Self.tables)
        let error = try sqliteError { _ = try log.changes(on: connection) }
        #expect(error.kind == .problem(SyncProblem.stampColumn(column: "changed"), of: .table("notes")))
        #expect(error.resultCode == .schema)
    }

    /// A file that was made before logs had versions has version 0.
    @Test func aLogThatHasNoVersionsIsMigrated() throws {
        let schema = "CREATE TABLE notes(id INTEGER PRIMARY KEY, text, at)"
        let (one, two) = (
            try SyncReplica("one", schema: schema, tables: Self.tables),
            try SyncReplica("two", schema: schema, tables: Self.tables)
        )
        try one.record("INSERT INTO notes VALUES(1, 'a', 1)")
        try one.connection.run("DELETE FROM squall_sync_state WHERE name LIKE 'version%'")
        #expect(try one.connection.query("SELECT changes()") == 2)
        try two.pull(one)
        for peer in [one, two] {
            try peer.connection.run("ALTER TABLE notes RENAME COLUMN text TO body")
            try SyncLog.migrate("notes", to: 1, columns: ["body": "text"], on: peer.connection)
            try peer.open(Self.tables, version: 1)
        }
        try one.record("UPDATE notes SET body = 'b', at = 2")
        try two.pull(one)
        #expect(try two.rows("notes") == ["1, 'b', 2"])
    }

    @Test func theConflictsOfATableThatIsTakenOut() throws {
        let schema = "CREATE TABLE notes(id INTEGER PRIMARY KEY, at); CREATE TABLE lists(id INTEGER PRIMARY KEY, at)"
        let tables: [String: SyncLog.Policy] = ["notes": .hubWins, "lists": .hubWins]
        let hub = try SyncReplica("hub", role: .hub, schema: schema, tables: tables)
        let replica = try SyncReplica("r", role: .replica, schema: schema, tables: tables)
        try hub.record("INSERT INTO notes VALUES(1, 1); INSERT INTO lists VALUES(1, 1)")
        try replica.pull(hub)
        try hub.record("UPDATE notes SET at = 2; UPDATE lists SET at = 2")
        try replica.record("UPDATE notes SET at = 3; UPDATE lists SET at = 3")
        #expect(try hub.pull(replica).conflicts.count == 2)
        for database in [hub, replica] {
            try database.connection.run("DROP TABLE lists")
            try SyncLog.remove("lists", on: database.connection)
            try database.open(["notes": .hubWins])
        }
        let report = try replica.pull(hub)
        #expect(report.conflicts.map(\.description) == ["update notes: (id = 1, at = 3) (data): the hub wins"])
        #expect(try replica.rows("notes") == ["1, 2"] && hub.rows("notes") == ["1, 2"])
    }
}

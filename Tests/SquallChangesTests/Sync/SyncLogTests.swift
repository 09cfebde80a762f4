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
}

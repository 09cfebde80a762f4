// swift-format-ignore-file
import Foundation
import Squall
import SquallChanges
import SquallTestSupport
import Testing

private func notes() throws -> Connection {
    let connection = try Connection(":memory:")
    try connection.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT, at INTEGER)")
    return connection
}

/// The `swift` blocks of the page "Problems of synchronisation".
@Suite(.enabled(if: SQLiteLibrary.has("ENABLE_SESSION")))
struct SyncProblemSnippets {
    private let connection: Connection
    private let log: SyncLog

    private static let tables: [String: SyncLog.Policy] = ["notes": .lastWriter(by: "at")]

    init() throws {
        connection = try notes()
        log = try SyncLog(connection, origin: "phone", tables: Self.tables)
        try log.record(on: connection) { try $0.run("INSERT INTO notes VALUES(1, 'a', 5)") }
    }

    @Test func logs() async throws {
        let database = try Database(":memory:")
        try await database.write { connection in
            try connection.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT, at INTEGER)")
        }
        let other = try notes()
        expect(SyncProblem.invalidOrigin, """
            the origin of a log is a text that is not empty and has no NUL character
            """) {
            try SyncLog(other, origin: "", tables: ["notes": .lastWriter(by: "at")])
        }
        // A peer has the policy `.lastWriter`, a hub and its replicas have the others.
        expect(SyncProblem.policy, """
            the policy of notes does not belong to the role of the log
            """) {
            try SyncLog(other, origin: "desk", tables: ["notes": .hubWins])
        }
        expect(SyncProblem.stampColumn(column: "time"), """
            notes has no column time outside its primary key, by which its last \
            writer is found; after a migration, open the log with the new column, \
            which SyncLog.migrate gets as lastWriter: unless it was only renamed
            """) {
            try SyncLog(other, origin: "desk", tables: ["notes": .lastWriter(by: "time")])
        }
        // Open the log on each database that it is used on.
        expect(SyncProblem.notInstalled, "this database does not have the log") {
            try log.changes(on: other)
        }
        // Open it with the origin and the role that it was made with.
        expect(SyncProblem.otherLog(origin: "phone", role: "peer"), """
            this database has the log of the peer phone
            """) {
            try SyncLog(
                connection, origin: "server", role: .hub, tables: ["notes": .hubWins])
        }
        expect(SyncProblem.unnamedTable, """
            the log has changes of notes, which is not among its tables: name it; if \
            it was renamed, call SyncLog.migrate(from:), and SyncLog.remove if it is \
            not to be in the log any more
            """) {
            try SyncLog(connection, origin: "phone", tables: [:]).changes(on: connection)
        }
        // Merge after the recording.
        let batch = try log.changes(on: connection)
        expect(SyncProblem.nested, "a merge is inside a recording or a merge") {
            try log.record(on: connection) { try log.merge(batch, on: $0) }
        }
        let followed = try await SyncLog.follow(
            database, origin: "pad", tables: ["notes": .lastWriter(by: "at")])
        try await database.write(isolated: true) { connection in
            try connection.run("INSERT INTO notes VALUES(2, 'b', 5)")
            expect(SyncProblem.unrecordedChanges, """
                changes before the merge have no entry yet: call flush() of the followed \
                log, and merge before other writes of the transaction
                """) {
                try followed.log.merge(batch, on: connection)
            }
        }
    }

    @Test func batches() throws {
        let (desk, server) = (try notes(), try notes())
        let deskLog = try SyncLog(desk, origin: "desk", tables: ["notes": .lastWriter(by: "at")])
        let hub = try SyncLog(server, origin: "server", role: .hub, tables: ["notes": .hubWins])
        // Send the batch again.
        let batch = try log.changes(on: connection)
        expect(SyncProblem.damaged, "the bytes are not those of a batch of changes") {
            try SyncBatch(batch.data.dropLast(1))
        }
        // A hub merges the changes of replicas, a replica those of its hub.
        expect(SyncProblem.wrongRole("peer"), """
            this log does not merge the changes of a peer
            """) {
            try hub.merge(batch, on: server)
        }
        try connection.execute("CREATE TABLE tags(name TEXT PRIMARY KEY, at INTEGER)")
        let longer = try SyncLog(
            connection, origin: "phone",
            tables: ["notes": .lastWriter(by: "at"), "tags": .lastWriter(by: "at")])
        try longer.record(on: connection) { try $0.run("INSERT INTO tags VALUES('red', 7)") }
        expect(SyncProblem.unknownTable, """
            the changes are of tags, which is not a table of the log: add it here, or \
            remove it there
            """) {
            try deskLog.merge(longer.changes(on: connection), on: desk)
        }
    }

    @Test func hubs() throws {
        let (server, tablet) = (try notes(), try notes())
        let hub = try SyncLog(
            server, origin: "server", role: .hub, tables: ["notes": .hubWins])
        let replica = try SyncLog(
            tablet, origin: "tablet", role: .replica, tables: ["notes": .hubWins])
        // The log of a replica removes what the hub has merged.
        expect(SyncProblem.compactionOfReplica, """
            the log of a replica removes changes by itself after its hub has them
            """) {
            let cursor = try replica.changes(on: tablet).cursor
            try replica.compact(through: cursor, on: tablet)
        }
        try hub.record(on: server) { try $0.run("INSERT INTO notes VALUES(1, 'no', 1)") }
        let early = try hub.changes(on: server)
        try hub.record(on: server) { try $0.run("DELETE FROM notes") }
        let late = try hub.changes(since: early.cursor, on: server)
        // Merge the batches in their order, or make one since the cursor of this log.
        expect(SyncProblem.missingEntries(after: 0, first: 1), """
            the changes begin after number 1, and those from number 0 are missing
            """) {
            try replica.merge(late, on: tablet)
        }
        try hub.compact(through: hub.changes(on: server).cursor, on: server)
        expect(SyncProblem.entriesRemoved, """
            entries that follow the cursor were removed from the log: begin again \
            with a new replica of the hub, or with a copy of a peer that is opened \
            with another origin
            """) {
            try hub.changes(since: early.cursor, on: server)
        }
        // A copy of the file gives its changes the numbers that the other one gives.
        let copied = try Connection(":memory:")
        try copied.deserialize(tablet.serialize())
        try replica.record(on: tablet) { try $0.run("INSERT INTO notes VALUES(2, 'a', 1)") }
        try hub.merge(replica.changes(on: tablet), on: server)
        try replica.record(on: copied) { try $0.run("INSERT INTO notes VALUES(3, 'b', 1)") }
        expect(SyncProblem.reusedNumbers("tablet"), """
            changes of tablet have the numbers of others: its file was restored or \
            copied; FollowedLog.renewed(origin:) gives it another origin
            """) {
            try hub.merge(replica.changes(on: copied), on: server)
        }
        // The constraints of the replica are those of the hub.
        let strict = try Connection(":memory:")
        try strict.execute("""
            CREATE TABLE notes(
                id INTEGER PRIMARY KEY, text TEXT CHECK (text <> 'no'), at INTEGER)
            """)
        let strictLog = try SyncLog(
            strict, origin: "strict", role: .replica, tables: ["notes": .hubWins])
        expect(SyncProblem.unstorable(reason: "CHECK constraint failed: text <> 'no'"), """
            a row of notes cannot be stored: CHECK constraint failed: text <> 'no'
            """) {
            try strictLog.merge(early, on: strict)
        }
        // Give each database its own origin.
        let other = try notes()
        let twin = try SyncLog(
            other, origin: "tablet", role: .replica, tables: ["notes": .hubWins])
        for (log, device) in [(replica, tablet), (twin, other)] {
            try log.record(on: device) { try $0.run("INSERT INTO notes VALUES(3, 'c', 3)") }
        }
        try hub.merge(replica.changes(on: tablet), on: server)
        expect(SyncProblem.otherLogOfOrigin("tablet"), """
            the changes are of another log of tablet than those before
            """) {
            try hub.merge(twin.changes(on: other), on: server)
        }
    }

    @Test func migrations() throws {
        let batch = try log.changes(on: connection)
        let desk = try notes()
        let deskLog = try SyncLog(
            desk, origin: "desk", tables: ["notes": .lastWriter(by: "at")])
        try desk.execute("ALTER TABLE notes RENAME COLUMN text TO body")
        expect(
            SyncProblem.otherColumns(
                expected: ["id", "text", "at"], found: ["id", "body", "at"]),
            """
                the changes of notes have the columns id, text, at, and the table has \
                id, body, at; after a migration, call SyncLog.migrate in both \
                databases, and make the batch again
                """
        ) {
            try deskLog.merge(batch, on: desk)
        }
        expect(SyncProblem.unknownColumn(column: "title"), """
            notes has no column title, which the migration of the log names
            """) {
            try SyncLog.migrate("notes", to: 1, columns: ["title": "text"], on: desk)
        }
        try SyncLog.migrate("notes", to: 1, columns: ["body": "text"], on: desk)
        let migrated = try SyncLog(
            desk, origin: "desk", tables: ["notes": .lastWriter(by: "at")], version: 1)
        expect(SyncProblem.otherVersion(expected: 1, found: 0), """
            the changes have the version 0, and 1 is expected: call SyncLog.migrate \
            in each database, open its log with the new version, and make the batch \
            again
            """) {
            try migrated.merge(batch, on: desk)
        }
        try connection.execute("""
            CREATE TABLE new(
                id INTEGER PRIMARY KEY, text TEXT, at INTEGER, size INTEGER NOT NULL);
            INSERT INTO new SELECT *, length(text) FROM notes;
            DROP TABLE notes;
            ALTER TABLE new RENAME TO notes;
            """)
        expect(SyncProblem.unfilledColumn(column: "size"), """
            notes has the new column size, which must have a value: name the \
            expression that fills it (columns:)
            """) {
            try SyncLog.migrate("notes", to: 1, on: connection)
        }
    }

    @Test func renamedTables() throws {
        let desk = try notes()
        try desk.execute("CREATE TABLE tags(name TEXT PRIMARY KEY, at INTEGER)")
        _ = try SyncLog(
            desk, origin: "desk",
            tables: ["notes": .lastWriter(by: "at"), "tags": .lastWriter(by: "at")])
        try desk.execute("DROP TABLE tags; ALTER TABLE notes RENAME TO tags")
        // Call `SyncLog.remove` for the table that was dropped.
        expect(SyncProblem.tableInLog, """
            the log has the changes of another table tags: migrate both by way of a \
            third name
            """) {
            try SyncLog.migrate("tags", to: 1, from: "notes", on: desk)
        }
    }
}

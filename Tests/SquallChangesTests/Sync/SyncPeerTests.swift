import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteFeatures.sessions))
struct SyncPeerTests {
    private static let notes = "CREATE TABLE notes(id INTEGER PRIMARY KEY, a TEXT, b TEXT, at INTEGER);"

    private static func peer(_ origin: String, _ more: String = "") throws -> SyncReplica {
        try SyncReplica(origin, schema: notes + more, tables: ["notes": .lastWriter(by: "at")])
    }

    @Test func theLaterWriterWinsWithTheWholeRow() throws {
        let (one, two) = (try Self.peer("one"), try Self.peer("two"))
        try one.record("INSERT INTO notes VALUES(1, 'a', 'b', 1)")
        try two.pull(one)
        try one.record("UPDATE notes SET a = 'A', at = 2")
        try two.record("UPDATE notes SET b = 'B', at = 3")
        let lost = try two.pull(one)
        #expect(lost.superseded.map(\.new) == [[.integer(1), .text("A"), .text("b"), .integer(2)]])
        let won = try one.pull(two)
        #expect(won.applied.map(\.old) == [[.integer(1), .text("A"), .text("b"), .integer(2)]])
        #expect(try one.rows("notes") == ["1, 'a', 'B', 3"])
        #expect(try two.rows("notes") == one.rows("notes"))
    }

    @Test func ofEqualValuesTheGreaterOriginWins() throws {
        let (one, two) = (try Self.peer("one"), try Self.peer("two"))
        try one.record("INSERT INTO notes VALUES(1, 'one', NULL, 5)")
        try two.record("INSERT INTO notes VALUES(1, 'two', NULL, 5)")
        try one.pull(two)
        try two.pull(one)
        #expect(try one.rows("notes") == ["1, 'two', NULL, 5"])
        #expect(try two.rows("notes") == one.rows("notes"))
    }

    /// A mistake, for instance a restored copy: the content decides.
    @Test func replicasWithOneOriginBecomeEqual() throws {
        let (one, two, three) = (try Self.peer("same"), try Self.peer("same"), try Self.peer("three"))
        try one.record("INSERT INTO notes VALUES(1, 'x', NULL, 5)")
        try two.record("INSERT INTO notes VALUES(1, 'y', NULL, 5)")
        for _ in 0..<2 {
            for replica in [one, two] { try three.merge(replica.log.changes(on: replica.connection)) }
            for replica in [one, two] { try replica.merge(three.log.changes(on: three.connection)) }
        }
        #expect(try one.rows("notes") == ["1, 'y', NULL, 5"])
        #expect(try two.rows("notes") == one.rows("notes") && three.rows("notes") == one.rows("notes"))
    }

    @Test func aLogWorksInTheClosuresOfADatabase() async throws {
        let (phone, laptop) = (try Database.temporary(), try Database.temporary())
        let logs = try await [(phone, "phone"), (laptop, "laptop")].asyncMap { database, origin in
            try await database.write { connection in
                try connection.execute("\(raw: Self.notes)")
                return try SyncLog(connection, origin: origin, tables: ["notes": .lastWriter(by: "at")])
            }
        }
        try await phone.write { connection in
            try logs[0].record(on: connection) { try $0.run("INSERT INTO notes VALUES(1, 'a', NULL, 1)") }
        }
        let batch = try await phone.read { try logs[0].changes(on: $0) }
        let report = try await laptop.write { try logs[1].merge(batch, on: $0) }
        #expect(report.applied.count == 1 && report.cursor == batch.cursor)
        #expect(try await laptop.read { try $0.query("SELECT a FROM notes") } == "a")
        try await phone.close()
        try await laptop.close()
    }

    @Test func aLaterWriteOfTheSameReplicaWinsEvenWithASmallerValue() throws {
        let (one, two) = (try Self.peer("one"), try Self.peer("two"))
        try one.record("INSERT INTO notes VALUES(1, 'a', NULL, 9)")
        try two.pull(one)
        try two.record("UPDATE notes SET a = 'b', at = 3")
        try one.pull(two)
        #expect(try one.rows("notes") == ["1, 'b', NULL, 3"])
    }

    @Test func aConcurrentChangeWinsOverADeletionWithoutAClock() throws {
        let (one, two) = (try Self.peer("one"), try Self.peer("two"))
        try one.record("INSERT INTO notes VALUES(1, 'a', NULL, 1), (2, 'a', NULL, 1)")
        try two.pull(one)
        try one.record("DELETE FROM notes")
        try two.record("UPDATE notes SET a = 'new', at = 2 WHERE id = 1")
        try one.pull(two)
        try two.pull(one)
        #expect(try one.rows("notes") == ["1, 'new', NULL, 2"])
        #expect(try two.rows("notes") == one.rows("notes"))
    }

    @Test func theLaterOfADeletionAndAChangeWinsWithAClock() throws {
        let policy = SyncLog.Policy.lastWriter(by: "at", deletedAt: { 10 })
        let one = try SyncReplica("one", schema: Self.notes, tables: ["notes": policy])
        let two = try SyncReplica("two", schema: Self.notes, tables: ["notes": policy])
        try one.record("INSERT INTO notes VALUES(1, 'a', NULL, 1), (2, 'a', NULL, 1)")
        try two.pull(one)
        try one.record("DELETE FROM notes")
        try two.record("UPDATE notes SET a = 'new', at = CASE id WHEN 1 THEN 9 ELSE 11 END")
        try one.pull(two)
        try two.pull(one)
        #expect(try one.rows("notes") == ["2, 'new', NULL, 11"])
        #expect(try two.rows("notes") == one.rows("notes"))
        // The row is inserted again, with a value that is smaller than that of its deletion.
        try two.record("INSERT INTO notes VALUES(1, 'again', NULL, 4)")
        try one.pull(two)
        #expect(try one.rows("notes") == two.rows("notes"))
    }

    @Test func rowsOfBeforeTheLogAreSent() throws {
        let one = try Self.peer("one", "INSERT INTO notes VALUES(1, 'a', NULL, 1)")
        let two = try Self.peer("two")
        try two.pull(one)
        #expect(try two.rows("notes") == ["1, 'a', NULL, 1"])
    }

    @Test func anErrorInARecordingLeavesNeitherRowsNorEntries() throws {
        let one = try Self.peer("one")
        #expect(throws: CancellationError.self) {
            try one.log.record(on: one.connection) { connection in
                try connection.run("INSERT INTO notes VALUES(1, 'a', NULL, 1)")
                throw CancellationError()
            }
        }
        #expect(try one.rows("notes").isEmpty)
        #expect(try one.log.changes(on: one.connection).isEmpty)
        // A transaction around it takes back both.
        try? one.connection.transaction {
            try one.record("INSERT INTO notes VALUES(1, 'a', NULL, 1)")
            throw CancellationError()
        }
        #expect(try one.log.changes(on: one.connection).isEmpty)
    }

    @Test func aRecordingInsideARecordingIsAPartOfIt() throws {
        let one = try Self.peer("one")
        try one.log.record(on: one.connection) { _ in
            try one.record("INSERT INTO notes VALUES(1, 'a', NULL, 1)")
            let batch = try one.log.changes(on: one.connection)
            #expect(try errorKind { try one.merge(batch) } == .problem(SyncProblem.nested))
        }
        #expect(try one.log.changes(on: one.connection).count == 1)
    }

    @Test func aRowThatViolatesUniquenessIsKeptAsPending() throws {
        let unique = "CREATE UNIQUE INDEX titles ON notes(a);"
        let (one, two) = (try Self.peer("one", unique), try Self.peer("two", unique))
        let three = try Self.peer("three")
        try one.record("INSERT INTO notes VALUES(1, 'same', NULL, 1)")
        try two.record("INSERT INTO notes VALUES(2, 'same', NULL, 2)")
        let report = try two.pull(one)
        #expect(report.applied.isEmpty && report.pending.map(\.reason) == ["UNIQUE constraint failed: notes.a"])
        #expect(report.pending[0].change["a"] == .text("same"))
        // Others receive it through this replica, and it is written when its place is free.
        try three.pull(two)
        #expect(try three.rows("notes").count == 2)
        try two.record("UPDATE notes SET a = 'other', at = 3 WHERE id = 2")
        #expect(try two.log.pending(on: two.connection).count == 1)
        let later = try two.pull(one)
        #expect(later.pending.isEmpty && later.applied.count == 1)
        try one.pull(two)
        try three.pull(two)
        #expect(try one.rows("notes") == ["1, 'same', NULL, 1", "2, 'other', NULL, 3"])
        #expect(try two.rows("notes") == one.rows("notes") && three.rows("notes") == one.rows("notes"))
    }

    @Test func rowsThatExchangeUniqueValuesAreWrittenTogether() throws {
        let unique = "CREATE UNIQUE INDEX titles ON notes(a);"
        let (one, two) = (try Self.peer("one", unique), try Self.peer("two", unique))
        try one.record("INSERT INTO notes VALUES(1, 'a', NULL, 1), (2, 'b', NULL, 1)")
        try two.pull(one)
        try one.record(
            """
            UPDATE notes SET a = 'x' WHERE id = 1; UPDATE notes SET a = 'a', at = 2 WHERE id = 2;
            UPDATE notes SET a = 'b', at = 2 WHERE id = 1;
            """)
        #expect(try two.pull(one).pending.isEmpty)
        #expect(try two.rows("notes") == ["1, 'b', NULL, 2", "2, 'a', NULL, 2"])
    }

    private static let lists = """
        CREATE TABLE lists(id INTEGER PRIMARY KEY, at INTEGER);
        CREATE TABLE items(id INTEGER PRIMARY KEY, list INTEGER REFERENCES lists%, at INTEGER);
        """

    private static func lists(_ origin: String, _ action: String) throws -> SyncReplica {
        try SyncReplica(
            origin, schema: lists.replacing("%", with: action),
            tables: ["lists": .lastWriter(by: "at"), "items": .lastWriter(by: "at")])
    }

    @Test(arguments: ["", " DEFERRABLE INITIALLY DEFERRED"])
    func aRowWithoutItsParentIsPending(_ action: String) throws {
        let (one, two) = (try Self.lists("one", action), try Self.lists("two", action))
        try one.record("INSERT INTO lists VALUES(1, 1)")
        let parent = try one.log.changes(on: one.connection)
        try one.record("INSERT INTO items VALUES(1, 1, 1)")
        let child = try one.log.changes(since: parent.cursor, on: one.connection)
        #expect(try two.merge(child).pending.map(\.reason) == ["FOREIGN KEY constraint failed"])
        #expect(try two.rows("items").isEmpty)
        let report = try two.merge(parent)
        #expect(report.pending.isEmpty && report.applied.count == 2)
        #expect(try two.rows("items") == ["1, 1, 1"])
    }

    /// Rows that refer to one another, or to themselves, and a row without its parent beside them.
    @Test(arguments: ["", " ON DELETE CASCADE", " DEFERRABLE INITIALLY DEFERRED"])
    func rowsThatReferToOneAnotherAreWrittenTogether(_ action: String) throws {
        let schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, at INTEGER, parent INTEGER REFERENCES t\(action))"
        let peers = try ["one", "two"].map { try SyncReplica($0, schema: schema, tables: ["t": .lastWriter(by: "at")]) }
        try peers[0].record("INSERT INTO t VALUES(1, 1, NULL), (2, 1, 1), (3, 1, 2), (4, 1, 4), (5, 1, 3)")
        try peers[0].record("UPDATE t SET parent = 3, at = 2 WHERE id = 1")
        #expect(try peers[1].pull(peers[0]).pending.isEmpty)
        #expect(try peers[1].rows("t") == ["1, 2, 3", "2, 1, 1", "3, 1, 2", "4, 1, 4", "5, 1, 3"])
        #expect(try peers[1].connection.query("PRAGMA defer_foreign_keys") == 0)
        try peers[1].record("DELETE FROM t WHERE id = 5")
        try peers[0].record(
            "INSERT INTO t VALUES(6, 1, 5), (7, 1, NULL), (8, 1, 7); UPDATE t SET parent = 8 WHERE id = 7")
        let report = try peers[1].pull(peers[0])
        #expect(report.pending.map { $0.change["id"] }.contains(.integer(6)))
        #expect(try peers[1].connection.query("SELECT count(*) FROM pragma_foreign_key_check") == 0)
        try peers[0].record("UPDATE t SET parent = 4, at = 2 WHERE id = 6")
        #expect(try peers[1].pull(peers[0]).pending.isEmpty)
        #expect(try peers[1].rows("t").suffix(3) == ["6, 2, 4", "7, 1, 8", "8, 1, 7"])
    }

    @Test func actionsOfForeignKeysDuringAMergeAreChangesOfTheReplica() throws {
        let (one, two) = (try Self.lists("one", " ON DELETE CASCADE"), try Self.lists("two", " ON DELETE CASCADE"))
        try one.record("INSERT INTO lists VALUES(1, 1)")
        try two.pull(one)
        try one.record("DELETE FROM lists")
        try two.record("INSERT INTO items VALUES(7, 1, 1)")
        let report = try two.pull(one)
        #expect(report.recorded.map(\.description) == ["delete from items: (id = 7, list = 1, at = 1)"])
        try one.pull(two)
        #expect(try one.rows("items") == [] && two.rows("items") == [])
    }

    @Test func aReplicaWithAColumnMoreAcceptsOthersDoNot() throws {
        let one = try Self.peer("one")
        let two = try Self.peer("two", "ALTER TABLE notes ADD COLUMN c TEXT DEFAULT 'none';")
        try one.record("INSERT INTO notes VALUES(1, 'a', NULL, 1)")
        try two.pull(one)
        #expect(try two.rows("notes") == ["1, 'a', NULL, 1, 'none'"])
        try two.record("UPDATE notes SET c = 'c', at = 2")
        #expect(
            try errorKind { try one.pull(two) }
                == .problem(
                    SyncProblem.otherColumns(expected: ["id", "a", "b", "at", "c"], found: ["id", "a", "b", "at"]),
                    of: .table("notes")))
        #expect(try one.rows("notes") == ["1, 'a', NULL, 1"])
        // After the same change here, all arrives.
        try one.connection.execute("ALTER TABLE notes ADD COLUMN c TEXT DEFAULT 'none'")
        try one.pull(two)
        #expect(try one.rows("notes") == ["1, 'a', NULL, 2, 'c'"])
        try one.connection.execute("ALTER TABLE notes RENAME COLUMN c TO d")
        #expect(throws: SQLiteError.self) { try one.pull(two) }
    }

    @Test func forgottenDeletionsAndTheCursorsBeforeThem() throws {
        let one = try Self.peer("one")
        try one.record("INSERT INTO notes VALUES(1, 'a', NULL, 1), (2, 'b', NULL, 1)")
        let early = try one.log.changes(on: one.connection).cursor
        try one.record("DELETE FROM notes WHERE id = 1")
        let late = try one.log.changes(on: one.connection)
        #expect(late.count == 2)
        try one.log.compact(through: late.cursor, on: one.connection)
        #expect(try one.log.changes(on: one.connection).count == 1)
        #expect(try one.log.changes(since: late.cursor, on: one.connection).isEmpty)
        #expect(
            try errorKind { _ = try one.log.changes(since: early, on: one.connection) }
                == .problem(SyncProblem.entriesRemoved))
    }

    @Test func anotherOriginGivesAPeerANewLog() throws {
        let one = try Self.peer("one")
        try one.record("INSERT INTO notes VALUES(1, 'a', NULL, 1)")
        let cursor = try one.log.changes(on: one.connection).cursor
        let other = try SyncLog(one.connection, origin: "copy", tables: ["notes": .lastWriter(by: "at")])
        #expect(try other.changes(since: cursor, on: one.connection).count == 1)
        #expect(
            try errorKind { _ = try one.log.changes(on: one.connection) }
                == .problem(SyncProblem.otherLog(origin: "copy", role: "peer")))
    }

    @Test func triggersRunOnRequestOnly() throws {
        let words = """
            CREATE TABLE words(word TEXT);
            CREATE TRIGGER t AFTER INSERT ON notes BEGIN INSERT INTO words VALUES(new.a); END;
            """
        let tables: [String: SyncLog.Policy] = ["notes": .lastWriter(by: "at")]
        let one = try Self.peer("one", words)
        try one.record("INSERT INTO notes VALUES(1, 'a', NULL, 1)")
        for runs in [false, true] {
            let two = try SyncReplica("two", schema: Self.notes + words, tables: tables, runsTriggers: runs)
            try two.pull(one)
            #expect(try two.rows("words") == (runs ? ["'a'"] : []))
        }
        #expect(try one.rows("words") == ["'a'"])
        #expect(try !SyncLog(one.connection, origin: "one", tables: tables).runsTriggers)
    }

    @Test func mistakesOfTheCaller() throws {
        let connection = try Connection()
        try connection.execute("\(raw: Self.notes) CREATE TABLE k(a TEXT); CREATE TABLE n(id INTEGER PRIMARY KEY)")
        func make(_ origin: String, _ tables: [String: SyncLog.Policy], _ role: SyncLog.Role = .peer) throws {
            _ = try SyncLog(connection, origin: origin, role: role, tables: tables)
        }
        #expect(try errorKind { try make("", [:]) } == .problem(SyncProblem.invalidOrigin))
        #expect(
            try errorKind { try make("a", ["notes": .hubWins]) } == .problem(SyncProblem.policy, of: .table("notes")))
        #expect(
            try errorKind { try make("a", ["notes": .lastWriter(by: "at")], .hub) }
                == .problem(SyncProblem.policy, of: .table("notes")))
        #expect(
            try errorKind { try make("a", ["notes": .lastWriter(by: "x")]) }
                == .problem(SyncProblem.stampColumn(column: "x"), of: .table("notes")))
        #expect(
            try errorKind { try make("a", ["k": .lastWriter(by: "a")]) }
                == .problem(RecordingProblem.noPrimaryKey, of: .table("k")))
        #expect(
            try errorKind { try make("a", ["z": .lastWriter(by: "a")]) }
                == .problem(RecordingProblem.unknownTable, of: .table("z")))
        let log = try SyncLog(connection, origin: "a", tables: ["NOTES": .lastWriter(by: "AT")])
        let other = try Connection()
        #expect(try errorKind { _ = try log.changes(on: other) } == .problem(SyncProblem.notInstalled))
        #expect(
            try errorKind { try make("a", ["n": .hubWins], .hub) }
                == .problem(SyncProblem.otherLog(origin: "a", role: "peer")))
    }

    @Test func onlyTheRowWithoutItsParentIsPending() throws {
        let deferred = " DEFERRABLE INITIALLY DEFERRED"
        let (one, two) = (try Self.lists("one", deferred), try Self.lists("two", deferred))
        try one.record("INSERT INTO lists VALUES(1, 1)")
        let parent = try one.log.changes(on: one.connection)
        try one.record("INSERT INTO items VALUES(1, 1, 1); INSERT INTO lists VALUES(2, 1)")
        let report = try two.merge(one.log.changes(since: parent.cursor, on: one.connection))
        #expect(report.pending.map(\.change.table) == ["items"])
        #expect(report.applied.map(\.description) == ["insert into lists: (id = 2, at = 1)"])
        #expect(try two.rows("lists") == ["2, 1"] && two.rows("items").isEmpty)
    }

    @Test func aKeyThatTheColumnStoresAsAnotherTypeIsPending() throws {
        let tables: [String: SyncLog.Policy] = ["notes": .lastWriter(by: "at")]
        let one = try SyncReplica("one", schema: "CREATE TABLE notes(id BLOB PRIMARY KEY, at)", tables: tables)
        let two = try SyncReplica("two", schema: "CREATE TABLE notes(id TEXT PRIMARY KEY, at)", tables: tables)
        try one.record("INSERT INTO notes VALUES(1, 1), ('x', 1)")
        let report = try two.pull(one)
        #expect(report.pending.map(\.reason) == ["notes does not store the row as it is"])
        #expect(try two.rows("notes") == ["'x', 1"])
    }

    @Test func aMissingColumnWhoseDefaultIsNULLIsNULL() throws {
        let one = try Self.peer("one")
        let two = try Self.peer("two", "ALTER TABLE notes ADD COLUMN c TEXT DEFAULT NULL;")
        try one.record("INSERT INTO notes VALUES(1, 'a', NULL, 1)")
        try two.pull(one)
        #expect(try two.rows("notes") == ["1, 'a', NULL, 1, NULL"])
    }
}

extension Array where Element: Sendable {
    fileprivate func asyncMap<Result: Sendable>(
        _ transform: (Element) async throws -> Result
    ) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}

import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteFeatures.sessions))
struct SyncHubTests {
    private static let notes = "CREATE TABLE notes(id INTEGER PRIMARY KEY, a TEXT, b TEXT);"

    private static func set(
        _ policy: SyncLog.Policy, _ schema: String = notes
    ) throws -> (hub: SyncReplica, one: SyncReplica, two: SyncReplica) {
        let tables = ["notes": policy]
        return (
            try SyncReplica("hub", role: .hub, schema: schema, tables: tables),
            try SyncReplica("one", role: .replica, schema: schema, tables: tables),
            try SyncReplica("two", role: .replica, schema: schema, tables: tables)
        )
    }

    @Test func changesOfDifferentColumnsAreBothKept() throws {
        let (hub, one, two) = try Self.set(.hubWins)
        try hub.record("INSERT INTO notes VALUES(1, 'a', 'b')")
        try one.pull(hub)
        try two.pull(hub)
        try one.record("UPDATE notes SET a = 'A'")
        try two.record("UPDATE notes SET b = 'B'")
        #expect(try hub.pull(one).conflicts.isEmpty)
        #expect(try hub.pull(two).conflicts.isEmpty)
        try one.pull(hub)
        try two.pull(hub)
        #expect(try hub.rows("notes") == ["1, 'A', 'B'"])
        #expect(try one.rows("notes") == hub.rows("notes") && two.rows("notes") == hub.rows("notes"))
        #expect(try one.log.changes(on: one.connection).isEmpty)
    }

    @Test func theHubWinsAndTheReplicaIsTold() throws {
        let (hub, one, two) = try Self.set(.hubWins)
        try hub.record("INSERT INTO notes VALUES(1, 'a', 'b')")
        try one.pull(hub)
        try two.pull(hub)
        try one.record("UPDATE notes SET a = 'one'")
        try two.record("UPDATE notes SET a = 'two'")
        try hub.pull(one)
        let report = try hub.pull(two)
        #expect(
            report.conflicts.map(\.description) == ["update notes: (id = 1, a = 'two', b = 'b') (data): the hub wins"])
        #expect(report.conflicts[0].row == [.integer(1), .text("one"), .text("b")])
        // The replica that sent the change gets it back.
        let told = try two.pull(hub).conflicts
        #expect(told.map(\.description) == report.conflicts.map(\.description))
        #expect(told[0].row == report.conflicts[0].row)
        #expect(try two.log.conflicts(on: two.connection) == told)
        #expect(try two.rows("notes") == ["1, 'one', 'b'"])
    }

    @Test func aConflictIsFoundBeforeTheChangeIsSent() throws {
        let (hub, one, _) = try Self.set(.hubWins)
        try hub.record("INSERT INTO notes VALUES(1, 'a', 'b')")
        try one.pull(hub)
        try one.record("UPDATE notes SET a = 'one'")
        try one.record("INSERT INTO notes VALUES(2, 'mine', NULL)")
        try hub.record("UPDATE notes SET a = 'hub'")
        let report = try one.pull(hub)
        #expect(report.conflicts.count == 1)
        #expect(report.applied.map(\.description) == ["update notes: (id = 1, a = 'hub', b = 'b')"])
        #expect(try one.rows("notes") == ["1, 'hub', 'b'", "2, 'mine', NULL"])
        try hub.pull(one)
        #expect(try hub.rows("notes") == one.rows("notes"))
    }

    @Test func theReplicaWinsAlsoOverADeletion() throws {
        let (hub, one, _) = try Self.set(.replicaWins)
        try hub.record("INSERT INTO notes VALUES(1, 'a', 'b'), (2, 'c', 'd')")
        try one.pull(hub)
        try hub.record("DELETE FROM notes WHERE id = 1; UPDATE notes SET a = 'hub', b = 'hub'")
        try one.record("UPDATE notes SET a = 'one'")
        let report = try hub.pull(one)
        #expect(report.conflicts.map(\.kind) == [.notFound, .data])
        #expect(try hub.rows("notes") == ["1, 'one', 'b'", "2, 'one', 'hub'"])
        try one.pull(hub)
        #expect(try one.rows("notes") == hub.rows("notes"))
    }

    @Test func aClosureDecides() throws {
        let policy = SyncLog.Policy.resolve { $0.change["a"] == .text("important") ? .replica : .hub }
        let (hub, one, two) = try Self.set(policy)
        try hub.record("INSERT INTO notes VALUES(1, 'a', 'b'), (2, 'a', 'b')")
        try one.pull(hub)
        try two.pull(hub)
        try one.record("UPDATE notes SET a = 'one'")
        try two.record("UPDATE notes SET a = CASE id WHEN 1 THEN 'important' ELSE 'two' END")
        try hub.pull(one)
        #expect(try hub.pull(two).conflicts.map(\.winner) == [.replica, .hub])
        #expect(try hub.rows("notes") == ["1, 'important', 'b'", "2, 'one', 'b'"])
    }

    @Test func aChangeThatViolatesAConstraintOfTheHubComesBack() throws {
        let schema = """
            CREATE TABLE lists(id INTEGER PRIMARY KEY);
            CREATE TABLE notes(id INTEGER PRIMARY KEY, a TEXT UNIQUE, list REFERENCES lists);
            """
        let tables: [String: SyncLog.Policy] = ["notes": .replicaWins, "lists": .replicaWins]
        let hub = try SyncReplica("hub", role: .hub, schema: schema, tables: tables)
        let one = try SyncReplica("one", role: .replica, schema: schema, tables: tables)
        try hub.record("INSERT INTO lists VALUES(1)")
        try one.pull(hub)
        try one.record("INSERT INTO notes VALUES(1, 'same', NULL), (2, 'child', 1)")
        let batch = try one.log.changes(on: one.connection)
        try hub.record("INSERT INTO notes VALUES(9, 'same', NULL); DELETE FROM lists")
        let report = try hub.merge(batch)
        #expect(report.conflicts.map(\.kind) == [.constraint, .foreignKey])
        let received = try one.pull(hub)
        #expect(received.conflicts.map(\.change["id"]) == [.integer(1), .integer(2)])
        #expect(try one.rows("notes") == hub.rows("notes") && one.rows("lists") == [])
    }

    @Test func aBatchIsMergedOnce() throws {
        let (hub, one, _) = try Self.set(.replicaWins)
        try one.record("INSERT INTO notes VALUES(1, 'a', 'b')")
        let batch = try one.log.changes(on: one.connection)
        #expect(try hub.merge(batch).applied.count == 1)
        #expect(try hub.merge(batch).applied.isEmpty)
        try hub.record("DELETE FROM notes")
        try hub.merge(batch)
        #expect(try hub.rows("notes").isEmpty)
        try one.pull(hub)
        #expect(try one.rows("notes").isEmpty)
    }

    @Test func batchesMustFollowOneAnother() throws {
        let (hub, one, two) = try Self.set(.hubWins)
        try hub.record("INSERT INTO notes VALUES(1, 'a', 'b')")
        let first = try hub.log.changes(on: hub.connection)
        try hub.record("DELETE FROM notes")
        let second = try hub.log.changes(since: first.cursor, on: hub.connection)
        #expect(try errorKind { try one.merge(second) } == .problem(SyncProblem.missingEntries(after: 0, first: 1)))
        try one.merge(first)
        try one.merge(second)
        try one.merge(first)
        #expect(try one.rows("notes").isEmpty)
        #expect(try errorKind { try hub.merge(first) } == .problem(SyncProblem.wrongRole("hub")))
        let peer = try SyncReplica(
            "p", schema: "CREATE TABLE notes(id INTEGER PRIMARY KEY, at)", tables: ["notes": .lastWriter(by: "at")])
        #expect(try errorKind { try peer.merge(first) } == .problem(SyncProblem.wrongRole("hub")))
        // Two replicas with one origin would count as one.
        let twin = try SyncReplica("one", role: .replica, schema: Self.notes, tables: ["notes": .hubWins])
        try one.record("INSERT INTO notes VALUES(3, 'one', NULL)")
        try twin.record("INSERT INTO notes VALUES(4, 'twin', NULL)")
        try hub.pull(one)
        #expect(
            try errorKind { try hub.merge(twin.log.changes(on: twin.connection)) }
                == .problem(SyncProblem.otherLogOfOrigin("one")))
        let other = try SyncReplica("other", role: .hub, schema: Self.notes, tables: ["notes": .hubWins])
        try other.record("INSERT INTO notes VALUES(1, 'x', NULL)")
        #expect(try errorKind { try one.pull(other) } == .problem(SyncProblem.otherLogOfOrigin("hub")))
        _ = two
    }

    @Test func aCombinedLogServesNewReplicas() throws {
        let (hub, one, two) = try Self.set(.hubWins)
        for id in 1...5 { try hub.record("INSERT INTO notes VALUES(\(id), 'a', 'b')") }
        let early = try hub.log.changes(limit: 2, on: hub.connection).cursor
        try hub.record("DELETE FROM notes WHERE id < 3")
        try one.pull(hub)
        let cursor = try #require(try one.log.cursor(of: "hub", on: one.connection))
        try hub.log.compact(through: cursor, on: hub.connection)
        #expect(try hub.log.changes(on: hub.connection).count == 1)
        try hub.record("UPDATE notes SET a = 'c' WHERE id = 3")
        try one.pull(hub)
        try two.pull(hub)
        #expect(try two.rows("notes") == hub.rows("notes") && one.rows("notes") == hub.rows("notes"))
        #expect(
            try errorKind { _ = try hub.log.changes(since: early, on: hub.connection) }
                == .problem(SyncProblem.entriesRemoved))
        #expect(
            try errorKind { try one.log.compact(through: cursor, on: one.connection) }
                == .problem(SyncProblem.compactionOfReplica))
    }

    @Test func actionsOfForeignKeysAreNotRepeatedInReplicas() throws {
        let schema = """
            CREATE TABLE p(id INTEGER PRIMARY KEY);
            CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON UPDATE CASCADE ON DELETE CASCADE);
            """
        let tables: [String: SyncLog.Policy] = ["p": .hubWins, "c": .hubWins]
        let hub = try SyncReplica("hub", role: .hub, schema: schema, tables: tables)
        let one = try SyncReplica("one", role: .replica, schema: schema, tables: tables)
        let two = try SyncReplica("two", role: .replica, schema: schema, tables: tables)
        try hub.record("INSERT INTO p VALUES(1); INSERT INTO c VALUES(10, 1)")
        try one.pull(hub)
        try two.pull(hub)
        // Deletes 1 and inserts 2 for the log: the deletion must not take the child with it.
        try one.record("UPDATE p SET id = 2")
        #expect(try hub.pull(one).conflicts.isEmpty)
        #expect(try hub.rows("c") == ["10, 2"])
        try one.pull(hub)
        try two.pull(hub)
        #expect(try one.rows("c") == ["10, 2"] && two.rows("c") == ["10, 2"])
        #expect(try two.connection.query("PRAGMA foreign_keys") == 1)
    }

    @Test func aBatchOfAReplicaAfterAGapIsRefused() throws {
        let (hub, one, _) = try Self.set(.hubWins)
        try one.record("INSERT INTO notes VALUES(1, 'a', 'b')")
        let first = try one.log.changes(on: one.connection)
        try one.record("INSERT INTO notes VALUES(2, 'c', 'd')")
        let second = try one.log.changes(since: first.cursor, on: one.connection)
        #expect(try errorKind { try hub.merge(second) } == .problem(SyncProblem.missingEntries(after: 0, first: 1)))
        #expect(try hub.rows("notes").isEmpty)
        try hub.merge(first)
        try hub.merge(second)
        #expect(try hub.rows("notes") == one.rows("notes"))
    }

    @Test func aHubWhoseLogWasMadeAgainIsAnotherHub() throws {
        let (hub, one, _) = try Self.set(.hubWins)
        try hub.record("INSERT INTO notes VALUES(1, 'a', 'b')")
        try one.pull(hub)
        let again = try SyncReplica("hub", role: .hub, schema: Self.notes, tables: ["notes": .hubWins])
        try again.record("INSERT INTO notes VALUES(2, 'c', 'd')")
        #expect(try errorKind { try one.pull(again) } == .problem(SyncProblem.otherLogOfOrigin("hub")))
        #expect(try one.rows("notes") == ["1, 'a', 'b'"])
    }

    @Test func aRowOfTheHubThatAReplicaCannotStoreIsAnError() throws {
        let (hub, _, _) = try Self.set(.hubWins)
        let one = try SyncReplica(
            "one", role: .replica,
            schema: "CREATE TABLE notes(id INTEGER PRIMARY KEY, a TEXT CHECK (a <> 'no'), b TEXT)",
            tables: ["notes": .hubWins])
        try hub.record("INSERT INTO notes VALUES(1, 'yes', NULL), (2, 'no', NULL)")
        let error = try sqliteError { try one.pull(hub) }
        #expect(
            error.kind
                == .problem(SyncProblem.unstorable(reason: "CHECK constraint failed: a <> 'no'"), of: .table("notes")))
        #expect(error.resultCode == .constraint)
        // The rows before it are not kept either.
        #expect(try one.rows("notes").isEmpty)
    }

    @Test func updatesOfARowAreCombinedIntoOne() throws {
        let (hub, _, _) = try Self.set(.hubWins)
        // Outside the log, whose first entry is therefore an update.
        try hub.connection.run("INSERT INTO notes VALUES(1, 'a', 'b')")
        try hub.record("UPDATE notes SET a = 'A'")
        try hub.record("UPDATE notes SET b = 'B'")
        let cursor = try hub.log.changes(on: hub.connection).cursor
        try hub.log.compact(through: cursor, on: hub.connection)
        let elements = try hub.log.changes(on: hub.connection).changesets.flatMap { try $0.elements }
        try #require(elements.count == 1 && elements[0].operation == .update)
        #expect(elements[0].old[1] == .text("a") && elements[0].new[1] == .text("A"))
        #expect(elements[0].old[2] == .text("b") && elements[0].new[2] == .text("B"))
    }

    /// To exchange unique values, rows are deleted for a moment. An action of a foreign key may then delete another one of them.
    @Test func aRowThatWasWrittenLaterIsNotAConflict() throws {
        let schema = """
            CREATE TABLE notes(
                id INTEGER PRIMARY KEY, a TEXT UNIQUE, parent INTEGER REFERENCES notes ON DELETE CASCADE);
            """
        let (hub, one, _) = try Self.set(.hubWins, schema)
        try hub.record("INSERT INTO notes VALUES(1, 'a', NULL), (2, 'b', 1), (3, 'x', NULL), (4, 'y', NULL)")
        try one.pull(hub)
        try one.record(
            "DELETE FROM notes WHERE id > 2; UPDATE notes SET a = 'x' WHERE id = 1; UPDATE notes SET a = 'y' WHERE id = 2"
        )
        #expect(try hub.pull(one).conflicts.isEmpty)
        #expect(try hub.rows("notes") == ["1, 'x', NULL", "2, 'y', 1"])
    }

    /// The action for a parent changes its children, which are deleted after it. That is no change of another database.
    @Test(arguments: ["SET NULL", "SET DEFAULT"])
    func aRowThatIsDeletedWithItsParentIsNotAConflict(_ action: String) throws {
        let schema = """
            CREATE TABLE notes(
                id INTEGER PRIMARY KEY, parent INTEGER DEFAULT 9 REFERENCES notes ON DELETE \(action));
            """
        let (hub, one, _) = try Self.set(.hubWins, schema)
        try hub.record("INSERT INTO notes VALUES(9, NULL), (1, NULL), (2, 1), (4, 3), (3, 4)")
        try one.pull(hub)
        try one.record("DELETE FROM notes WHERE id < 9")
        try hub.record("INSERT INTO notes VALUES(10, NULL)")
        #expect(try one.pull(hub).conflicts.isEmpty)
        #expect(try hub.pull(one).conflicts.isEmpty)
        #expect(try one.rows("notes") == ["10, NULL", "9, NULL"] && hub.rows("notes") == ["10, NULL", "9, NULL"])
    }

    /// As above, with two tables, and with the action for a key that changes.
    @Test func childrenThatAreChangedWithTheirParentAreNotAConflict() throws {
        let schema = """
            CREATE TABLE a(id INTEGER PRIMARY KEY, code INTEGER UNIQUE);
            CREATE TABLE b(
                id INTEGER PRIMARY KEY, a INTEGER REFERENCES a ON DELETE SET NULL,
                code INTEGER REFERENCES a(code) ON UPDATE CASCADE);
            """
        let tables: [String: SyncLog.Policy] = ["a": .hubWins, "b": .hubWins]
        let hub = try SyncReplica("hub", role: .hub, schema: schema, tables: tables)
        let one = try SyncReplica("one", role: .replica, schema: schema, tables: tables)
        try hub.record(
            "INSERT INTO a VALUES(1, 5), (2, 7); INSERT INTO b VALUES(10, 1, NULL), (11, 1, NULL), (12, 2, 7)")
        try one.pull(hub)
        try one.record(
            "DELETE FROM b WHERE id = 10; DELETE FROM a WHERE id = 1; UPDATE b SET code = NULL; UPDATE a SET code = 8")
        #expect(try hub.pull(one).conflicts.isEmpty)
        #expect(try hub.rows("a") == ["2, 8"] && hub.rows("b") == ["11, NULL, NULL", "12, 2, NULL"])
    }

    /// What a replica has written in a column that its hub gets later is a change of the replica.
    @Test func aColumnThatTheHubDoesNotHaveYet() throws {
        let (hub, one, _) = try Self.set(.hubWins)
        try hub.record("INSERT INTO notes VALUES(1, 'a', 'b')")
        try one.pull(hub)
        let column: SQL = "ALTER TABLE notes ADD COLUMN c INTEGER DEFAULT 0"
        try one.connection.execute(column)
        try one.open(["notes": .hubWins])
        try one.record("UPDATE notes SET c = 5")
        try hub.record("UPDATE notes SET a = 'A'")
        try one.pull(hub)
        try hub.connection.execute(column)
        try hub.open(["notes": .hubWins])
        try hub.pull(one)
        #expect(try one.rows("notes") == ["1, 'A', 'b', 5"] && hub.rows("notes") == ["1, 'A', 'b', 5"])
    }
}

import SquallChanges
import Squall
import SquallTestSupport
import Testing

/// Rows that are compared with their changes before the commit.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct WrittenRowTests {
    private static func connection(_ columns: String = "code TEXT, v", _ more: String = "") throws -> Connection {
        let connection = try Connection()
        try connection.execute(
            "\(raw: "CREATE TABLE t(id INTEGER PRIMARY KEY, \(columns)); INSERT INTO t VALUES(1, 'a', 1), (2, 'b', 2); \(more)")"
        )
        return connection
    }

    private static func rows(_ connection: Connection) throws -> [String] {
        try connection.query("SELECT * FROM t ORDER BY id", as: Row.self).map(\.quotedText)
    }

    private static func difference(_ column: String?, id: Int64 = 1) -> SQLiteError.Kind {
        .problem(ChangesetProblem.differentRow(key: "\(id)", column: column), of: .table("t"))
    }

    /// Each column of the twin stores something else than the change has.
    @Test(arguments: [
        ("code NUMERIC, v", "code = '007'", "code"), ("code TEXT, v INTEGER", "v = '12'", "v"),
        ("code TEXT, v TEXT", "v = 1.5", "v"), ("code, v REAL", "v = ' 3 '", "v"),
    ]) func aTwinOfOtherTypesRefusesWhatItWouldConvert(_ columns: String, _ assignment: String, _ column: String) throws
    {
        let source = try Self.connection()
        let changes = try source.recordChanges {
            try $0.execute("\(raw: "UPDATE t SET \(assignment); INSERT INTO t VALUES(3, 'c', 3)")")
        }
        let twin = try Self.connection(columns)
        let before = try Self.rows(twin)
        let error = try sqliteError { try twin.apply(changes) { _ in .replace } }
        #expect(error.kind == Self.difference(column) && error.resultCode == .mismatch)
        #expect(error.message == "the row 1 of t is not stored as it was to be: its \(column) is another value")
        #expect(try Self.rows(twin) == before && !twin.isInTransaction)
    }

    /// Numbers that are equal are not another value.
    @Test func numbersOfOtherTypes() throws {
        let source = try Self.connection()
        let changes = try source.recordChanges {
            try $0.execute("UPDATE t SET v = 3; INSERT INTO t VALUES(4, 'd', 1000000), (5, 'e', -0.0)")
        }
        let twin = try Self.connection("code TEXT, v REAL")
        try twin.apply(changes)
        #expect(try Self.rows(twin).prefix(3) == ["1, 'a', 3.0", "2, 'b', 3.0", "4, 'd', 1000000.0"])
        #expect(try twin.query("SELECT v = 0 FROM t WHERE id = 5") == 1)
        try twin.apply(changes, options: .inverted)
        #expect(try Self.rows(twin) == ["1, 'a', 1.0", "2, 'b', 2.0"])
    }

    /// A constraint whose clause deletes a row that the changes have written.
    @Test func aClauseThatReplacesRows() throws {
        let source = try Self.connection()
        let changes = try source.recordChanges {
            try $0.execute("UPDATE t SET code = 'x' WHERE id = 1; UPDATE t SET v = 9, code = 'X' WHERE id = 2")
        }
        let twin = try Self.connection("code TEXT COLLATE NOCASE UNIQUE ON CONFLICT REPLACE, v")
        let before = try Self.rows(twin)
        #expect(try errorKind { try twin.apply(changes) } == Self.difference(nil))
        #expect(try Self.rows(twin) == before)
        // What was left out is not compared.
        try twin.apply(changes.inverted()) { _ in .omit }
    }

    /// A clause that replaces a row of others, which the changes do not name.
    @Test(arguments: [
        ("INSERT INTO t VALUES(3, 'c', 3)", "id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT REPLACE, v"),
        ("UPDATE t SET code = 'c' WHERE id = 1", "id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT REPLACE, v"),
        ("INSERT INTO t VALUES(3, 'c', 3)", "id INTEGER PRIMARY KEY, code TEXT, v, UNIQUE(code) ON CONFLICT REPLACE"),
        ("INSERT INTO t VALUES(9, 'd', 3)", "id INTEGER PRIMARY KEY ON CONFLICT REPLACE, code TEXT, v"),
    ]) func aClauseThatReplacesRowsOfOthers(_ sql: String, _ columns: String) throws {
        let source = try Self.connection()
        let changes = try source.recordChanges { try $0.execute(SQL(raw: sql)) }
        let twin = try Connection()
        try twin.execute("CREATE TABLE t(\(raw: columns)); INSERT INTO t VALUES(1, 'a', 1), (2, 'b', 2), (9, 'c', 9)")
        let before = try Self.rows(twin)
        #expect(try errorKind { try twin.apply(changes) } == Self.difference(nil, id: 9))
        #expect(try errorKind { try twin.apply(Self.stream(changes)) } == Self.difference(nil, id: 9))
        #expect(try Self.rows(twin) == before)
    }

    /// What a recorded statement has replaced is deleted by its change, before or after.
    @Test(arguments: [(1, 2), (2, 1)]) func aRecordedReplacement(_ winner: Int, _ loser: Int) throws {
        let columns = "code TEXT UNIQUE ON CONFLICT REPLACE, v"
        let (source, twin) = (try Self.connection(columns), try Self.connection(columns))
        let changes = try source.recordChanges {
            try $0.run("UPDATE t SET code = (SELECT code FROM t WHERE id = \(loser)) WHERE id = \(winner)")
        }
        var count = 0
        try changes.forEach { _ in count += 1 }
        #expect(count == 2)
        try twin.apply(changes)
        #expect(try Self.rows(twin) == Self.rows(source))
    }

    @Test func patchsetsAndInvertedChangesAreCompared() throws {
        let source = try Self.connection()
        let recorder = try source.startRecording()
        try source.execute("UPDATE t SET code = '12' WHERE id = 2; DELETE FROM t WHERE id = 1")
        let twin = try Self.connection("code INTEGER, v")
        #expect(try errorKind { try twin.apply(recorder.patchset()) } == Self.difference("code", id: 2))
        let inverted = try source.recordChanges { try $0.run("UPDATE t SET code = 'b' WHERE id = 2") }
        let other = try Self.connection("code INTEGER, v")
        #expect(try errorKind { try other.apply(inverted, options: .inverted) } == Self.difference("code", id: 2))
    }

    /// Rows that a trigger or the closure of `apply` writes are theirs.
    @Test func whatTheProgramWritesIsNotCompared() throws {
        let source = try Self.connection()
        let changes = try source.recordChanges { try $0.execute("UPDATE t SET v = 5; INSERT INTO t VALUES(3, 'a', 1)") }
        let twin = try Self.connection("code TEXT UNIQUE, v")
        try twin.apply(changes) { conflict in
            try twin.run("UPDATE t SET v = 6 WHERE id = 1")
            return conflict.kind == .constraint ? .omit : .abort
        }
        #expect(try Self.rows(twin) == ["1, 'a', 6", "2, 'b', 5"])
        let upper = "CREATE TRIGGER upper AFTER INSERT ON t BEGIN UPDATE t SET code = 'A' WHERE id = new.id; END;"
        let third = try Self.connection(more: upper)
        try third.apply(changes)
        #expect(try Self.rows(third) == ["1, 'a', 5", "2, 'b', 5", "3, 'A', 1"])
        let fourth = try Self.connection(more: upper)
        try fourth.apply(changes, options: .withoutTriggers)
        #expect(try Self.rows(fourth) == ["1, 'a', 5", "2, 'b', 5", "3, 'a', 1"])
    }

    static func stream(_ changes: Changeset) -> ChangesetStream {
        var parts = [changes.data]
        return ChangesetStream { parts.popLast() }
    }

    private static func connection(more: String) throws -> Connection { try connection("code TEXT, v", more) }

    /// A migration has given the column another type after the step.
    @Test func anUndoThatWouldStoreAnotherValue() throws {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                "CREATE TABLE t(id INTEGER PRIMARY KEY, code TEXT UNIQUE); INSERT INTO t VALUES(1, '007'), (2, '8')")
        }
        let history = try UndoHistory(database, tables: ["t"])
        try history.blocking.write("Edit") { try $0.execute("UPDATE t SET code = 'x' WHERE id = 1") }
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                """
                CREATE TABLE new(id INTEGER PRIMARY KEY, code INTEGER UNIQUE); INSERT INTO new SELECT * FROM t; DROP TABLE t;
                ALTER TABLE new RENAME TO t
                """)
        }
        #expect(try errorKind { try history.blocking.undo() } == Self.difference("code"))
        #expect(history.undoName == "Edit")
        #expect(try database.blocking.read { try Self.rows($0) } == ["1, 'x'", "2, 8"])
    }

    /// Two rows that exchange the values of a UNIQUE column are compared too.
    @Test func anExchangeOfValues() throws {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                "CREATE TABLE t(id INTEGER PRIMARY KEY, code TEXT UNIQUE); INSERT INTO t VALUES(1, '1'), (2, '02')")
        }
        let history = try UndoHistory(database, tables: ["t"])
        try history.blocking.write("Exchange") {
            try $0.execute(
                "UPDATE t SET code = 'x' WHERE id = 1; UPDATE t SET code = '1' WHERE id = 2; UPDATE t SET code = '02' WHERE id = 1"
            )
        }
        try history.blocking.undo()
        #expect(try database.blocking.read { try Self.rows($0) } == ["1, '1'", "2, '02'"])
        try history.blocking.redo()
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                """
                CREATE TABLE new(id INTEGER PRIMARY KEY, code UNIQUE); INSERT INTO new SELECT * FROM t; DROP TABLE t;
                ALTER TABLE new RENAME TO t
                """)
        }
        try history.blocking.undo()
        #expect(try database.blocking.read { try Self.rows($0) } == ["1, '1'", "2, '02'"])
    }

    @Test(arguments: [SyncLog.Role.hub, .peer]) func aMergeThatWouldStoreAnotherValue(_ role: SyncLog.Role) throws {
        let policy: SyncLog.Policy = role == .hub ? .hubWins : .lastWriter(by: "v")
        let tables = ["t": policy]
        let writer = try SyncReplica(
            "one", role: role == .hub ? .replica : .peer,
            schema: "CREATE TABLE t(id INTEGER PRIMARY KEY, code TEXT, v INTEGER);",
            tables: tables)
        let reader = try SyncReplica(
            "two", role: role, schema: "CREATE TABLE t(id INTEGER PRIMARY KEY, code INTEGER, v INTEGER);",
            tables: tables)
        try writer.record("INSERT INTO t VALUES(1, '007', 1)")
        let error = try sqliteError { try reader.pull(writer) }
        #expect(error.kind == Self.difference("code") && error.resultCode == .mismatch)
        #expect(try reader.rows("t") == [])
        if role == .hub {
            // A hub takes the changes one after the other, once the column fits.
            try reader.connection.execute(
                "CREATE TABLE new(id INTEGER PRIMARY KEY, code TEXT, v INTEGER); DROP TABLE t; ALTER TABLE new RENAME TO t"
            )
        }
        try writer.record("UPDATE t SET code = 'seven', v = 2")
        try reader.pull(writer)
        #expect(try reader.rows("t") == ["1, 'seven', 2"])
    }
}

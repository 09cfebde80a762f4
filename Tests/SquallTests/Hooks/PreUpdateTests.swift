import Foundation
import Squall
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteFeatures.preUpdateHook))
struct PreUpdateTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
    }

    private func changes(_ setup: SQL, _ sql: SQL) throws -> [Connection.PreUpdate] {
        try connection.execute(setup)
        var changes: [Connection.PreUpdate] = []
        let token = try connection.addPreUpdateObserver { changes.append($0) }
        defer { token.cancel() }
        try connection.execute(sql)
        return changes
    }

    @Test func theValuesBeforeAndAfterAreGiven() throws {
        let changes = try changes(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)",
            """
            INSERT INTO t VALUES(1, 'x', 2.5);
            UPDATE t SET id = 7, b = x'00ff' WHERE id = 1;
            DELETE FROM t WHERE id = 7
            """
        )
        let bytes = BindingValue.blob(Data([0, 255]))
        #expect(changes.map(\.type) == [.insert, .update, .delete])
        #expect(changes.map(\.oldRowID) == [1, 1, 7])
        #expect(changes.map(\.newRowID) == [1, 7, 7])
        #expect(
            changes.map(\.oldValues) == [[], [.integer(1), .text("x"), .real(2.5)], [.integer(7), .text("x"), bytes]])
        #expect(
            changes.map(\.newValues) == [[.integer(1), .text("x"), .real(2.5)], [.integer(7), .text("x"), bytes], []])
        #expect(changes.allSatisfy { $0.databaseName == "main" && $0.tableName == "t" && $0.depth == 0 })
    }

    @Test func tablesWithoutRowidAndWholeTablesAreSeen() throws {
        let changes = try changes(
            "CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO t VALUES('a', 1), ('b', NULL)",
            "DELETE FROM t"
        )
        #expect(changes.map(\.oldValues) == [[.text("a"), .integer(1)], [.text("b"), .null]])
    }

    @Test func replacedRowsAndTriggersAreSeen() throws {
        let changes = try changes(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a); CREATE TABLE log(a);
            CREATE TRIGGER note AFTER INSERT ON t BEGIN INSERT INTO log VALUES(new.a); END;
            INSERT INTO t VALUES(1, 'old')
            """,
            "REPLACE INTO t VALUES(1, 'new')"
        )
        #expect(changes.map(\.tableName) == ["t", "t", "log"])
        #expect(changes.map(\.type) == [.delete, .insert, .insert])
        #expect(changes.map(\.depth) == [0, 0, 1])
    }

    @Test func statementsThatWerePreparedBeforeAreSeenToo() throws {
        try connection.execute("CREATE TABLE t(a)")
        let own = try connection.prepare("DELETE FROM t")
        try connection.run("DELETE FROM t")
        var rows: [Int64] = []
        try connection.addPreUpdateObserver { rows.append($0.oldRowID) }
        try connection.run("INSERT INTO t VALUES(1), (2)")
        try own.run()
        try connection.run("INSERT INTO t VALUES(3)")
        try connection.run("DELETE FROM t")
        #expect(rows == [1, 2, 1, 2, 1, 1])
    }

    @Test func theUpdateHookAndThePreUpdateHookShareTheirPlace() throws {
        let log = Log()
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)")
        let update = connection.addUpdateObserver { _, _, _, _ in log.add("update") }
        let token = try connection.addPreUpdateObserver { _ in log.add("pre-update") }
        try connection.savepoint(named: "s") {
            try connection.run("DELETE FROM t WHERE a = 1")
            #expect(log.take() == ["pre-update", "update"])
            token.cancel()
            try connection.run("DELETE FROM t")
            #expect(log.take() == ["update"])
        }
        try connection.addPreUpdateObserver { _ in log.add("pre-update") }
        update.cancel()
        try connection.run("INSERT INTO t VALUES(1)")
        try connection.run("DELETE FROM t")
        #expect(log.take() == ["pre-update", "pre-update"])
    }

    @Test func observersAreCalledInOrder() throws {
        let log = Log()
        try connection.execute("CREATE TABLE t(a)")
        let first = try connection.addPreUpdateObserver { _ in log.add("first") }
        let second = try connection.addPreUpdateObserver { _ in log.add("second") }
        try connection.run("INSERT INTO t VALUES(1)")
        #expect(log.take() == ["first", "second"])
        first.cancel()
        second.cancel()
        try connection.run("INSERT INTO t VALUES(1)")
        #expect(log.take() == [])
    }
}

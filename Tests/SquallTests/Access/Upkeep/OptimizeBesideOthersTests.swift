import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Updates of the statistics beside what follows the changes of a database.
struct OptimizeBesideOthersTests {
    private let directory: TemporaryDirectory
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.file("app.db")
        try SkewedTable.create(on: Connection(path, configuration: .sqlite), rows: 1000)
        database = try Database(path)
    }

    /// Changes all rows and updates the statistics, which the write does by itself.
    private func writeWithUpdate() throws {
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE t SET code = code + 10000") }
        #expect(try tables() == ["t"])
    }

    private func tables() throws -> [String] { try database.blocking.read { try SkewedTable.tables(on: $0) } }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func changesAreThoseOfTheWriteAlone() async throws {
        var changes = database.changes(in: .table("t")).makeAsyncIterator()
        try blocking { try writeWithUpdate() }
        #expect(await changes.next()?.rowIDs("t")?.count == 1000)
        try blocking { try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t(kind) VALUES(1)") } }
        #expect(await changes.next()?.rowIDs("t") == [1001])
    }

    @Test func observedValuesAreNotReadAgain() async throws {
        let reads = Shared(0)
        let observed = database.observe { connection in
            reads.update { $0 += 1 }
            return try connection.query("SELECT count(*) FROM t") as Int
        }
        var values = observed.makeAsyncIterator()
        #expect(try await values.next() == 1000)
        // Nothing that is observed changes, except by the statistics.
        _ = try blocking { try database.blocking.optimize() }
        try blocking { try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t(kind) VALUES(1)") } }
        #expect(try await values.next() == 1001)
        #expect(reads.value == 2)
    }

    @Test(.enabled(if: SQLiteFeatures.sessions)) func aStepThatWasUndoneCanBeRedone() throws {
        let history = try UndoHistory(database, tables: ["t"])
        try database.blocking.write { try $0.run("UPDATE t SET kind = 7 WHERE id = 1") }
        #expect(try history.blocking.undo())
        #expect(try database.blocking.optimize() == [SkewedTable.analysis])
        #expect(history.canRedo && !history.canUndo)
        #expect(try history.blocking.redo())
        #expect(try database.blocking.read { try $0.query("SELECT kind FROM t WHERE id = 1") } == 7)
        #expect(try history.blocking.undo() && !history.canUndo)
    }

    @Test(.enabled(if: SQLiteFeatures.sessions)) func theStepOfTheWriteIsOneStep() throws {
        let history = try UndoHistory(database, tables: ["t"])
        try writeWithUpdate()
        #expect(try history.blocking.undo() && !history.canUndo)
        #expect(try database.blocking.read { try $0.query("SELECT max(code) FROM t") } == 1000)
    }

    @Test(.enabled(if: SQLiteFeatures.sessions)) func recordedChangesHaveNoStatistics() throws {
        let changes = try database.blocking.writeWithoutTransaction { connection in
            try connection.recordChanges { connection in _ = try connection.optimize() }
        }
        #expect(changes.isEmpty)
        #expect(try tables() == ["t"])
    }

    @Test(.enabled(if: SQLiteFeatures.sessions)) func aLogOfChangesHasNoStatistics() throws {
        let file = try Connection(directory.file("log.db"))
        try SkewedTable.create(on: file, rows: 10)
        let log = try SyncLog(file, origin: "one", tables: ["t": .lastWriter(by: "kind")])
        try log.record(on: file) { connection in try connection.run("UPDATE t SET kind = 2 WHERE id = 1") }
        let before = try log.changes(on: file).count
        try log.record(on: file) { connection in _ = try connection.optimize() }
        #expect(try SkewedTable.tables(on: file).contains("t"))
        #expect(try log.changes(on: file).count == before)
    }

    @Test func readersThatKeepTheirTransactionsUseTheNewStatistics() throws {
        for _ in 0..<3 { #expect(try database.blocking.read { try SkewedTable.plan(on: $0) } == SkewedTable.badPlan) }
        try writeWithUpdate()
        for _ in 0..<3 { #expect(try database.blocking.read { try SkewedTable.plan(on: $0) } == SkewedTable.goodPlan) }
    }

    @Test func anOpenSnapshotKeepsTheOldStatistics() throws {
        let snapshot = try database.blocking.snapshot()
        #expect(try snapshot.blocking.read { try $0.query("SELECT count(*) FROM t") } == 1000)
        try writeWithUpdate()
        #expect(try snapshot.blocking.read { try SkewedTable.plan(on: $0) } == SkewedTable.badPlan)
        try snapshot.close()
    }

    @Test func aCollationOfTheProgramIsCalled() throws {
        let path = directory.file("collation.db")
        let database = try Database(path) { connection in
            try connection.addCollation("backwards") {
                $0 == $1 ? .orderedSame : $0 < $1 ? .orderedDescending : .orderedAscending
            }
        }
        try database.blocking.write { connection in
            try connection.execute(
                "CREATE TABLE names(name TEXT COLLATE backwards); CREATE INDEX names_name ON names(name)")
            try connection.run(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                INSERT INTO names SELECT 'name ' || i % 10 FROM n
                """)
        }
        #expect(try database.blocking.read { try SkewedTable.tables(on: $0) } == ["names"])
    }
}

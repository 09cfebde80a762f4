// swift-format-ignore-file
import Foundation
import Squall
import SquallSQLite
import SquallTestSupport
import Testing

/// Stands for the entry point of a linked extension.
private let sqlite3_vec_init: Connection.ExtensionEntryPoint = { _, _, _ in SQLITE_OK }

extension VerbTests {
    private struct Digits: TableSource {
        var columns: [VirtualColumn<Int>] { [VirtualColumn("digit") { $0 }] }
        func rows(_ scan: borrowing Scan) -> some Sequence<Int> { 0..<10 }
    }

    @Test func functions() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        try verb(none: "adds a function to the connection") { try connection.addFunction("twice") { (number: Int) in number * 2 } }
        try verb(none: "adds a function to the connection") { try connection.addAggregate("longest", initial: 0, step: { $0 = max($0, ($1 as String).count) }, final: { $0 }) }
        try verb(none: "adds a function to the connection") { try connection.addWindowFunction("moving", initial: 0, step: { $0 += $1 as Int }, inverse: { $0 -= $1 }, value: { $0 }) }
        try verb(none: "adds a function to the connection") { try connection.addTableFunction("up_to", columns: "n") { (end: Int) in 1...end } }
        try verb(none: "adds a collation to the connection") { try connection.addCollation("by_length") { (a: String, b: String) in a.count < b.count ? .orderedAscending : a.count > b.count ? .orderedDescending : .orderedSame } }
        try verb(none: "removes a function from the connection") { try connection.removeFunction(named: "twice", argumentCount: 1) }
        try verb(none: "removes a collation from the connection") { try connection.removeCollation(named: "by_length") }
        try verb(none: "adds tables of the program") { try connection.register(named: "digits") { _ in Digits() } }
        try verb(none: "removes tables of the program") { try connection.removeModule(named: "digits") }
        try verb.compiling(none: "loads a library") { try connection.loadExtension("/usr/lib/sqlite3/vec0") }
        try verb.compiling(none: "new connections load a linked library") { try Connection.register(automatic: sqlite3_vec_init) }
        try verb.compiling(none: "new connections do not load it") { Connection.cancel(automatic: sqlite3_vec_init) }
        try verb.finish("Functions, collations and extensions")
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func observers() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        try verb(none: "called for each changed row") { connection.addUpdateObserver { kind, database, table, rowID in _ = rowID } }
        try verb(none: "called before each change, with the values") { try connection.addPreUpdateObserver { change in _ = change.tableName } }
        try verb(none: "called before each COMMIT, which it can refuse") { connection.addCommitObserver { false } }
        try verb(none: "called after each ROLLBACK") { connection.addRollbackObserver { } }
        try verb(none: "called after each commit in WAL mode") { connection.addWALObserver { database, pages in _ = pages } }
        try verb(none: "asked when a statement is prepared") { connection.addAuthorizer { action, _, _, _, _ in .ok } }
        try verb(none: "called for each statement") { connection.addTraceObserver { event in _ = event.description } }
        try verb(none: "called after each statement, with its time") { connection.addProfileObserver { profile in _ = profile.duration } }
        try verb(none: "called after each slow statement") { connection.addSlowStatementObserver(from: .seconds(1)) { slow in _ = slow.duration } }
        try verb.finish("Observers of a connection")
    }

    @Test func waitingAndEnding() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        let folder = try TemporaryDirectory()
        let path = folder.file("other.db")
        try verb("ATTACH DATABASE … AS 'other'") { try connection.attachDatabase(from: .onDisk(path), withName: "other") }
        try verb("DETACH DATABASE 'other'") { try connection.detachDatabase(named: "other") }
        try verb(none: "how statements wait for other connections") { try connection.busyHandler(.timeout(5)) }
        try verb(none: "called during long statements") { try connection.progressHandler(every: 1_000) { .proceed } }
        try verb(none: "ends the statements that run") { connection.interrupt() }
        try verb(none: "counters of the connection") { connection.resetStatus() }
        try verb(none: "closes the file") { connection.close() }
        try verb.finish("Waiting and ending")
    }

    @Test func upkeep() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        let folder = try TemporaryDirectory()
        let path = folder.file("copy.db")
        try connection.createIndex("cars_price", on: "cars", "price")
        let copy = try Connection(folder.file("backup.db"))
        try verb(none: "SQLite copies the pages of the file") { try connection.backup(to: copy).run() }
        try verb(#"VACUUM "main""#) { try connection.vacuum() }
        try verb(#"VACUUM "main" INTO …"#) { try connection.vacuum(into: path) }
        try verb(none: "SQLite copies the write-ahead log into the file") { try connection.checkpoint() }
        try verb(#"…ANALYZE "main"."cars"…"#) { try connection.optimize() }
        try verb("PRAGMA integrity_check(100)") { try connection.integrityCheck() }
        try verb("PRAGMA quick_check(100)") { try connection.quickCheck() }
        try verb("PRAGMA foreign_key_check") { try connection.foreignKeyCheck() }
        try verb("PRAGMA wal_autocheckpoint = 500") { try connection.setWALAutoCheckpoint(pages: 500) }
        try verb(untraced: "EXPLAIN QUERY PLAN SELECT * FROM cars WHERE id = ?") { try connection.explainQueryPlan("SELECT * FROM cars WHERE id = ?", 1) }
        let data = try verb(none: "SQLite copies the pages into memory") { try connection.serialize() }
        try verb(none: "SQLite takes the pages from memory") { try connection.deserialize(data) }
        try verb.finish("Backup and upkeep")
    }

    @Test func largeValues() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        try connection.execute("CREATE TABLE photos(id INTEGER PRIMARY KEY, data BLOB); INSERT INTO photos VALUES(1, x'0102'), (2, x'0304')")
        try verb(none: "opens the value, for reading in parts") { try connection.withBlob(in: "photos", column: "data", row: 1) { blob in try blob.data() } }
        try connection.withBlob(in: "photos", column: "data", row: 1, mode: .readWrite) { blob in
            var bytes: [UInt8] = [0]
            try verb(none: "reads a part of the value") { try blob.read(into: &bytes, at: 1) }
            try verb(none: "reads the value") { try blob.data() }
            try verb(none: "writes a part of the value") { try blob.write([7], at: 0) }
            try verb(none: "opens the value of another row") { try blob.move(to: 2) }
        }
        try verb.finish("Large values")
    }
}

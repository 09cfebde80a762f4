// swift-format-ignore-file
import Foundation
import Squall
import SquallChanges
import SquallSearch
import SquallStore
import SquallTestSupport
import Testing

extension VerbTests {
    @Test func stores() async throws {
        let folder = try TemporaryDirectory()
        let (verb, store) = try Self.beginDatabase(file: #filePath, folder)
        let schema = Schema("sales") { Version(1) { CreateTable("sales") { ColumnDef("id", Int64.self, .primaryKey) } } }
        let (fiat, cars) = (Self.fiat, Self.cars)
        let saab = Car(id: nil, name: "Saab", price: 7)
        try await verb.suspending(#"…; BEGIN IMMEDIATE TRANSACTION; …; CREATE TABLE "sales"("id" INTEGER PRIMARY KEY); …; COMMIT TRANSACTION…"#) { try await store.migrate(schema) }
        try await verb.suspending(#"BEGIN DEFERRED TRANSACTION; SELECT count(*) FROM "cars"; COMMIT TRANSACTION"#) { try await store.read { connection in try await connection.count(Car.self) } }
        try await verb.suspending(#"BEGIN IMMEDIATE TRANSACTION; …; INSERT INTO squall_writes…; INSERT INTO "cars"("id", "name", "price") VALUES(NULL, 'Saab', 7); UPDATE squall_writes SET result = … WHERE key = 'r1'; …; COMMIT TRANSACTION"#) { try await store.write(idempotencyKey: "r1") { connection in try await connection.insert(saab) } }
        try await store.write { connection in
            try await verb.suspending { try await connection.run("DELETE FROM sold") }
            try await verb.suspending { try await connection.execute("DELETE FROM sold; DELETE FROM wheels") }
            try await verb.suspending { try await connection.query("SELECT name FROM cars") as [String] }
            try await verb.suspending { try await connection.forEach("SELECT * FROM cars") { row in _ = row.columns } }
            try await verb.suspending { try await connection.find(Car.self, 1) }
            try await verb.suspending { try await connection.first(Car.self) { $0.name == "Audi" } }
            try await verb.suspending { try await connection.all(Car.self) { $0.price < 20 } }
            try await verb.suspending { try await connection.exists(Car.self) { $0.price < 20 } }
            try await verb.suspending { try await connection.count(Car.self) }
            try await verb.suspending { try await connection.insert(Car(id: nil, name: "Kia", price: 5)) }
            try await verb.suspending { try await connection.upsert(fiat, onConflict: \.name) }
            try await verb.suspending { try await connection.update(fiat, \.price) }
            try await verb.suspending { try await connection.delete(fiat) }
            try await verb.suspending { try await connection.table(cars).all { $0.price < 20 } }
            try await verb.suspending(#"…; INSERT INTO squall_writes…; SELECT count(*) FROM "cars"; UPDATE squall_writes SET result = … WHERE key = 'r2'; …"#) { try await connection.once("r2") { try await $0.count(Car.self) } }
        }
        try verb.finish("Stores")
    }

    @Test(.enabled(if: SQLiteFeatures.sessions)) func recording() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        let folder = try TemporaryDirectory()
        let path = folder.file("other.db")
        try connection.vacuum(into: path)
        let changes = try verb("UPDATE cars SET price = 1") { try connection.recordChanges(in: "cars") { try $0.run("UPDATE cars SET price = 1") } }
        try verb("UPDATE cars SET price = 2") { try connection.recordPatchset(in: "cars") { try $0.run("UPDATE cars SET price = 2") } }
        let recorder = try verb(none: "a session of SQLite records the changes") { try connection.startRecording(in: ["cars"]) }
        try connection.run("UPDATE cars SET price = 3")
        var parts: [Data] = []
        try verb(none: "the changes since the start") { try recorder.changeset() }
        try verb(none: "the changes since the start") { try recorder.patchset() }
        try verb(none: "the changes since the start") { try recorder.writeChangeset { part in parts.append(part) } }
        try verb(none: "the changes since the start") { try recorder.writePatchset { part in parts.append(part) } }
        try verb(none: "ends the recording") { recorder.stop() }
        try connection.update("cars", set: ["price": 52], where: "id = 1")
        try connection.update("cars", set: ["price": 9], where: "id = 2")
        try verb(#"BEGIN IMMEDIATE TRANSACTION; SAVEPOINT changeset_apply; …; UPDATE main."cars" SET "price" = 1 WHERE …; …; RELEASE changeset_apply; COMMIT TRANSACTION"#) { try connection.apply(changes) }
        try verb("ATTACH DATABASE … AS 'squall_difference'; DETACH DATABASE 'squall_difference'") { try connection.difference(from: path, tables: ["cars"]) }
        try verb.finish("Recording changes")
    }

    @Test(.enabled(if: SQLiteFeatures.sessions)) func undo() async throws {
        let folder = try TemporaryDirectory()
        let (verb, database) = try Self.beginDatabase(file: #filePath, folder)
        let history = try await UndoHistory(database, tables: ["cars"])
        try await verb.suspending("BEGIN IMMEDIATE TRANSACTION; DELETE FROM cars WHERE id = 2; COMMIT TRANSACTION") { try await history.write("Sell") { try $0.run("DELETE FROM cars WHERE id = 2") } }
        try await verb.suspending(#"…BEGIN IMMEDIATE TRANSACTION; …; INSERT INTO main."cars"…; …; COMMIT TRANSACTION…"#) { try await history.undo() }
        try await verb.suspending(#"…BEGIN IMMEDIATE TRANSACTION; …; DELETE FROM main."cars" WHERE …; COMMIT TRANSACTION…"#) { try await history.redo() }
        try verb(none: "forgets the steps") { history.removeAll() }
        try verb.finish("Undo")
    }

    @Test(.enabled(if: SQLiteFeatures.sessions)) func synchronising() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        let other = try Connection(":memory:")
        for connection in [connection, other] { try connection.execute("CREATE TABLE notes(id TEXT PRIMARY KEY, text TEXT, updated INTEGER)") }
        let log = try SyncLog(connection, origin: "phone", tables: ["notes": .lastWriter(by: "updated")])
        let otherLog = try SyncLog(other, origin: "desk", tables: ["notes": .lastWriter(by: "updated")])
        try other.transaction { try otherLog.record(on: other) { try $0.run("INSERT INTO notes VALUES('b', 'two', 2)") } }
        let batch = try otherLog.changes(on: other)
        try verb("BEGIN IMMEDIATE TRANSACTION; …; INSERT INTO notes VALUES('a', 'one', 1); …; COMMIT TRANSACTION") { try log.record(on: connection) { try $0.run("INSERT INTO notes VALUES('a', 'one', 1)") } }
        try verb("…; SELECT … FROM main.squall_sync_rows WHERE …") { try log.changes(on: connection) }
        try verb(#"BEGIN IMMEDIATE TRANSACTION; …; INSERT INTO main."notes"(…; COMMIT TRANSACTION"#) { try log.merge(batch, on: connection) }
        let cursor = try #require(try verb("…; SELECT … FROM main.squall_sync_cursors WHERE origin = 'desk'") { try log.cursor(of: "desk", on: connection) })
        try verb(#"SELECT max(sequence) FROM main."squall_sync_rows"; …"#) { try log.end(on: connection) }
        try verb("…; SELECT … FROM main.squall_sync_rows WHERE is_pending = 1 …") { try log.pending(on: connection) }
        try verb("BEGIN IMMEDIATE TRANSACTION; …; DELETE FROM main.squall_sync_rows WHERE …; COMMIT TRANSACTION") { try log.compact(through: cursor, on: connection) }
        try connection.addColumn("mark INTEGER", to: "notes")
        try verb("BEGIN IMMEDIATE TRANSACTION; …; COMMIT TRANSACTION") { try SyncLog.migrate("notes", to: 1, columns: ["mark": "0"], on: connection) }
        try verb("BEGIN IMMEDIATE TRANSACTION; …; DELETE FROM main.squall_sync_rows …; COMMIT TRANSACTION") { try SyncLog.remove("notes", on: connection) }
        try verb.finish("Synchronising")
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func search() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        let index = SearchTable("cars_search", of: Car.table, columns: \.name)
        let split: Connection.Tokenizer = { text, reason, emit in try emit(0..<text.count) }
        try verb(#"BEGIN IMMEDIATE TRANSACTION; …; CREATE VIRTUAL TABLE "cars_search" USING fts5(…; CREATE TRIGGER …; INSERT INTO main."cars_search"("cars_search") VALUES('rebuild'); …; COMMIT TRANSACTION"#) { try connection.create(index) }
        try verb(#"SELECT … FROM "main".sqlite_master …"#) { try connection.searchTableInfo("cars_search") }
        try verb(#"SELECT … FROM "main".sqlite_master …"#) { try connection.changes(toMatch: index) }
        try verb(#"INSERT INTO main."cars_search"("cars_search") VALUES('optimize')"#) { try connection.optimize(index) }
        try verb(#"INSERT INTO main."cars_search"("cars_search", rank) VALUES('integrity-check', 1)"#) { try connection.integrityCheck(index) }
        try verb(#"BEGIN IMMEDIATE TRANSACTION; …; INSERT INTO main."cars_search"("cars_search") VALUES('rebuild'); …; COMMIT TRANSACTION"#) { try connection.rebuild(index) }
        try verb(#"BEGIN IMMEDIATE TRANSACTION; …; DROP TRIGGER …; DROP TABLE main."cars_search"; …; COMMIT TRANSACTION"#) { try connection.drop(index) }
        try verb(none: "adds a tokenizer to the connection") { try connection.addTokenizer("whole", split) }
        try verb(none: "adds a tokenizer to the connection") { try connection.addCJKTokenizer() }
        try verb(none: "adds a function to the connection") { try connection.addRankingFunction("rank2") { match in match.bm25() } }
        try verb(none: "adds a function to the connection") { try connection.addSearchFunction("columns") { (match: borrowing SearchMatch) in match.columnCount } }
        try verb(none: "adds functions to the connection") { try connection.addVectorFunctions() }
        try verb.finish("Full-text search and vectors")
    }

    @Test(.enabled(if: SQLiteFeatures.spatialTables)) func places() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        let boxes = SpatialTable("boxes", dimensions: "x", "y")
        let box = SpatialBox(1...2, 3...4)
        try connection.execute("CREATE TABLE places(id INTEGER PRIMARY KEY, x REAL, y REAL)")
        try verb { try connection.create(boxes) }
        try verb(#"PRAGMA "main".table_xinfo("places"); BEGIN IMMEDIATE TRANSACTION; …; CREATE TRIGGER main."boxes_inserted" AFTER INSERT ON "places" …; COMMIT TRANSACTION"#) { try connection.createTriggers(for: boxes, following: "places", bounds: [("x", "x"), ("y", "y")]) }
        try verb { try connection.insert(box, id: 1, into: boxes) }
        try verb { try connection.update(box, id: 1, in: boxes) }
        try verb { try connection.entry(1, in: boxes) }
        try verb { try connection.entries(boxes.overlapping(box)) }
        try verb { try connection.integrityCheck(of: boxes) }
        try verb(none: "adds a function to the connection") { try connection.addSpatialFunction("all_boxes") { () in { _ in .inside } } }
        try verb.finish("Places")
    }
}

// swift-format-ignore-file
import Foundation
import Squall
import SquallStore
import SquallTestSupport
import Testing

extension VerbTests {
    static func beginDatabase(file: String, _ folder: TemporaryDirectory) throws -> (verb: VerbTable, database: Database) {
        let database = try Database(folder.file("app.db"))
        try database.blocking.write(rows)
        let verb = try VerbTable(file: file)
        verb.trace(database)
        return (verb, database)
    }

    private struct Interceptor: DatabaseInterceptor {
        nonisolated(nonsending) func intercept<Result: Sendable>(
            _ operation: DatabaseOperation, on database: Database,
            _ call: nonisolated(nonsending) () async throws -> Result
        ) async throws -> Result { try await call() }
    }

    @Test func databases() async throws {
        let folder = try TemporaryDirectory()
        let (verb, database) = try Self.makeDatabase(folder)
        try await database.writeWithoutTransaction { try $0.createIndex("cars_price", on: "cars", "price") }
        let schema = Schema("sales") { Version(1) { CreateTable("sales") { ColumnDef("id", Int64.self, .primaryKey) } } }
        let path = folder.file("copy.db")
        try await verb.suspending(#"BEGIN DEFERRED TRANSACTION; SELECT count(*) FROM "cars"; COMMIT TRANSACTION"#) { try await database.read { try $0.count(Car.self) } }
        try await verb.suspending("BEGIN IMMEDIATE TRANSACTION; DELETE FROM sold; COMMIT TRANSACTION") { try await database.write { try $0.run("DELETE FROM sold") } }
        try await verb.suspending("DELETE FROM sold") { try await database.writeWithoutTransaction { try $0.run("DELETE FROM sold") } }
        try await verb.suspending(#"…; BEGIN IMMEDIATE TRANSACTION; …; CREATE TABLE "sales"("id" INTEGER PRIMARY KEY); …; COMMIT TRANSACTION…"#) { try await database.migrate(schema) }
        try await verb.suspending(none: "SQLite copies the write-ahead log into the file") { try await database.checkpoint() }
        try await verb.suspending(#"VACUUM "main""#) { try await database.vacuum() }
        try await verb.suspending(#"…ANALYZE "main"."cars"…"#) { try await database.optimize() }
        try await verb.suspending(none: "SQLite copies the pages of the file") { for try await progress in database.backup(to: path) { _ = progress } }
        let snapshot = try await verb.suspending("BEGIN DEFERRED TRANSACTION…") { try await database.snapshot() }
        try await verb.suspending(#"SELECT count(*) FROM "cars""#) { try await snapshot.read { try $0.count(Car.self) } }
        try verb(none: "ends the transaction of the snapshot") { try snapshot.close() }
        try await verb.suspending(none: "closes the connections, and releases the locks") { try await database.suspend() }
        try await verb.suspending(none: "opens the file again") { try await database.resume() }
        try verb(none: "ends the closures that run") { database.interrupt() }
        try await verb.suspending(none: "closes the connections") { try await database.close() }
        try verb(none: "opens a file that is deleted with the object") { try Database.temporary() }
        try verb.finish("Databases")
    }

    private static func makeDatabase(_ folder: TemporaryDirectory) throws -> (verb: VerbTable, database: Database) {
        try beginDatabase(file: #filePath, folder)
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func following() async throws {
        let folder = try TemporaryDirectory()
        let (verb, database) = try Self.makeDatabase(folder)
        try await database.write { try $0.execute("CREATE TABLE photos(id INTEGER PRIMARY KEY, data BLOB); INSERT INTO photos VALUES(1, x'0102')") }
        let fetchCars: @Sendable (Connection) throws -> [Car] = { try $0.all(Car.self) }
        let parts = AsyncStream<[UInt8]> { $0.yield([7, 8]); $0.finish() }
        try verb(none: "the query runs as the values are read, and after each change") { database.observe(fetchCars) }
        try verb(none: "the query runs as the values are read, and after each change") { database.observeDifferences(keyedBy: \.id, fetchCars) }
        try verb(none: "tells of each commit") { database.changes(in: .table("cars")) }
        try await verb.suspending(none: "reads the value in parts, in a transaction") { for try await bytes in database.blob(in: "photos", column: "data", row: 1) { _ = bytes } }
        try await verb.suspending("BEGIN IMMEDIATE TRANSACTION; COMMIT TRANSACTION") { try await database.writeBlob(in: "photos", column: "data", row: 1, from: parts) }
        try verb(none: "called for each changed row") { database.addUpdateObserver { kind, database, table, rowID in _ = rowID } }
        try verb(none: "called before each COMMIT, which it can refuse") { database.addCommitObserver { false } }
        try verb(none: "called after each ROLLBACK") { database.addRollbackObserver { } }
        try verb(none: "called after each commit in WAL mode") { database.addWALObserver { database, pages in _ = pages } }
        try verb(none: "asked when a statement is prepared") { database.addAuthorizer { action, _, _, _, _ in .ok } }
        try verb(none: "called for each statement") { database.addTraceObserver { event in _ = event.description } }
        try verb(none: "called after each statement, with its time") { database.addProfileObserver { profile in _ = profile.duration } }
        try verb(none: "called after each slow statement") { database.addSlowStatementObserver(from: .seconds(1)) { slow in _ = slow.duration } }
        try verb(none: "called for what the database does") { database.addEventObserver { event in _ = event } }
        try verb(none: "called around each closure") { database.addInterceptor(Interceptor()) }
        try verb(none: "called before each change, with the values") { try database.addPreUpdateObserver { change in _ = change.tableName } }
        try await verb.suspending("BEGIN DEFERRED TRANSACTION; …SELECT count(*) FROM cars; COMMIT TRANSACTION…") { for try await count in database.observe("SELECT count(*) FROM cars", as: Int.self) { _ = count; break } }
        try verb.finish("Following a database")
    }

    @Test func blocking() throws {
        let folder = try TemporaryDirectory()
        let (verb, database) = try Self.makeDatabase(folder)
        try database.blocking.writeWithoutTransaction { try $0.createIndex("cars_price", on: "cars", "price") }
        let schema = Schema("sales") { Version(1) { CreateTable("sales") { ColumnDef("id", Int64.self, .primaryKey) } } }
        let path = folder.file("copy.db")
        try verb(#"BEGIN DEFERRED TRANSACTION; SELECT count(*) FROM "cars"…"#) { try database.blocking.read { try $0.count(Car.self) } }
        try verb("BEGIN IMMEDIATE TRANSACTION; DELETE FROM sold; COMMIT TRANSACTION") { try database.blocking.write { try $0.run("DELETE FROM sold") } }
        try verb("DELETE FROM sold") { try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM sold") } }
        try verb(#"…; BEGIN IMMEDIATE TRANSACTION; …; CREATE TABLE "sales"("id" INTEGER PRIMARY KEY); …; COMMIT TRANSACTION…"#) { try database.blocking.migrate(schema) }
        try verb(none: "SQLite copies the write-ahead log into the file") { try database.blocking.checkpoint() }
        try verb(#"…VACUUM "main"…"#) { try database.blocking.vacuum() }
        try verb(#"…ANALYZE "main"."cars"…"#) { try database.blocking.optimize() }
        try verb(none: "SQLite copies the pages of the file") { try database.blocking.backup(to: path) }
        let snapshot = try verb("BEGIN DEFERRED TRANSACTION…") { try database.blocking.snapshot() }
        try verb(#"SELECT count(*) FROM "cars""#) { try snapshot.blocking.read { try $0.count(Car.self) } }
        try snapshot.close()
        try verb(none: "closes the connections, and releases the locks") { try database.blocking.suspend() }
        try verb(none: "opens the file again") { try database.blocking.resume() }
        try verb(none: "closes the connections") { try database.blocking.close() }
        try verb.finish("Databases, in synchronous code")
    }

    private static func tracedConnection(_ path: String, _ log: Lines) throws -> sending Connection {
        let connection = try Connection(path)
        try rows(connection)
        connection.traceStatements { log.add($0) }
        return connection
    }

    @Test func queuesAndPools() throws {
        let folder = try TemporaryDirectory()
        let verb = try VerbTable(file: #filePath)
        let pool = ConnectionPool(storageLocation: .onDisk(folder.file("app.db")), connectionPreparation: { [log = verb.log] in $0.traceStatements { log.add($0) } })
        let queue = ConnectionQueue(connection: try Self.tracedConnection(folder.file("app.db"), verb.log))
        try verb { try queue.execute { try $0.run("DELETE FROM sold") } }
        try verb { try queue.executeInTransaction { try $0.run("DELETE FROM sold") } }
        try verb { try queue.executeInSavepoint(named: "sales") { try $0.run("DELETE FROM sold") } }
        try verb(#"…SELECT count(*) FROM "cars""#) { try pool.execute { try $0.count(Car.self) } }
        try verb.finish("Queues and pools")
    }
}

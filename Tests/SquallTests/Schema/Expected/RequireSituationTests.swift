import SquallTestSupport
import Testing

@testable import Squall

/// A schema can be required wherever a query can run.
@Suite struct RequireSituationTests {
    private static let cars = ExpectedSchema(
        sqliteVersion: "3.40.1",
        tables: [
            .init("cars", [.init("id", "INTEGER", isNotNull: true), .init("name", "TEXT", isNotNull: false)])
        ])
    /// The file has another type.
    private static let wrong = ExpectedSchema(
        sqliteVersion: "3.40.1", tables: [.init("cars", [.init("name", "REAL", isNotNull: true)])])

    private let directory: TemporaryDirectory
    private let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("cars.db"))
        try connection.execute(
            "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO cars VALUES(1, 'i3'), (2, 'i4')")
    }

    @Test func `in transactions, savepoints and the closures of queries`() throws {
        try connection.transaction { try connection.require(Self.cars) }
        try connection.transaction(transactionType: .exclusive) {
            let schema = ExpectedSchema(sqliteVersion: "", tables: Self.cars.tables)
            try connection.savepoint { try connection.require(schema) }
        }
        var names: [String] = []
        try connection.forEach("SELECT name FROM cars") { row in
            try connection.require(ExpectedSchema(sqliteVersion: "", tables: Self.cars.tables))
            names.append(try row.get(0))
        }
        #expect(names == ["i3", "i4"])
    }

    @Test func `in a connection that only reads`() throws {
        try connection.execute("PRAGMA query_only = ON")
        try connection.require(Self.cars)
        let reader = try Connection(directory.file("cars.db"), mode: .readOnly)
        try reader.require(Self.cars)
        #expect(throws: SchemaMismatch.self) { try reader.require(Self.wrong) }
    }

    @Test func `in each connection of a database`() async throws {
        let database = try Database(directory.file("cars.db"))
        for _ in 0..<2 {
            try await database.read { try $0.require(Self.cars) }
            try await database.write { try $0.require(Self.cars) }
        }
        await #expect(throws: SchemaMismatch.self) { try await database.read { try $0.require(Self.wrong) } }
        try await database.write { try $0.run("ALTER TABLE cars RENAME COLUMN name TO model") }
        await #expect(throws: SchemaMismatch.self) {
            _ = try await database.read { reader in
                try reader.require(Self.cars) { try reader.query("SELECT name FROM cars") as [String] }
            }
        }
        try await database.close()
    }

    @Test func `in a reader whose snapshot is older than a change`() throws {
        let database = try Database(directory.file("cars.db"))
        try database.blocking.read { reader in
            try reader.require(Self.cars)
            try connection.execute("ALTER TABLE cars RENAME COLUMN name TO model")
            let names: [String] = try reader.require(Self.cars) { try reader.query("SELECT name FROM cars") }
            #expect(names == ["i3", "i4"])
        }
        #expect(throws: SchemaMismatch.self) {
            _ = try database.blocking.read { reader in
                try reader.require(Self.cars) { try reader.query("SELECT name FROM cars") as [String] }
            }
        }
    }

    @Test func `in a function that a statement calls`() throws {
        try connection.addFunction("fits") { [unowned connection] (_: Int) -> Bool in
            try connection.require(Self.cars)
            return true
        }
        #expect(try connection.query("SELECT fits(id) FROM cars") == [true, true])
    }

    @Test func `a hook cannot use its connection`() throws {
        var kinds: [SQLiteError.Kind?] = []
        try connection.require(Self.cars)
        connection.updateHook { [unowned connection] _, _, _, _ in
            kinds.append(try? errorKind { try connection.require(Self.cars) })
        }
        try connection.run("UPDATE cars SET name = 'i5' WHERE id = 1")
        #expect(kinds == [.hookReentrancy(hook: "update hook")])
    }

    @Test func `a closed connection is an error, also where the schema was known to fit`() throws {
        try connection.require(Self.cars)
        connection.close()
        #expect(try errorKind { try connection.require(Self.cars) } == .closed(.connection))
        #expect(try errorKind { try connection.require(Self.wrong) } == .closed(.connection))
    }

    @Test func `a connection that was kept after its closure is an error`() throws {
        let database = try Database(directory.file("cars.db"))
        var kept: Connection?
        try database.blocking.read {
            try $0.require(Self.cars)
            kept = $0
        }
        #expect(try errorKind { try kept?.require(Self.cars) } == .connectionReturned)
        kept = nil
    }

    @Test func `a transaction that SQLite has ended is an error`() throws {
        let kind = try errorKind {
            try connection.transaction {
                try connection.run("ROLLBACK")
                try connection.require(Self.wrong)
            }
        }
        #expect(kind == .transactionLost)
    }

    @Test func `a deadline ends the first check, and not a schema that is known`() throws {
        let error = try sqliteError {
            try connection.withDeadline(.zero) { try connection.require(Self.cars) }
        }
        #expect(error.kind == .interrupted(.deadline))
        try connection.require(Self.cars)
        try connection.withDeadline(.zero) { try connection.require(Self.cars) }
    }

    @Test func `an authorizer that denies everything does not prevent the check`() throws {
        try connection.authorizer { _, _, _, _, _ in .deny }
        try connection.require(Self.cars)
        let error = try #require(throws: SchemaMismatch.self) { try connection.require(Self.wrong) }
        #expect(
            error.differences == [
                .type(table: "cars", column: "name", expected: "REAL", found: "TEXT"),
                .nullable(table: "cars", column: "name"),
            ])
    }

    @Test func `observers, counters and the statement cache do not notice a check`() throws {
        var events = 0
        connection.addTraceObserver { _ in events += 1 }
        let before = (
            connection.statementCache, connection.changes, connection.totalChanges, connection.lastInsertRowID
        )
        try connection.require(Self.cars)
        #expect(throws: SchemaMismatch.self) { try connection.require(Self.wrong) }
        #expect(events == 0)
        #expect(connection.statementCache == before.0)
        #expect((connection.changes, connection.totalChanges) == (before.1, before.2))
        #expect(connection.lastInsertRowID == before.3)
        #expect(connection.isInTransaction == false)
        // Reading `temp` would have created it.
        let databases: [String] = try connection.query("SELECT name FROM pragma_database_list")
        #expect(databases == ["main"])
    }

    @Test func `an observed read does not depend on the schema's tables`() throws {
        let recorder = RegionRecorder()
        connection.follow(recorder)
        recorder.begin(on: connection)
        try connection.require(Self.cars)
        #expect(throws: SchemaMismatch.self) { try connection.require(Self.wrong) }
        #expect(recorder.end(on: connection) == Region())
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch))
    func `a virtual table that another connection has dropped is a mismatch`() throws {
        try connection.execute("CREATE VIRTUAL TABLE texts USING fts5(title)")
        let other = try Connection(directory.file("cars.db"))
        try other.require(Self.texts)
        try connection.execute("DROP TABLE texts")
        #expect(throws: SchemaMismatch.self) {
            try other.require(Self.texts) { try other.run("INSERT INTO texts VALUES('a')") }
        }
    }

    private struct Failure: Error {}

    private struct Texts: TableSource {
        var columns: [VirtualColumn<String>] { [VirtualColumn("title") { $0 }] }

        func plan(_ query: PlanQuery) -> Plan { Plan() }

        func rows(_ scan: borrowing Scan) -> [String] { [] }
    }

    private static let texts = ExpectedSchema(
        sqliteVersion: "3.40.1", tables: [.init("texts", [.init("title", "", isNotNull: false)])])

    @Test func `the error of a virtual table's module is thrown`() throws {
        try connection.register(named: "texts") { _ -> Texts in throw Failure() }
        #expect(throws: Failure.self) { try connection.require(Self.texts) }
        try connection.register(named: "texts") { _ in Texts() }
        try connection.require(Self.texts)
    }

    @Test func `a module that closes its connection is an error`() throws {
        try connection.register(named: "texts") { [unowned connection] _ in
            connection.close()
            return Texts()
        }
        #expect(try errorKind { try connection.require(Self.texts) } == .closed(.connection))
        #expect(connection.isClosed)
    }

    @Test func `a locked file is an error after the connection's timeout`() throws {
        let blocker = try Connection(storageLocation: .onDisk(directory.file("locked.db")))
        try blocker.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT); BEGIN EXCLUSIVE")
        let waiting = try Connection(storageLocation: .onDisk(directory.file("locked.db")))
        #expect(try sqliteError { try waiting.require(Self.cars) }.resultCode == .busy)
        try blocker.execute("COMMIT")
        try waiting.require(Self.cars)
    }
}

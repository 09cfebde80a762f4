import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Two connections to one file, as of two processes.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct UndoConflictTests {
    private let directory: TemporaryDirectory
    private let database: Database
    private let history: UndoHistory
    /// The connection of another process.
    private let other: Connection

    init() throws {
        directory = try TemporaryDirectory()
        database = try Database(directory.file("a.db"))
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                """
                CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT UNIQUE, price REAL CHECK(price > 0));
                INSERT INTO cars VALUES(1, 'Audi', 10), (2, 'Fiat', 20), (3, 'Mini', 30);
                CREATE TABLE wheels(id INTEGER PRIMARY KEY, car INTEGER REFERENCES cars ON DELETE CASCADE);
                """)
        }
        history = try UndoHistory(database, tables: ["cars", "wheels"])
        other = try Connection(directory.file("a.db"))
    }

    private func rows() throws -> [String] {
        try other.query("SELECT id || ' ' || name || ' ' || price FROM cars ORDER BY id")
    }

    private func conflicts(
        _ sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) throws -> [Changeset.Conflict] {
        try #require(throws: UndoConflictError.self, sourceLocation: sourceLocation, performing: body).conflicts
    }

    @Test func changesOfOtherRowsAreKept() throws {
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = 11 WHERE id = 1") }
        try other.execute("UPDATE cars SET price = 21 WHERE id = 2; UPDATE cars SET name = 'Opel' WHERE id = 1")
        try history.blocking.undo()
        #expect(try rows() == ["1 Opel 10.0", "2 Fiat 21.0", "3 Mini 30.0"])
        try history.blocking.redo()
        #expect(try rows() == ["1 Opel 11.0", "2 Fiat 21.0", "3 Mini 30.0"])
    }

    /// What a transaction has changed that was rolled back is forgotten before another connection changes the same rows.
    @Test func changesOfOthersAfterARollbackAreNotPartOfTheNextStep() throws {
        try? database.blocking.write {
            try $0.run("UPDATE cars SET price = 11 WHERE id = 1")
            throw CancellationError()
        }
        try other.run("UPDATE cars SET price = 99 WHERE id = 1")
        try? database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET name = 'Audi'") }
        try other.run("UPDATE cars SET price = 88 WHERE id = 3")
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = 21 WHERE id = 2") }
        try history.blocking.undo()
        #expect(try rows() == ["1 Audi 99.0", "2 Fiat 20.0", "3 Mini 88.0"])
    }

    @Test func aRowThatAnotherHasChangedIsAConflict() throws {
        try history.blocking.write("Prices") {
            try $0.run("UPDATE cars SET price = price + 1")
            try $0.run("INSERT INTO cars VALUES(4, 'Seat', 40)")
        }
        try other.execute(
            "UPDATE cars SET price = 99 WHERE id = 1; DELETE FROM cars WHERE id = 2; DELETE FROM cars WHERE id = 4")
        let before = try rows()
        let error = try #require(throws: UndoConflictError.self) { try history.blocking.undo() }
        #expect(error.name == "Prices" && error.conflicts.count == 3)
        #expect(error.localizedDescription == "\"Prices\" conflicts with later changes of the same rows")
        let first = try #require(error.conflicts.first { $0.kind == .data })
        #expect(first.change?.new["price"] == .real(10) && first.row?["price"] == .real(99))
        #expect(error.conflicts.filter { $0.kind == .notFound }.count == 2)
        // Nothing was undone, and the step is still there.
        #expect(try rows() == before)
        #expect(history.undoName == "Prices" && !history.canRedo)
        try other.execute(
            """
            UPDATE cars SET price = 11 WHERE id = 1;
            INSERT INTO cars VALUES(2, 'Fiat', 21), (4, 'Seat', 40)
            """)
        #expect(try history.blocking.undo())
        #expect(try rows() == ["1 Audi 10.0", "2 Fiat 20.0", "3 Mini 30.0"])
    }

    @Test func aKeyOrAValueThatAnotherHasTaken() throws {
        try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM cars WHERE id < 3") }
        try other.execute("INSERT INTO cars VALUES(1, 'Saab', 1), (9, 'Fiat', 1)")
        let conflicts = try conflicts { try history.blocking.undo() }
        #expect(Set(conflicts.map(\.kind)) == [.conflict, .constraint])
        #expect(conflicts.first { $0.kind == .constraint }?.change?.new["name"] == .text("Fiat"))
        #expect(try rows() == ["1 Saab 1.0", "3 Mini 30.0", "9 Fiat 1.0"])
    }

    @Test func rowsOfOthersThatReferToAStep() throws {
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO cars VALUES(4, 'Seat', 40)") }
        // The action of the foreign key would delete it.
        try other.run("INSERT INTO wheels VALUES(1, 4)")
        let conflicts = try conflicts { try history.blocking.undo() }
        #expect(conflicts.map(\.kind) == [.foreignKey] && conflicts[0].change?.table == "cars")
        #expect(try other.query("SELECT count(*) FROM wheels") == 1)
        try other.run("DELETE FROM wheels")
        #expect(try history.blocking.undo())
    }

    @Test func aParentThatAnotherHasDeleted() throws {
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO wheels VALUES(1, 1)") }
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE wheels SET car = 2") }
        try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM wheels") }
        try other.run("DELETE FROM cars WHERE id < 3")
        let conflicts = try conflicts { try history.blocking.undo() }
        #expect(conflicts.map(\.kind) == [.foreignKey])
        #expect(conflicts[0].change?.new["car"] == .integer(2))
        #expect(try database.blocking.read { try $0.query("PRAGMA foreign_keys") } == 1)
        #expect(try errorCode { try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO wheels VALUES(1, 1)") } } == 787)
    }

    /// Keys of several columns, of which one is changed, and keys that are compared without case.
    @Test func foreignKeysOfEveryForm() throws {
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                """
                CREATE TABLE models(maker TEXT COLLATE NOCASE, year INTEGER, id TEXT PRIMARY KEY, UNIQUE(maker, year)) WITHOUT ROWID;
                CREATE TABLE sales(id INTEGER PRIMARY KEY, maker TEXT, year, FOREIGN KEY(maker, year) REFERENCES models(maker, year));
                INSERT INTO models VALUES('Audi', 1999, 'a');
                """)
        }
        let history = try UndoHistory(database, tables: ["models", "sales"])
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE models SET year = '2000'") }
        try other.run("INSERT INTO sales VALUES(1, 'AUDI', '2000'), (2, 'other', NULL)")
        #expect(try conflicts { try history.blocking.undo() }.map(\.kind) == [.foreignKey])
        try other.run("UPDATE sales SET year = NULL")
        #expect(try history.blocking.undo())
        try other.run("UPDATE sales SET year = '1999', maker = 'audi'")
        #expect(try conflicts { try history.blocking.redo() }.map(\.kind) == [.foreignKey])
        try other.run("INSERT INTO models VALUES('AUDI', 2000, 'b')")
        #expect(try conflicts { try history.blocking.redo() }.map(\.kind) == [.constraint])
        try other.execute("DELETE FROM models WHERE id = 'b'; DELETE FROM sales")
        #expect(try history.blocking.redo())
        // The parent and its child come and go together.
        try database.blocking.write {
            try $0.execute("INSERT INTO models VALUES('Fiat', 1, 'f'); INSERT INTO sales VALUES(3, 'fiat', 1)")
        }
        try history.blocking.undo()
        try history.blocking.redo()
        try database.blocking.write { try $0.execute("DELETE FROM sales; DELETE FROM models") }
        try history.blocking.undo()
        #expect(try other.query("SELECT count(*) FROM sales") == 1)
    }

    /// With a rollback journal, a connection that reads holds a lock.
    @Test func aDatabaseWithoutALog() throws {
        let path = directory.file("b.db")
        let database = try Database(storageLocation: .onDisk(path))
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, price)") }
        let history = try UndoHistory(database, tables: ["cars"])
        let other = try Connection(storageLocation: .onDisk(path))
        for id in 1...3 {
            try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO cars VALUES(\(id), 1)") }
            try database.blocking.write { try $0.run("UPDATE cars SET price = 2 WHERE id = \(id)") }
            try other.run("INSERT INTO cars VALUES(\(id + 10), 1)")
        }
        // A read of another connection makes the commit fail.
        try other.forEach("SELECT * FROM cars LIMIT 1") { _ in
            #expect(throws: SQLiteError.self) {
                try database.blocking.write { try $0.run("UPDATE cars SET price = 3") }
            }
            #expect(throws: SQLiteError.self) { try history.blocking.undo() }
        }
        for _ in 0..<5 { #expect(try history.blocking.undo()) }
        #expect(try other.query("SELECT id FROM cars ORDER BY id") == [1, 11, 12, 13])
        #expect(try history.blocking.undo() && !history.canUndo)
    }

    @Test func aDatabaseThatWasSuspended() throws {
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = 11 WHERE id = 1") }
        try database.blocking.suspend()
        #expect(try errorKind { try history.blocking.undo() } == .problem(DatabaseProblem.suspended))
        try other.run("UPDATE cars SET price = 21 WHERE id = 2")
        try database.blocking.resume()
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = 12 WHERE id = 1") }
        #expect(try history.blocking.undo() && history.blocking.undo() && !history.canUndo)
        #expect(try rows() == ["1 Audi 10.0", "2 Fiat 21.0", "3 Mini 30.0"])
    }

    private func errorCode(_ body: () throws -> Void) throws -> Int32 { try sqliteError(body).extendedCode }

    /// Between a commit and what the history records of it, another connection commits.
    @Test func changesOfOthersRightAfterACommitAreNotPartOfTheStep() throws {
        let other = try Connection(directory.file("a.db"))
        let shared = Shared(Unsafe(other))
        let token = database.addWALObserver { _, _ in
            shared.update {
                try? $0.connection.execute("UPDATE cars SET price = price + 1, name = name || '!' WHERE id = 1")
            }
        }
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = 11 WHERE id = 1") }
        try database.blocking.write { try $0.run("UPDATE cars SET price = 50 WHERE id = 1") }
        token.cancel()
        #expect(try rows()[0] == "1 Audi!! 51.0")
        #expect(try conflicts { try history.blocking.undo() }.map(\.kind) == [.data])
        try other.run("UPDATE cars SET price = 50 WHERE id = 1")
        try history.blocking.undo()
        #expect(try rows()[0] == "1 Audi!! 12.0")
        #expect(try conflicts { try history.blocking.undo() }.map(\.kind) == [.data])
    }

    @Test(arguments: [("BEGIN", "COMMIT"), ("BEGIN", "END"), ("SAVEPOINT s", "RELEASE s")])
    func changesOfOthersRightAfterEachEnd(_ begin: String, _ end: String) throws {
        let shared = Shared(Unsafe(try Connection(directory.file("a.db"))))
        let token = database.addWALObserver { _, _ in
            shared.update { try? $0.connection.execute("UPDATE cars SET price = price + 1 WHERE id = 1") }
        }
        try database.blocking.writeWithoutTransaction {
            try $0.execute("\(raw: begin); UPDATE cars SET price = 11 WHERE id = 1; \(raw: end)")
        }
        token.cancel()
        #expect(try rows()[0] == "1 Audi 12.0")
        #expect(try conflicts { try history.blocking.undo() }.map(\.kind) == [.data])
    }

    private struct Unsafe: @unchecked Sendable {
        let connection: Connection
        init(_ connection: Connection) { self.connection = connection }
    }

    @Test func theLogIsCheckpointedAsWithoutAHistory() throws {
        try database.blocking.writeWithoutTransaction { connection in
            try connection.setWALAutoCheckpoint(pages: 20)
            for id in 10..<400 { try connection.run("INSERT INTO cars VALUES(\(id), \(id), 1)") }
            for id in 10..<400 {
                try connection.transaction { try connection.run("UPDATE cars SET price = 2 WHERE id = \(id)") }
            }
        }
        let size = try FileManager.default.attributesOfItem(atPath: directory.file("a.db-wal"))[.size] as? Int
        #expect(try #require(size) < 60 * 4_200)
    }
}

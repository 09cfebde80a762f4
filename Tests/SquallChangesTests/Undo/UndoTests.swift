import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteFeatures.sessions))
struct UndoTests {
    /// A database with three cars, and a history of their table.
    private static func cars(limit: Int = 100) throws -> (Database, UndoHistory) {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                """
                CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT UNIQUE, price REAL);
                INSERT INTO cars VALUES(1, 'Audi', 10), (2, 'Fiat', 20), (3, 'Mini', 30);
                CREATE TABLE log(text);
                """)
        }
        return (database, try UndoHistory(database, tables: ["cars"], limit: limit))
    }

    private static func rows(_ database: Database) throws -> [String] {
        try database.blocking.read {
            try $0.query("SELECT id || ' ' || name || ' ' || price FROM cars ORDER BY id")
        }
    }

    @Test func aTransactionIsAStep() throws {
        let (database, history) = try Self.cars()
        #expect(try !history.canUndo && !history.canRedo && history.blocking.undo() == false && history.blocking.redo() == false)
        try database.blocking.write {
            try $0.run("UPDATE cars SET price = 11 WHERE id = 1")
            try $0.run("DELETE FROM cars WHERE id = 2")
            try $0.run("INSERT INTO cars VALUES(4, 'Seat', 40)")
        }
        let after = try Self.rows(database)
        #expect(history.canUndo && !history.canRedo)
        #expect(try history.blocking.undo())
        #expect(try Self.rows(database) == ["1 Audi 10.0", "2 Fiat 20.0", "3 Mini 30.0"])
        #expect(!history.canUndo && history.canRedo)
        #expect(try history.blocking.redo())
        #expect(try Self.rows(database) == after)
        #expect(history.canUndo && !history.canRedo)
    }

    @Test func withoutATransactionEachStatementIsAStep() throws {
        let (database, history) = try Self.cars()
        try database.blocking.writeWithoutTransaction {
            try $0.execute("UPDATE cars SET price = 11 WHERE id = 1; UPDATE cars SET price = 12 WHERE id = 1")
            try $0.run("UPDATE cars SET price = 99 WHERE id = 9")
            try $0.run("INSERT INTO log VALUES('not recorded')")
            let ids: [Int] = try $0.query("UPDATE cars SET price = 13 WHERE id < 3 RETURNING id")
            #expect(ids == [1, 2])
        }
        try history.blocking.undo()
        #expect(try Self.rows(database) == ["1 Audi 12.0", "2 Fiat 20.0", "3 Mini 30.0"])
        try history.blocking.undo()
        #expect(try Self.rows(database)[0] == "1 Audi 11.0")
        try history.blocking.undo()
        #expect(try Self.rows(database)[0] == "1 Audi 10.0")
        #expect(try history.blocking.undo() == false)
    }

    @Test func everyWayToCommitMakesAStep() async throws {
        let (database, history) = try Self.cars()
        try await database.write { try $0.run("UPDATE cars SET price = 1 WHERE id = 1") }
        try await database.writeWithoutTransaction { connection in
            try connection.transaction { try connection.run("UPDATE cars SET price = 2 WHERE id = 1") }
            try connection.savepoint { try connection.run("UPDATE cars SET price = 3 WHERE id = 1") }
            try connection.execute("BEGIN; UPDATE cars SET price = 4 WHERE id = 1; END")
            try connection.execute(
                "SAVEPOINT a; SAVEPOINT a; UPDATE cars SET price = 5 WHERE id = 1; RELEASE a; RELEASE a")
        }
        for price in [4, 3, 2, 1, 10] {
            #expect(try await history.undo())
            #expect(try await database.read { try $0.query("SELECT price FROM cars WHERE id = 1") } == price)
        }
        #expect(try await history.undo() == false)
        for price in [1, 2, 3, 4, 5] {
            #expect(try await history.redo())
            #expect(try await database.read { try $0.query("SELECT price FROM cars WHERE id = 1") } == price)
        }
        #expect(try await history.redo() == false)
    }

    @Test func whatIsRolledBackIsNoStep() throws {
        let (database, history) = try Self.cars()
        try? database.blocking.write {
            try $0.run("DELETE FROM cars")
            throw CancellationError()
        }
        try? database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET name = 'Audi'") }
        try database.blocking.write {
            let connection = $0
            try? connection.savepoint {
                try connection.run("DELETE FROM cars")
                throw CancellationError()
            }
            try? connection.run("UPDATE cars SET name = 'Audi'")
        }
        #expect(!history.canUndo)
        try database.blocking.write {
            let connection = $0
            try connection.run("UPDATE cars SET price = 11 WHERE id = 1")
            try? connection.savepoint {
                try connection.run("UPDATE cars SET price = 12 WHERE id = 1")
                throw CancellationError()
            }
            try database.blocking.write { try $0.run("UPDATE cars SET price = 21 WHERE id = 2") }
        }
        #expect(try Self.rows(database) == ["1 Audi 11.0", "2 Fiat 21.0", "3 Mini 30.0"])
        try history.blocking.undo()
        #expect(try Self.rows(database) == ["1 Audi 10.0", "2 Fiat 20.0", "3 Mini 30.0"] && !history.canUndo)
    }

    @Test func aRefusedCommitIsNoStep() throws {
        let (database, history) = try Self.cars()
        let token = database.addCommitObserver { true }
        try? database.blocking.write { try $0.run("DELETE FROM cars WHERE id = 1") }
        try? database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM cars WHERE id = 1") }
        #expect(!history.canUndo)
        token.cancel()
        try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM cars WHERE id = 2") }
        try history.blocking.undo()
        #expect(try Self.rows(database).count == 3 && !history.canUndo)
    }

    @Test func groupsHaveNames() async throws {
        let (database, history) = try Self.cars()
        let id = try await history.write("Import") {
            try $0.run("INSERT INTO cars VALUES(4, 'Seat', 40)")
            return $0.lastInsertRowID
        }
        #expect(id == 4 && history.undoName == "Import" && history.redoName == nil)
        try Self.moreGroups(database, history)
    }

    private static func moreGroups(_ database: Database, _ history: UndoHistory) throws {
        #expect(try history.blocking.write("Nothing") { _ in 7 } == 7)
        try? history.blocking.write("Failed") {
            try $0.run("DELETE FROM cars")
            throw CancellationError()
        }
        #expect(history.undoName == "Import")
        try database.blocking.write { try $0.run("UPDATE cars SET price = 11 WHERE id = 1") }
        #expect(history.canUndo && history.undoName == nil)
        try history.blocking.write("Outer") { _ in
            try history.blocking.write("Inner") { try $0.run("UPDATE cars SET price = 12 WHERE id = 1") }
        }
        #expect(history.undoName == "Outer")
        try database.blocking.writeWithoutTransaction { connection in
            try history.blocking.write("In a write") { try $0.run("UPDATE cars SET price = 13 WHERE id = 1") }
        }
        #expect(history.undoName == "In a write")
        try history.blocking.undo()
        #expect(history.undoName == "Outer" && history.redoName == "In a write")
        try history.blocking.undo()
        try history.blocking.undo()
        try history.blocking.undo()
        #expect(!history.canUndo && history.redoName == "Import")
        #expect(try rows(database).count == 3)
    }

    @Test func newChangesEndRedoing() throws {
        let (database, history) = try Self.cars()
        try history.blocking.write("A") { try $0.run("UPDATE cars SET price = 11 WHERE id = 1") }
        try history.blocking.undo()
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO log VALUES('another table')") }
        #expect(history.redoName == "A")
        try history.blocking.write("B") { try $0.run("UPDATE cars SET price = 12 WHERE id = 1") }
        #expect(!history.canRedo && history.undoName == "B")
        #expect(try history.blocking.redo() == false)
        history.removeAll()
        #expect(!history.canUndo && !history.canRedo)
        #expect(try Self.rows(database)[0] == "1 Audi 12.0")
    }

    @Test func noStepIsLeftAfterRemoveAll() throws {
        let (database, history) = try Self.cars()
        for price in [11, 12] {
            try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = \(price) WHERE id = 1") }
        }
        try history.blocking.undo()
        #expect(history.canUndo && history.canRedo)
        history.removeAll()
        #expect(!history.canUndo && !history.canRedo)
    }

    @Test func theOldestStepIsForgotten() throws {
        let (database, history) = try Self.cars(limit: 2)
        for price in [11, 12, 13] {
            try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = \(price) WHERE id = 1") }
        }
        while try history.blocking.undo() {}
        #expect(try Self.rows(database)[0] == "1 Audi 11.0")
        while try history.blocking.redo() {}
        #expect(try Self.rows(database)[0] == "1 Audi 13.0")
    }

    @Test func twoHistoriesAreIndependent() throws {
        let (database, cars) = try Self.cars()
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, text)") }
        let all = try UndoHistory(database, tables: ["notes", "CARS"])
        #expect(all.tables == ["notes", "cars"])
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO notes VALUES(1, 'a')") }
        #expect(!cars.canUndo && all.canUndo)
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = 11 WHERE id = 1") }
        try cars.blocking.undo()
        // Undoing in one is a step of the other.
        try all.blocking.undo()
        #expect(try Self.rows(database)[0] == "1 Audi 11.0")
        try all.blocking.undo()
        try all.blocking.undo()
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM notes") } == 0)
        #expect(!all.canUndo && all.canRedo)
    }

    @Test func aHistoryThatIsReleasedRecordsNoLonger() throws {
        let (database, history) = try Self.cars()
        weak var released: UndoHistory?
        do {
            let second = try UndoHistory(database, tables: ["cars"])
            released = second
            try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = 11 WHERE id = 1") }
            #expect(second.canUndo)
        }
        #expect(released == nil)
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = 12 WHERE id = 1") }
        while try history.blocking.undo() {}
        #expect(try Self.rows(database)[0] == "1 Audi 10.0")
    }

    @Test func theDatabaseIsReleasedWithItsHistory() throws {
        weak var database: Database?
        weak var connection: Connection?
        do {
            let (opened, history) = try Self.cars()
            database = opened
            try opened.blocking.writeWithoutTransaction {
                connection = $0
                try $0.run("DELETE FROM cars")
            }
            #expect(history.canUndo)
        }
        #expect(database == nil && connection == nil)
    }

    @Test func observersSeeAnUndo() throws {
        let (database, history) = try Self.cars()
        try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM cars WHERE id = 2") }
        let log = Shared<[String]>([])
        let token = database.addUpdateObserver { type, _, table, id in
            log.update { $0.append("\(type) \(table ?? "") \(id)") }
        }
        defer { token.cancel() }
        try history.blocking.undo()
        try history.blocking.redo()
        #expect(log.value == ["insert cars 2", "delete cars 2"])
    }

    @Test func anObserverOfACommitFindsItsStep() async throws {
        let (database, history) = try Self.cars()
        var changes = database.changes(in: .table("cars")).makeAsyncIterator()
        try await history.write("Sell") { try $0.run("DELETE FROM cars WHERE id = 2") }
        #expect(await changes.next() != nil && history.undoName == "Sell")
        try await history.undo()
        #expect(await changes.next()?.tables == ["cars"])
        #expect(history.redoName == "Sell")
    }

    @Test func aStatementInsideAFunctionIsAPartOfTheStepOfItsStatement() throws {
        let (database, history) = try Self.cars()
        try database.blocking.writeWithoutTransaction { (connection: Connection) throws in
            // Unowned: the connection owns the function.
            try connection.addFunction("with_trailer") { [unowned connection] (id: Int) in
                try connection.run("INSERT INTO cars VALUES(?, ?, 1)", id + 10, "Trailer \(id)")
                return "Van \(id)"
            }
            try connection.run("INSERT INTO cars SELECT value, with_trailer(value), 2 FROM json_each('[4, 5]')")
        }
        let after = try Self.rows(database)
        #expect(after.suffix(4) == ["4 Van 4 2.0", "5 Van 5 2.0", "14 Trailer 4 1.0", "15 Trailer 5 1.0"])
        #expect(try history.blocking.undo())
        #expect(try Self.rows(database).count == 3)
        #expect(!history.canUndo)
        #expect(try history.blocking.redo())
        #expect(try Self.rows(database) == after)
    }
}

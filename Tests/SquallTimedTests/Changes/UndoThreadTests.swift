import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// A history of changes that several threads make.
@Suite(.enabled(if: SQLiteFeatures.sessions), .timeLimit(.minutes(10)))
struct UndoThreadTests {
    private let directory: TemporaryDirectory
    private let database: Database
    private let history: UndoHistory
    /// The connection of another process.
    private let other: Connection

    init() throws {
        directory = try TemporaryDirectory()
        var configuration = Configuration.recommended
        // Other connections hold the lock again and again.
        configuration.busyTimeout = .seconds(3600)
        database = try Database(directory.file("a.db"), configuration: configuration)
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

    @Test func threadsWriteAndUndo() async throws {
        let steps = Shared(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask { [database, history] in
                    for turn in 0..<50 {
                        if turn % 5 == 4 {
                            if try await history.undo() { steps.update { $0 -= 1 } }
                            if try await history.redo() { steps.update { $0 += 1 } }
                        } else {
                            _ = history.canUndo ? history.undoName : history.redoName
                            try await database.write {
                                try $0.run("INSERT INTO wheels(car) VALUES(\(number % 3 + 1))")
                            }
                            steps.update { $0 += 1 }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try other.query("SELECT count(*) FROM wheels") == steps.value)
        // At most 100 steps are kept. A step that was undone while another thread wrote cannot be redone, so that there may be fewer.
        var undone = 0
        while try await history.undo() { undone += 1 }
        #expect((1...100).contains(undone) && !history.canUndo)
        #expect(try other.query("SELECT count(*) FROM wheels") == steps.value - undone)
    }

    /// Another connection writes all the time; the history only ever undoes what was its own.
    @Test func anotherWriterAtTheSameTime() async throws {
        try other.run("INSERT INTO cars VALUES(4, 'counter', 1)")
        let path = directory.file("a.db")
        let isDone = Shared(false)
        let counting = Task.detached {
            var configuration = Configuration.recommended
            configuration.busyTimeout = .seconds(3600)
            let connection = try Connection(path, configuration: configuration)
            var count = 0
            while !isDone.value {
                try connection.run("UPDATE cars SET price = price + 1 WHERE id = 4")
                count += 1
            }
            return count
        }
        for number in 1...100 {
            try await database.writeWithoutTransaction { try $0.run("INSERT INTO wheels VALUES(\(number), 1)") }
            if number % 3 == 0 { #expect(try await history.undo()) }
        }
        while try await history.undo() {}
        isDone.update { $0 = true }
        let count = try await counting.value
        #expect(try other.query("SELECT count(*) FROM wheels") == 0)
        #expect(try other.query("SELECT price FROM cars WHERE id = 4") == count + 1)
    }

    @Test func aGroupInsideAWriteThatIsOlderThanItsHistory() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("cars.db"))
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)") }
        let history = try database.blocking.writeWithoutTransaction { (_: Connection) throws -> UndoHistory in
            let history = try ThreadResult { try UndoHistory(database, tables: ["cars"]) }.get()
            let error = try sqliteError { try history.blocking.write("Early") { _ in } }
            #expect(error.kind == .problem(UndoProblem.insideEarlierWrite) && error.resultCode == .misuse)
            return history
        }
        try history.blocking.write("Import") { try $0.run("INSERT INTO cars VALUES(1, 'Audi')") }
        #expect(history.undoName == "Import")
        try database.blocking.writeWithoutTransaction { (_: Connection) throws in
            try history.blocking.write("Edit") { try $0.run("UPDATE cars SET name = 'Fiat'") }
        }
        #expect(history.undoName == "Edit")
    }

    @Test func closuresOfGroupCommitAreStepsOfTheirOwn() async throws {
        let directory = try TemporaryDirectory()
        var configuration = Configuration.recommended
        configuration.groupCommit = true
        let database = try Database(directory.file("groups.db"), configuration: configuration)
        try await database.write { try $0.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, price)") }
        let history = try await UndoHistory(database, tables: ["cars"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<50 {
                group.addTask { try await database.write { try $0.run("INSERT INTO cars VALUES(\(id), 0)") } }
            }
            try await group.waitForAll()
        }
        for count in (0..<50).reversed() {
            try await history.undo()
            #expect(try await database.read { try $0.query("SELECT count(*) FROM cars") } == count)
        }
        #expect(!history.canUndo)
    }
}

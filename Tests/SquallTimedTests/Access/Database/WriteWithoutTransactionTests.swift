import Squall
import SquallTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WriteWithoutTransactionTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    private func open() throws -> Database {
        let database = try Database(path)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE cars(name TEXT)") }
        return database
    }

    private func names(in database: Database) async throws -> [String] {
        try await database.read { try $0.query("SELECT name FROM cars ORDER BY name") }
    }

    private static let endless: SQL =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    @Test func everyStatementIsATransactionOfItsOwn() async throws {
        let database = try open()
        let id = try await database.writeWithoutTransaction { [path] connection in
            #expect(!connection.isInTransaction)
            try connection.run("INSERT INTO cars VALUES('Audi')")
            #expect(try Connection(path).query("SELECT count(*) FROM cars") == 1)
            return connection.lastInsertRowID
        }
        #expect(id == 1)
        await #expect(throws: CancellationError.self) {
            try await database.writeWithoutTransaction { connection in
                try connection.run("INSERT INTO cars VALUES('Saab')")
                throw CancellationError()
            }
        }
        #expect(try await names(in: database) == ["Audi", "Saab"])
    }

    @Test func vacuumRunsInItAndNotInAWrite() async throws {
        let database = try open()
        let error = await #expect(throws: SQLiteError.self) { try await database.write { try $0.vacuum() } }
        #expect(error?.message == "cannot VACUUM from within a transaction")
        try await database.write { connection in
            for _ in 0..<50 { try connection.run("INSERT INTO cars VALUES(hex(randomblob(1000)))") }
            try connection.run("DELETE FROM cars")
        }
        let pages: [Int] = try await database.writeWithoutTransaction { connection in
            let before: Int = try connection.query("PRAGMA page_count")
            try connection.vacuum()
            return try [before, connection.query("PRAGMA page_count")]
        }
        #expect(pages[0] > 20)
        #expect(pages[1] == 2)
    }

    @Test func theLogIsCheckpointedInItAndNotInAWrite() async throws {
        let database = try open()
        try await database.write { try $0.run("INSERT INTO cars VALUES('Audi')") }
        #expect(database.statistics.walSize > 0)
        await #expect(throws: SQLiteError.self) { try await database.write { try $0.checkpoint(mode: .truncate) } }
        #expect(database.statistics.walSize > 0)
        let columns: [Int] = try await database.writeWithoutTransaction {
            try $0.query("PRAGMA wal_checkpoint(TRUNCATE)") { try [$0.get(0), $0.get(1), $0.get(2)] }[0]
        }
        #expect(columns == [0, 0, 0])  // busy, log, checkpointed
        #expect(database.statistics.walSize == 0)
    }

    @Test func aTransactionOfTheClosureIsCommittedByIt() async throws {
        let database = try open()
        try await database.writeWithoutTransaction { connection in
            try connection.run("PRAGMA foreign_keys = OFF")  // nothing inside a transaction
            try connection.transaction { try connection.run("INSERT INTO cars VALUES('Audi')") }
            try database.blocking.write { #expect($0 === connection) }
        }
        #expect(try await names(in: database) == ["Audi"])
        #expect(try await database.write { try $0.query("PRAGMA foreign_keys") as Int } == 1)
    }

    @Test func aTransactionThatIsLeftOpenIsRolledBackAndReported() async throws {
        for database in [try open(), try Database()] {
            try await database.write { try $0.execute("CREATE TABLE IF NOT EXISTS cars(name TEXT)") }
            let error = await #expect(throws: SQLiteError.self) {
                try await database.writeWithoutTransaction { try $0.execute("BEGIN; INSERT INTO cars VALUES('Audi')") }
            }
            #expect(error?.resultCode == .misuse)
            #expect(error?.message == "the closure has left a transaction open; it was rolled back")
            #expect(error?.hint?.contains("commit, or roll back when their closure throws") == true)
            #expect(try await names(in: database) == [])
        }
    }

    @Test func whatHasBeenCommittedBeforeACancellationStays() async throws {
        let database = try open()
        let isRunning = Gate()
        let task = Task {
            try await database.writeWithoutTransaction { connection in
                try connection.run("INSERT INTO cars VALUES('Audi')")
                isRunning.open()
                let _: Int = try connection.query(Self.endless)
            }
        }
        await isRunning.passed()
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(try await names(in: database) == ["Audi"])
        try await database.writeWithoutTransaction { try $0.run("INSERT INTO cars VALUES('Saab')") }
    }

    @Test func aTransactionOfTheClosureIsRolledBackByACancellation() async throws {
        let database = try open()
        let (isRunning, gate) = (Gate(), Gate())
        let task = Task {
            try await database.writeWithoutTransaction { connection in
                try connection.execute("BEGIN; INSERT INTO cars VALUES('Audi')")
                isRunning.open()
                gate.wait()
                try connection.run("COMMIT")
            }
        }
        await isRunning.passed()
        task.cancel()
        gate.open()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(try await names(in: database) == [])
    }

    @Test func waitingInTheLineEndsWithACancellationAndAtTheDeadline() async throws {
        let database = try open()
        let (gate, isIn) = (Gate(), Gate())
        let holder = Task {
            try await database.writeWithoutTransaction { _ in
                isIn.open()
                gate.wait()
            }
        }
        await isIn.passed()
        let task = Task { try await database.writeWithoutTransaction { _ in } }
        await until { database.statistics.waitingWrites == 1 }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        let error = await #expect(throws: SQLiteError.self) {
            try await database.writeWithoutTransaction(deadline: .milliseconds(20)) { _ in }
        }
        #expect(error?.resultCode == .interrupt)
        #expect(database.statistics.waitingWrites == 0)
        gate.open()
        try await holder.value
    }

    @Test func theDeadlineEndsWhatRunsAndTheWaitForALock() async throws {
        let database = try open()
        let other = try Connection(path)
        try other.run("BEGIN IMMEDIATE")
        for sql in [Self.endless, "DELETE FROM cars"] {
            let error = await #expect(throws: SQLiteError.self) {
                try await database.writeWithoutTransaction(deadline: .milliseconds(20)) { try $0.run(sql) }
            }
            #expect(error?.resultCode == .interrupt)
            #expect(error?.message.contains("deadline") == true)
        }
        try other.run("COMMIT")
        try await database.writeWithoutTransaction(deadline: .seconds(3600)) { try $0.run("DELETE FROM cars") }
    }
}

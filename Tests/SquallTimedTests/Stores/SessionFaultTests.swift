import SquallStore
import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// Sessions of a database whose file, locks or connections do not do what they need.
@Suite(.timeLimit(.minutes(10)))
struct SessionFaultTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private struct Stop: Error {}

    private func database(
        readers: Int? = nil, _ configure: (inout Configuration) -> Void = { _ in }
    ) throws -> Database {
        var configuration = Configuration.recommended
        configure(&configuration)
        let database = try Database(
            directory.file("app.db"), configuration: configuration, maximumReaders: readers)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
        return database
    }

    private func values(_ database: Database) async throws -> [Int] {
        try await database.read { try $0.query("SELECT a FROM t ORDER BY a") }
    }

    @Test func theClosureStartsInTheTransaction() async throws {
        let database = try database()
        let (isIn, mayEnd) = (Gate(), Gate())
        let first = Task {
            try await database.write(deadline: .seconds(1800)) { (session: SQLSession) in
                isIn.open()
                await mayEnd.passed()
                try await session.run("INSERT INTO t VALUES(2)")
            }
        }
        await isIn.passed()
        let hasStarted = Shared(false)
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write(deadline: .milliseconds(50)) { (_: SQLSession) in hasStarted.update { $0 = true } }
        }
        #expect(error?.kind == .interrupted(.deadline))
        #expect(!hasStarted.value)
        mayEnd.open()
        _ = try await first.value
        #expect(try await values(database) == [1, 2])
    }

    @Test func aClosureWithoutStatementsHoldsTheWriter() async throws {
        let database = try database()
        try await database.write(deadline: .seconds(1800)) { (_: SQLSession) async throws -> Void in
            #expect(throws: SQLiteError.self) {
                // Without a busy timeout.
                try Connection(self.directory.file("app.db"), configuration: .sqlite).execute("BEGIN IMMEDIATE")
            }
        }
    }

    @Test func aDiskThatIsFullLosesNothing() async throws {
        let database = try database()
        try await database.writeWithoutTransaction { connection in
            let pages: Int = try connection.query("PRAGMA page_count")
            try connection.execute("PRAGMA max_page_count = \(raw: "\(pages + 2)")")
        }
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write(deadline: .seconds(1800)) { (session: SQLSession) async throws -> Void in
                try await session.run("INSERT INTO t VALUES(2)")
                for _ in 0..<100 { try await session.run("INSERT INTO t VALUES(randomblob(1000))") }
            }
        }
        #expect(error?.resultCode == .full)
        #expect(try await values(database) == [1])
        try await database.write { try $0.run("INSERT INTO t VALUES(3)") }
        #expect(try await values(database) == [1, 3])
    }

    @Test func aTransactionThatSQLiteRolledBackIsLost() async throws {
        let database = try database()
        try await database.write {
            try $0.execute("CREATE TABLE u(a UNIQUE ON CONFLICT ROLLBACK); INSERT INTO u VALUES(1)")
        }
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write(deadline: .seconds(1800)) { (session: SQLSession) async throws -> Void in
                try await session.run("INSERT INTO t VALUES(2)")
                _ = try? await session.run("INSERT INTO u VALUES(1)")
                try await session.run("INSERT INTO t VALUES(3)")
            }
        }
        #expect(error?.kind == .transactionLost)
        #expect(try await values(database) == [1])
    }

    @Test func aFileThatIsLockedIsTold() async throws {
        let database = try database { $0.busyTimeout = .milliseconds(20) }
        let other = try Connection(directory.file("app.db"))
        try other.execute("BEGIN IMMEDIATE")
        let hasStarted = Shared(false)
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write(deadline: .seconds(1800)) { (_: SQLSession) in hasStarted.update { $0 = true } }
        }
        #expect(error?.resultCode == .busy)
        #expect(!hasStarted.value)
        try other.execute("COMMIT")
        try await database.write(deadline: .seconds(1800)) { (session: SQLSession) in
            try await session.run("INSERT INTO t VALUES(2)")
        }
        #expect(try await values(database) == [1, 2])
    }

    @Test func aReadDoesNotWrite() async throws {
        let database = try database()
        let error = await #expect(throws: SQLiteError.self) {
            try await database.read(deadline: .seconds(1800)) { (session: SQLSession) in
                try await session.run("INSERT INTO t VALUES(2)")
            }
        }
        #expect(error?.kind == .insideRead(.statement))
        #expect(try await values(database) == [1])
    }

    @Test func oneReaderServesAllSessions() async throws {
        let database = try database(readers: 1)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await database.read(deadline: .seconds(1800)) { (session: SQLSession) in
                        try await session.query("SELECT count(*) FROM t")
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 1, count: 20))
    }

    /// A closure that uses the database beside its session waits for itself, until its deadline.
    @Test func aSessionInsideAnotherEndsAtItsDeadline() async throws {
        let database = try database()
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write(deadline: .seconds(1800)) { (session: SQLSession) async throws -> Void in
                try await session.run("INSERT INTO t VALUES(2)")
                try await database.write(deadline: .milliseconds(30)) { (_: SQLSession) in }
            }
        }
        #expect(error?.kind == .interrupted(.deadline))
        #expect(try await values(database) == [1])
    }

    @Test func aSessionDoesNotJoinAGroupOfCommits() async throws {
        let database = try database { $0.groupCommit = true }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for value in 0..<40 {
                group.addTask {
                    if value.isMultiple(of: 2) {
                        try await database.write { try $0.run("INSERT INTO t VALUES(\(value + 100))") }
                        return
                    }
                    // Its failure takes none of the others with it.
                    await #expect(throws: Stop.self) {
                        try await database.write(deadline: .seconds(1800)) {
                            (session: SQLSession) async throws -> Void in
                            try await session.run("INSERT INTO t VALUES(-1)")
                            throw Stop()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await values(database) == [1] + stride(from: 100, to: 140, by: 2))
    }

    @Test func closingWaitsForASession() async throws {
        let database = try database()
        let (isIn, mayEnd) = (Gate(), Gate())
        let write = Task {
            try await database.write(deadline: .seconds(1800)) { (session: SQLSession) in
                isIn.open()
                await mayEnd.passed()
                try await session.run("INSERT INTO t VALUES(2)")
            }
        }
        await isIn.passed()
        mayEnd.open()
        try await database.close()
        _ = try await write.value
        let values: [Int] = try Connection(directory.file("app.db")).query("SELECT a FROM t")
        #expect(values == [1, 2])
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write(deadline: .seconds(1800)) { (_: SQLSession) in }
        }
        #expect(error?.kind == .closed(.database))
    }
}

import SquallStore
import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// A database as a store: transactions of asynchronous closures.
@Suite(.timeLimit(.minutes(10)))
struct DatabaseStoreTests {
    private let directory: TemporaryDirectory
    private let database: Database
    private var store: PatientStore { PatientStore(database: database) }

    init() throws {
        directory = try TemporaryDirectory()
        database = try Database(directory.file("app.db"))
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
    }

    private struct Stop: Error {}

    private func values() async throws -> [Int] {
        try await database.read { try $0.query("SELECT a FROM t ORDER BY a") }
    }

    @Test func aReadSeesOneState() async throws {
        try await store.read { (session: SQLSession) async throws -> Void in
            let before: [Int] = try await session.query("SELECT a FROM t")
            try await self.database.write { try $0.run("INSERT INTO t VALUES(2)") }
            let after: [Int] = try await session.query("SELECT a FROM t")
            #expect(before == [1])
            #expect(after == [1])
        }
        #expect(try await values() == [1, 2])
    }

    @Test func anErrorRollsBack() async throws {
        await #expect(throws: Stop.self) {
            try await store.write { (session: SQLSession) async throws -> Void in
                try await session.run("INSERT INTO t VALUES(2)")
                throw Stop()
            }
        }
        #expect(try await values() == [1])
        // An error that the closure catches does not.
        try await store.write { (session: SQLSession) async throws -> Void in
            await #expect(throws: SQLiteError.self) { try await session.run("INSERT INTO missing VALUES(2)") }
            try await session.run("INSERT INTO t VALUES(3)")
        }
        #expect(try await values() == [1, 3])
    }

    @Test func aSessionEndsWithItsClosure() async throws {
        let kept = try await store.write { (session: SQLSession) in session }
        let error = await #expect(throws: SQLiteError.self) { try await kept.run("DELETE FROM t") }
        #expect(error?.kind == .problem(StoreProblem.sessionHasEnded))
        #expect(try await values() == [1])
    }

    @Test func theDeadlineEndsAClosureThatWaits() async throws {
        let (gate, hasBegun) = (Gate(), Shared(false))
        var deadline = Duration.milliseconds(50)
        // On a busy machine, the deadline may pass before the closure begins, or before its first statement.
        while !hasBegun.value {
            let error = await #expect(throws: SQLiteError.self) {
                try await database.write(deadline: deadline) { (session: SQLSession) in
                    hasBegun.update { $0 = true }
                    _ = try? await session.run("INSERT INTO t VALUES(2)")
                    // The writer is free again while the closure goes on.
                    try await self.database.write { try $0.run("INSERT INTO t VALUES(3)") }
                    gate.open()
                    try await session.run("INSERT INTO t VALUES(4)")
                }
            }
            #expect(error?.resultCode == .interrupt)
            deadline *= 2
        }
        await gate.passed()
        #expect(try await values() == [1, 3])
    }

    @Test func aCancelledTaskRollsBack() async throws {
        let (isIn, wasCancelled) = (Gate(), Gate())
        let task = Task { [store] in
            try await store.write { (session: SQLSession) in
                try await session.run("INSERT INTO t VALUES(2)")
                isIn.open()
                await wasCancelled.passed()
                try await session.run("INSERT INTO t VALUES(3)")
            }
        }
        await isIn.passed()
        task.cancel()
        wasCancelled.open()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(try await values() == [1])
    }

    @Test func aStatementIsCancelled() async throws {
        let isIn = Gate()
        let task = Task { [store] in
            try await store.read { (session: SQLSession) in
                isIn.open()
                let _: Int = try await session.query(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
            }
        }
        await isIn.passed()
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test func aClosedDatabaseIsTold() async throws {
        try await database.close()
        for body in [
            { @Sendable (session: SQLSession) in _ = try await session.run("SELECT 1") }, { @Sendable _ in },
        ] {
            let error = await #expect(throws: SQLiteError.self) {
                try await store.write { (session: SQLSession) in try await body(session) }
            }
            #expect(error?.kind == .closed(.database))
        }
    }

    @Test func aKeyIsWrittenOnce() async throws {
        let runs = Shared(0)
        for _ in 0..<3 {
            let id: Int64 = try await store.write(idempotencyKey: "order 7") { session in
                runs.update { $0 += 1 }
                return try await session.run("INSERT INTO t VALUES(7)").lastInsertRowID
            }
            #expect(id == 2)
            try await store.write(idempotencyKey: "order 8") { session in
                try await session.run("INSERT INTO t VALUES(8)")
            }
        }
        #expect(runs.value == 1)
        #expect(try await values() == [1, 7, 8])
        // An error leaves no key.
        await #expect(throws: Stop.self) { try await store.write(idempotencyKey: "order 9") { _ in throw Stop() } }
        try await store.write(idempotencyKey: "order 9") { try await $0.run("INSERT INTO t VALUES(9)") }
        #expect(try await values() == [1, 7, 8, 9])
        let keys: [String] = try await database.read { try $0.query("SELECT key FROM squall_writes ORDER BY key") }
        #expect(keys == ["order 7", "order 8", "order 9"])
    }

    @Test func anErrorThatIsHandledLeavesNoKey() async throws {
        try await store.write { session in
            do {
                _ = try await session.once("order 1") { _ -> Int in throw Stop() }
            } catch is Stop {}
        }
        #expect(try await store.write(idempotencyKey: "order 1") { _ in 5 } == 5)
    }

    @Test func aStoredResultOfAnotherTypeIsTold() async throws {
        try await store.write(idempotencyKey: "größer") { _ in "first" }
        let error = await #expect(throws: SQLiteError.self) {
            let _: Int = try await store.write(idempotencyKey: "größer") { _ in 1 }
        }
        #expect(error?.resultCode == .mismatch)
        guard case .storedResult("größer", _)? = error?.problem(StoreProblem.self) else {
            return #expect(error?.kind == .sqlite)
        }
        // A key without a result, as another program may write it.
        try await database.write { try $0.run("UPDATE squall_writes SET result = NULL") }
        await #expect(throws: SQLiteError.self) {
            let _: String = try await store.write(idempotencyKey: "größer") { _ in "second" }
        }
    }

    @Test func aWriteIsAllOfAClosure() async throws {
        let result = try await store.write(idempotencyKey: "1") { try await $0.run("INSERT INTO t VALUES(2), (3)") }
        #expect(result == RunResult(changes: 2, lastInsertRowID: 3))
        let again = try await store.write(idempotencyKey: "1") { try await $0.run("INSERT INTO t VALUES(4)") }
        #expect(again == result)
        try await withThrowingTaskGroup(of: Void.self) { [store] group in
            group.addTask { try await store.write { try await $0.run("INSERT INTO t VALUES(5)") } }
            group.addTask { try await store.write(idempotencyKey: "2") { try await $0.run("INSERT INTO t VALUES(6)") } }
            group.addTask {
                try await store.write(deadline: .seconds(1800)) { try await $0.execute("INSERT INTO t VALUES(7)") }
            }
            try await group.waitForAll()
        }
        #expect(try await values() == [1, 2, 3, 5, 6, 7])
    }

    @Test func oldKeysAreDeleted() async throws {
        try await store.write(idempotencyKey: "new") { _ in }
        try await database.write { connection in
            for key in 0..<15 { try connection.run("INSERT INTO squall_writes VALUES(\("\(key)"), NULL, \(key))") }
        }
        let count = { try await database.read { try $0.query("SELECT count(*) FROM squall_writes") as Int } }
        try await store.write(idempotencyKey: "newer") { _ in }
        #expect(try await count() == 7)
        try await store.write(idempotencyKey: "newest") { _ in }
        #expect(try await count() == 3)
    }

    @Test func synchronousClosuresStayWhatTheyAre() async throws {
        // The closure runs on a thread that tasks do not share, with a `Connection`.
        let isConnection = try await database.read { type(of: $0) == Connection.self }
        #expect(isConnection)
        let count: Int = try await database.write(deadline: .seconds(3600)) { try $0.query("SELECT count(*) FROM t") }
        #expect(count == 1)
    }

    @Test func genericCodeRunsOnAnyStore() async throws {
        func move(_ store: some SQLStore) async throws -> [Int] {
            try await store.migrate(Schema("moved") { Version(1) { Execute("CREATE TABLE moved(a)") } })
            try await store.write { try await $0.run("INSERT INTO moved SELECT a FROM t") }
            return try await store.read { try await $0.query("SELECT a FROM moved") }
        }
        #expect(try await move(store) == [1])
    }

    @Test func manySessionsShareTheConnections() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for value in 0..<50 {
                group.addTask { [store] in
                    try await store.write { (session: SQLSession) in
                        let last: Int = try await session.query("SELECT max(a) FROM t")
                        try await session.run("INSERT INTO t VALUES(\(last + 1))")
                    }
                    let count: Int = try await store.read { (session: SQLSession) in
                        try await session.query("SELECT count(*) FROM t WHERE a > \(value)")
                    }
                    #expect(count >= 0)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await values() == Array(1...51))
    }

    @Test func cancellingAChildTaskEndsItsStatementAlone() async throws {
        let isRunning = Gate()
        let database = try Database(
            directory.file("app.db"),
            preparation: {
                try $0.addFunction("running", directOnly: false) { () -> Int in
                    isRunning.open(); return 1
                }
            })
        let count = try await database.read(deadline: .seconds(1800)) { (session: SQLSession) -> Int in
            await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    try await session.query(
                        "WITH RECURSIVE n(i) AS (SELECT running() UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
                }
                await isRunning.passed()
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.next() }
            }
            return try await session.query("SELECT count(*) FROM t")
        }
        #expect(count == 1)
    }
}

import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// Writes that are committed together.
@Suite(.timeLimit(.minutes(10)))
struct GroupCommitTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
        var configuration = Configuration.recommended
        configuration.groupCommit = true
        database = try Database(path, configuration: configuration)
        // However slow the machine is.
        database.writer.longestGroup = .seconds(3600)
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                """
                CREATE TABLE t(a INTEGER PRIMARY KEY);
                CREATE TABLE child(a INTEGER REFERENCES t(a) DEFERRABLE INITIALLY DEFERRED)
                """)
        }
    }

    private func rows(_ database: Database? = nil) throws -> [Int] {
        try (database ?? self.database).blocking.read { try $0.query("SELECT a FROM t ORDER BY a") }
    }

    /// Runs writes as one group: they wait in the line, in this order, while another write runs.
    ///
    /// - Returns: The result of each write; the number of commits.
    private func group(
        _ writes: [@Sendable (Database) async throws -> Int], in database: Database? = nil
    ) async throws -> (results: [Result<Int, any Error>], commits: Int) {
        let database = database ?? self.database
        let commits = Shared(0)
        let gate = Gate()
        let isIn = Gate()
        let first = Task { [database] in
            try await database.writeWithoutTransaction { _ in
                isIn.open()
                gate.wait()
            }
        }
        await isIn.passed()
        var tasks: [Task<Int, any Error>] = []
        for write in writes {
            tasks.append(Task { [database] in try await write(database) })
            await until { database.statistics.waitingWrites == tasks.count }
        }
        let token = database.addWALObserver { _, _ in commits.update { $0 += 1 } }
        gate.open()
        try await first.value
        var results: [Result<Int, any Error>] = []
        for task in tasks { results.append(await task.result) }
        token.cancel()
        return (results, commits.value)
    }

    private func insert(_ number: Int) -> @Sendable (Database) async throws -> Int {
        { database in
            try await database.write { connection in
                try connection.run("INSERT INTO t VALUES(?)", number)
                return number
            }
        }
    }

    private func values(_ results: [Result<Int, any Error>]) -> [Int?] { results.map { try? $0.get() } }

    private func error(_ result: Result<Int, any Error>) -> SQLiteError? {
        if case .failure(let error as SQLiteError) = result { error } else { nil }
    }

    // MARK: - One commit

    @Test func writesThatWaitTogetherAreOneCommit() async throws {
        let (results, commits) = try await group((1...10).map { insert($0) })
        #expect(values(results) == Array(1...10))
        #expect(try rows() == Array(1...10))
        #expect(commits == 1)
    }

    @Test func withoutTheSettingEachIsACommit() async throws {
        let plain = try Database(directory.file("plain.db"))
        try await plain.write { try $0.execute("CREATE TABLE t(a)") }
        let commits = Shared(0)
        let token = plain.addWALObserver { _, _ in commits.update { $0 += 1 } }
        for number in 1...5 { try await plain.write { try $0.run("INSERT INTO t VALUES(?)", number) } }
        token.cancel()
        #expect(commits.value == 5)
    }

    @Test func aGroupHasAtMost64Closures() async throws {
        let (results, commits) = try await group((1...130).map { insert($0) })
        #expect(values(results) == Array(1...130))
        #expect(commits == 3)
    }

    @Test func aGroupEndsWhenItsTimeIsOver() async throws {
        database.writer.longestGroup = .zero
        let (results, commits) = try await group((1...5).map { insert($0) })
        #expect(values(results) == Array(1...5))
        #expect(commits == 5)
    }

    @Test func anIsolatedWriteIsACommitOfItsOwn() async throws {
        let isolated: @Sendable (Database) async throws -> Int = { database in
            try await database.write(isolated: true) { connection in
                try connection.run("INSERT INTO t VALUES(2)")
                return 2
            }
        }
        let (results, commits) = try await group([insert(1), isolated, insert(3)])
        #expect(values(results) == [1, 2, 3])
        #expect(commits == 3)
    }

    @Test func laterClosuresSeeTheWorkOfEarlierOnes() async throws {
        let count: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.run("INSERT INTO t SELECT max(a) + 1 FROM t")
                return try connection.query("SELECT count(*) FROM t")
            }
        }
        let (results, commits) = try await group([insert(1), count, count, count])
        #expect(values(results) == [1, 2, 3, 4])
        #expect(commits == 1)
    }

    @Test func threadsJoin() throws {
        let gate = Gate()
        let isIn = Gate()
        let commits = Shared(0)
        let token = database.addWALObserver { _, _ in commits.update { $0 += 1 } }
        let first = ThreadResult { [database] in
            try database.blocking.writeWithoutTransaction { _ in
                isIn.open()
                gate.wait()
            }
        }
        isIn.wait()
        var threads: [ThreadResult<Int>] = []
        for number in 1...8 {
            threads.append(
                ThreadResult { [database] in
                    try database.blocking.write { connection in
                        try connection.run("INSERT INTO t VALUES(?)", number)
                        return number
                    }
                })
            until { database.statistics.waitingWrites == number }
        }
        gate.open()
        try first.get()
        let results = try threads.map { try $0.get() }
        token.cancel()
        #expect(results == Array(1...8))
        #expect(try rows() == Array(1...8))
        #expect(commits.value == 1)
    }

    /// The thread of the second write is in a transaction of another database. Inside it, a read would see its work.
    @Test func theClosureOfATaskIsNotInsideThoseOfAThread() async throws {
        struct Failure: Error {}
        let other = try Database(directory.file("other.db"))
        try await other.write { try $0.execute("CREATE TABLE t(a)") }
        let thread = Shared<ThreadResult<Void>?>(nil)
        let seen = Shared<Int?>(nil)
        let writes: [@Sendable (Database) async throws -> Int] = [
            insert(1),
            { database in
                let result = ThreadResult {
                    try other.blocking.write { connection in
                        try connection.run("INSERT INTO t VALUES('thread')")
                        try database.blocking.write { try $0.run("INSERT INTO t VALUES(2)") }
                        throw Failure()
                    }
                }
                thread.update { $0 = result }
                return 2
            },
            { database in
                try await database.write { connection in
                    try connection.run("INSERT INTO t VALUES(3)")
                    seen.update { $0 = try? other.blocking.read { try $0.query("SELECT count(*) FROM t") } }
                    return 3
                }
            },
        ]
        let (results, commits) = try await group(writes)
        #expect(values(results) == [1, 2, 3])
        #expect(throws: Failure.self) { try thread.value?.get() }
        #expect(try rows() == [1, 2, 3])
        #expect(commits == 1)
        #expect(seen.value == 0)
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func observersSeeOneCommit() async throws {
        var changes = database.changes(in: .table("t")).makeAsyncIterator()
        let (results, commits) = try await group((1...5).map { insert($0) })
        #expect(values(results) == Array(1...5))
        #expect(commits == 1)
        let change = try #require(await changes.next())
        #expect(change.rowIDs("t") == [1, 2, 3, 4, 5])
    }

    // MARK: - Errors

    @Test func aClosureThatThrowsIsRolledBackAlone() async throws {
        struct Failure: Error {}
        let failing: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.run("INSERT INTO t VALUES(100)")
                throw Failure()
            }
        }
        let duplicate = insert(1)
        let (results, commits) = try await group([insert(1), failing, insert(2), duplicate, insert(3)])
        #expect(values(results) == [1, nil, 2, nil, 3])
        #expect(throws: Failure.self) { try results[1].get() }
        #expect(error(results[3])?.extendedResultCode == .constraintPrimaryKey)
        #expect(try rows() == [1, 2, 3])
        #expect(commits == 1)
    }

    @Test func theFirstClosureThatThrowsKeepsNobodyFromWriting() async throws {
        struct Failure: Error {}
        let (results, commits) = try await group([
            { try await $0.write { _ in throw Failure() } }, insert(1), insert(2),
        ])
        #expect(values(results) == [nil, 1, 2])
        #expect(commits == 1)
    }

    /// Outside WAL mode, a reader keeps others from committing.
    @Test func aCommitThatFailsIsTheErrorOfEachClosure() async throws {
        let path = directory.file("journal.db")
        var configuration = Configuration.recommended
        (configuration.journalMode, configuration.busyTimeout, configuration.groupCommit) = (.delete, nil, true)
        let journal = try Database(path, configuration: configuration)
        journal.writer.longestGroup = .seconds(3600)
        try await journal.write { try $0.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)") }
        let reader = try Connection(storageLocation: .onDisk(path))
        try reader.execute("BEGIN; SELECT count(*) FROM t")
        let (results, _) = try await group((1...3).map { insert($0) }, in: journal)
        #expect(results.map { error($0)?.resultCode } == [.busy, .busy, .busy])
        try reader.execute("COMMIT")
        #expect(try rows(journal) == [])
    }

    @Test func openForeignKeysAreTheErrorOfTheirClosure() async throws {
        let dangling: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.run("INSERT INTO child VALUES(99)")
                return 99
            }
        }
        for order in [[insert(1), dangling, insert(2)], [dangling, insert(3), insert(4)]] {
            let (results, _) = try await group(order)
            for result in results {
                guard let error = error(result) else { continue }
                #expect(error.extendedResultCode == .constraintForeignKey)
                #expect(error.message == "FOREIGN KEY constraint failed")
            }
            #expect(results.count { (try? $0.get()) == nil } == 1)
        }
        #expect(try rows() == [1, 2, 3, 4])
        #expect(try await database.read { try $0.query("SELECT count(*) FROM child") } == 0)
    }

    /// SQLite ends the whole transaction. The others run again.
    @Test(arguments: [
        "INSERT OR ROLLBACK INTO t VALUES(1)", "ROLLBACK", "COMMIT", "END TRANSACTION",
        "SELECT RAISE(ROLLBACK, 'no')",
    ])
    func theOthersRunAgainWhenTheTransactionEnds(text: String) async throws {
        try await database.write {
            try $0.execute(
                """
                CREATE TABLE raising(a);
                CREATE TRIGGER raises BEFORE INSERT ON raising BEGIN SELECT RAISE(ROLLBACK, 'no'); END
                """)
        }
        let runs = Shared(0)
        let counted: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                runs.update { $0 += 1 }
                try connection.run("INSERT INTO t VALUES(1)")
                return 1
            }
        }
        let ending: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.run("INSERT INTO t VALUES(100)")
                try connection.execute(
                    SQL(raw: text.contains("RAISE") ? "INSERT INTO raising VALUES(1)" : text))
                return 100
            }
        }
        let (results, _) = try await group([counted, insert(2), ending, insert(3)])
        #expect(values(results) == [1, 2, nil, 3])
        #expect(try rows() == [1, 2, 3])
        #expect(runs.value == 2)
    }

    @Test func aClosureThatHidesTheEndOfTheTransactionThrows() async throws {
        let hiding: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.run("INSERT INTO t VALUES(100)")
                _ = try? connection.execute("COMMIT")
                return 100
            }
        }
        let (results, _) = try await group([insert(1), hiding, insert(2)])
        #expect(values(results) == [1, nil, 2])
        #expect(error(results[1])?.extendedResultCode == .transactionLost)
        #expect(try rows() == [1, 2])
    }

    @Test func aClosureThatReleasesTheSavepointOfTheGroupLosesOnlyItsWork() async throws {
        let releasing: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.run("INSERT INTO t VALUES(100)")
                try connection.run("RELEASE squall_group")
                return 100
            }
        }
        let (results, _) = try await group([insert(1), releasing, insert(2)])
        #expect(values(results) == [1, nil, 2])
        #expect(try rows() == [1, 2])
    }

    @Test func aCommitHookThatCanRefuseKeepsWritesApart() async throws {
        let token = database.addCommitObserver { false }
        let (results, commits) = try await group([insert(1), insert(2), insert(3)])
        token.cancel()
        #expect(values(results) == [1, 2, 3])
        #expect(commits == 3)
    }

    @Test func settingsOfAClosureEndTheGroup() async throws {
        let setting: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.execute("PRAGMA recursive_triggers = 0")
                return 2
            }
        }
        let check: @Sendable (Database) async throws -> Int = { database in
            try await database.write { try $0.query("PRAGMA recursive_triggers") }
        }
        let (results, _) = try await group([insert(1), setting, check])
        #expect(values(results) == [1, 2, 1])
    }

    @Test func statementsThatAreLeftOnARowEnd() async throws {
        try await database.write { try $0.execute("INSERT INTO t VALUES(1), (2)") }
        let leaving: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                var rows = try connection.rows("SELECT a FROM t")
                _ = try rows.next()
                return 1
            }
        }
        let (results, _) = try await group([insert(3), leaving, insert(4)])
        #expect(values(results) == [3, 1, 4])
        #expect(try rows() == [1, 2, 3, 4])
    }

    // MARK: - Ends

    @Test func aCancelledTaskLosesItsWorkAlone() async throws {
        let isIn = Gate()
        let endless: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.run("INSERT INTO t VALUES(100)")
                isIn.open()
                return try connection.query(
                    "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
            }
        }
        let cancelled = Shared<Task<Int, any Error>?>(nil)
        let wrapper: @Sendable (Database) async throws -> Int = { database in
            let task = Task { try await endless(database) }
            cancelled.update { $0 = task }
            return try await task.value
        }
        let canceller = Task {
            await isIn.passed()
            cancelled.value?.cancel()
        }
        let (results, _) = try await group([insert(1), wrapper, insert(2)])
        await canceller.value
        #expect(values(results) == [1, nil, 2])
        #expect(throws: CancellationError.self) { try results[1].get() }
        #expect(try rows() == [1, 2])
    }

    @Test func aDeadlineLosesItsWorkAlone() async throws {
        let late: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.run("INSERT INTO t VALUES(100)")
                // Not the deadline of the call, which may pass while it waits.
                try connection.withDeadline(.milliseconds(20)) {
                    try connection.run(
                        """
                        INSERT INTO t WITH n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n
                        """)
                }
                return 100
            }
        }
        let (results, _) = try await group([insert(1), late, insert(2)])
        #expect(values(results) == [1, nil, 2])
        #expect(error(results[1])?.resultCode == .interrupt)
        #expect(try rows() == [1, 2])
    }

    /// The writer is as before when SQLite has ended the transaction of a group.
    @Test func laterWritesWorkAfterAGroupIsUndone() async throws {
        let ending: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.execute("ROLLBACK")
                return 0
            }
        }
        let (results, _) = try await group([insert(1), ending])
        #expect(values(results) == [1, nil])
        try await database.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(2)") }
        try await database.writeWithoutTransaction { connection in
            try connection.transaction { try connection.run("INSERT INTO t VALUES(3)") }
        }
        #expect(try rows() == [1, 2, 3])
    }

    /// A caller that leaves the line is either refused or joins: the group goes on.
    @Test func deadlinesThatPassWhileAGroupFormsLeaveNothingHanging() throws {
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE u(a)") }
        var joined = 0
        for round in 0..<2000 {
            let (isIn, hasEnded) = (Gate(), Shared(false))
            let holder = ThreadResult { [database] in
                try database.blocking.write { connection in
                    isIn.open()
                    // Without a pause: the deadline is near.
                    while database.statistics.waitingWrites == 0, !hasEnded.value {}
                    try connection.run("INSERT INTO u VALUES(1)")
                }
            }
            isIn.wait()
            let deadline = Duration.microseconds(round % 200)
            do {
                try database.blocking.write(deadline: deadline) { try $0.run("INSERT INTO u VALUES(2)") }
                joined += 1
            } catch let error as SQLiteError {
                #expect(error.resultCode == .interrupt)
            }
            hasEnded.update { $0 = true }
            try holder.get()
        }
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM u") } == 2000 + joined)
    }

    @Test func closingWaitsForTheGroup() async throws {
        let results = try await group([insert(1), insert(2)]).results
        #expect(values(results) == [1, 2])
        try await database.close()
        #expect(try Connection(path).query("SELECT count(*) FROM t") == 2)
    }

    @Test func nestedWritesBelongToTheirClosure() async throws {
        let nested: @Sendable (Database) async throws -> Int = { database in
            try await database.write { _ in try GroupCommitTests.insertNested(2, into: database) }
        }
        let (results, commits) = try await group([insert(1), nested, insert(3)])
        #expect(values(results) == [1, 2, 3])
        #expect(commits == 1)
    }

    private static func insertNested(_ number: Int, into database: Database) throws -> Int {
        try database.blocking.write { connection in
            try connection.run("INSERT INTO t VALUES(?)", number)
            return number
        }
    }

    @Test func databasesInMemoryGroupToo() async throws {
        var configuration = Configuration.recommended
        configuration.groupCommit = true
        let memory = try Database(":memory:", configuration: configuration)
        try await memory.write { try $0.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)") }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 1...100 {
                tasks.addTask { try await memory.write { try $0.run("INSERT INTO t VALUES(?)", number) } }
            }
            try await tasks.waitForAll()
        }
        #expect(try await memory.read { try $0.query("SELECT count(*) FROM t") } == 100)
    }

    /// In a group that is undone, it runs again, with the rest of its time.
    @Test(arguments: [false, true]) func aWriteWithADeadlineJoins(isUndone: Bool) async throws {
        let limited: @Sendable (Database) async throws -> Int = { database in
            try await database.write(deadline: .seconds(3600)) { connection in
                try connection.run("INSERT INTO t VALUES(1)")
                return 1
            }
        }
        let ending: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.execute("ROLLBACK")
                return 2
            }
        }
        let (results, _) = try await group([limited, isUndone ? ending : insert(2)])
        #expect(values(results) == [1, isUndone ? nil : 2])
        #expect(try rows() == (isUndone ? [1] : [1, 2]))
    }

    /// The commit does not run inside the transaction of the other database.
    @Test func aGroupEndsOnAThreadInsideAnotherDatabase() async throws {
        let other = try Database(directory.file("other.db"))
        let thread = Shared<ThreadResult<Void>?>(nil)
        let (results, commits) = try await group([
            insert(1),
            { database in
                let result = ThreadResult {
                    try other.blocking.write { _ in
                        try database.blocking.write { try $0.run("INSERT INTO t VALUES(2)") }
                        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM t") } == 2)
                    }
                }
                thread.update { $0 = result }
                return 2
            },
        ])
        try thread.value?.get()
        #expect(values(results) == [1, 2])
        #expect(try rows() == [1, 2])
        #expect(commits == 1)
    }

    /// The commit is in a file that no other program finds any more: no caller is told that its work is kept.
    @Test func aFileThatIsMovedDuringAGroupIsTheErrorOfEachClosure() async throws {
        let path = path
        let moving: @Sendable (Database) async throws -> Int = { database in
            try await database.write { connection in
                try connection.run("INSERT INTO t VALUES(2)")
                try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
                // The file is looked for once in a tick.
                let tick = CoarseClock.now
                until { CoarseClock.now > tick }
                return 2
            }
        }
        let (results, _) = try await group([insert(1), moving, insert(3)])
        for result in results { #expect(error(result)?.extendedResultCode == .fileMoved, "\(result)") }
    }
}

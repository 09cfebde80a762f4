import Foundation
import Squall
import SquallTestSupport
import Testing

/// 10,000 reads and writes, cancelled at random moments.
@Suite(.timeLimit(.minutes(10)))
struct RandomCancellationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// What a call waits for in its closure: a call that is held is cancelled there.
    private struct Hold: Sendable {
        let isIn = Gate()
        let wasCancelled = Gate()

        func pass() {
            isIn.open()
            wasCancelled.wait()
        }
    }

    private struct Tally: Sendable {
        var calls = 0
        var cancelled = 0
        var lost: [Int] = []
    }

    private static let work: SQL =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT count(*) FROM n"

    @Test(arguments: [true, false]) func cancellingAtRandomLosesNothing(isInFile: Bool) async throws {
        let database = try isInFile ? Database(directory.file("app.db")) : Database()
        try await database.write { try $0.execute("CREATE TABLE t(id INTEGER, part INTEGER)") }
        let tally = Shared(Tally())
        let seed = TestSeed.of()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var random = seed.generator(worker)
                    for call in 0..<625 {
                        let id = worker * 10_000 + call
                        let isWrite = call % 2 == 0
                        // A third, so that some are cancelled on any machine. The others end when they like.
                        let hold = call % 3 == 0 ? Hold() : nil
                        let task = Task {
                            isWrite ? try await Self.write(id, to: database, hold) : try await Self.read(database, hold)
                        }
                        if let hold {
                            await hold.isIn.passed()
                        } else {
                            for _ in 0..<Int.random(in: 0..<400, using: &random) { await Task.yield() }
                        }
                        task.cancel()
                        hold?.wasCancelled.open()
                        let result = await task.result
                        await Self.check(result, id: isWrite ? id : nil, in: database, tally)
                    }
                }
            }
        }
        let end = tally.value
        #expect(end.lost == [])
        #expect(end.calls == 5000)
        #expect(end.cancelled * 100 >= end.calls * 33, "\(end.cancelled) of \(end.calls) were cancelled")
        print("cancelled at random: \(end.cancelled) of \(end.calls)")
        let statistics = database.statistics
        #expect(statistics.busyReaders == 0)
        #expect(!statistics.isWriterBusy)
        #expect(statistics.waitingReads + statistics.waitingWrites == 0)
        #expect(try await database.writeWithoutTransaction { $0.isInTransaction } == false)
        #expect(try await database.write { try $0.query("PRAGMA integrity_check") as String } == "ok")
        try await database.close()
    }

    private static func write(_ id: Int, to database: Database, _ hold: Hold?) async throws {
        try await database.write { connection in
            try connection.run("INSERT INTO t VALUES(?, 1)", id)
            hold?.pass()
            let statement = try connection.prepare("SELECT * FROM t")
            try statement.step()
            let _: Int = try connection.query(work)
            try connection.run("INSERT INTO t VALUES(?, 2)", id)
        }
    }

    private static func read(_ database: Database, _ hold: Hold?) async throws {
        let count: Int = try await database.read { connection in
            hold?.pass()
            return try connection.query(work)
        }
        #expect(count == 1500)
    }

    /// Nobody else's interrupt reaches this, and what was cancelled has written nothing.
    private static func check(
        _ result: Result<Void, any Error>, id: Int?, in database: Database, _ tally: Shared<Tally>
    ) async {
        let isDone: Bool
        switch result {
        case .success: isDone = true
        case .failure(is CancellationError): isDone = false
        case .failure(let error):
            Issue.record("\(error)")
            return
        }
        tally.update {
            $0.calls += 1
            if !isDone { $0.cancelled += 1 }
        }
        guard let id else { return }
        do {
            let count: Int = try await database.read { try $0.query("SELECT count(*) FROM t WHERE id = ?", id) }
            if count != (isDone ? 2 : 0) { tally.update { $0.lost.append(id) } }
        } catch {
            Issue.record("an uncancelled read: \(error)")
        }
    }
}

import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// Groups beside failing, cancelled and isolated writes, and processes that are killed.
@Suite(.timeLimit(.minutes(10)))
struct GroupCommitRaceTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    private static func kind(of id: Int) -> Int { (id / 1000 * 7 + id % 1000 * 13) % 12 }

    /// Each task transfers money between accounts. Some throw, some are cancelled, some end the whole transaction.
    @Test func nothingIsLostAndNothingIsDoneTwice() async throws {
        var configuration = Configuration.recommended
        configuration.groupCommit = true
        let database = try Database(path, configuration: configuration)
        try await database.write {
            try $0.execute(
                """
                CREATE TABLE account(id INTEGER PRIMARY KEY, money INTEGER NOT NULL);
                INSERT INTO account VALUES(1, 0), (2, 0);
                CREATE TABLE transfer(id INTEGER PRIMARY KEY)
                """)
        }
        struct Failure: Error {}
        let acknowledged = Shared<[Int]>([])
        await withTaskGroup(of: Void.self) { tasks in
            for worker in 0..<16 {
                tasks.addTask {
                    for step in 0..<60 {
                        let id = worker * 1000 + step
                        let kind = Self.kind(of: id)
                        let task = Task {
                            try await database.write(isolated: kind == 5) { connection in
                                try connection.run("UPDATE account SET money = money - 1 WHERE id = 1")
                                if kind == 0 { throw Failure() }
                                try connection.run("INSERT INTO transfer VALUES(?)", id)
                                if kind == 1 { try connection.run("INSERT OR ROLLBACK INTO account VALUES(1, 0)") }
                                if kind == 2 { try connection.execute("COMMIT") }
                                try connection.run("UPDATE account SET money = money + 1 WHERE id = 2")
                            }
                        }
                        if kind == 3 { task.cancel() }
                        if case .success = await task.result { acknowledged.update { $0.append(id) } }
                    }
                }
            }
            // A thread among the tasks.
            tasks.addTask {
                await until { acknowledged.value.count > 100 }
                for id in 100_000..<100_020 {
                    let isDone = Gate()
                    Thread.detachNewThread {
                        let result = Result {
                            try database.blocking.write { connection in
                                try connection.run("INSERT INTO transfer VALUES(?)", id)
                                try connection.run("UPDATE account SET money = money - 1 WHERE id = 1")
                                try connection.run("UPDATE account SET money = money + 1 WHERE id = 2")
                            }
                        }
                        if case .success = result { acknowledged.update { $0.append(id) } }
                        isDone.open()
                    }
                    await isDone.passed()
                }
            }
        }
        let ids: [Int] = try await database.read { try $0.query("SELECT id FROM transfer ORDER BY id") }
        // A closure that commits by hand, without the work of others in its transaction, is committed and throws.
        let manual = ids.filter { $0 < 16_000 && Self.kind(of: $0) == 2 }
        #expect(Set(ids).subtracting(manual) == Set(acknowledged.value))
        #expect(acknowledged.value.count > 500)
        let money: [Int] = try await database.read { try $0.query("SELECT money FROM account ORDER BY id") }
        let expected: [Int] = [-ids.count, ids.count - manual.count]
        #expect(money == expected)
        #expect(try await database.read { try $0.query("PRAGMA integrity_check") } == "ok")
    }

    @Test func aProcessThatIsKilledLosesNothingThatItHasAcknowledged() throws {
        try Connection(path).execute("CREATE TABLE t(id INTEGER PRIMARY KEY, task INTEGER)")
        var acknowledged: Set<Int> = []
        for round in 0..<15 {
            let process = try TestProcess(["group", path, "\(round)"])
            var output = process.firstOutput()
            while output.split(separator: "\n").count < 2 + round % 4 { output += process.firstOutput() }
            process.kill()
            output += try process.end().output
            // The last line may be torn.
            acknowledged.formUnion(output.split(separator: "\n").dropLast().compactMap { Int($0) })
        }
        let connection = try Connection(path)
        let found: [Int] = try connection.query("SELECT id FROM t")
        #expect(acknowledged.count > 15)
        #expect(acknowledged.isSubset(of: found))
        // Each closure inserts two rows.
        #expect(
            try connection.query("SELECT count(*) FROM (SELECT 1 FROM t GROUP BY id / 2 HAVING count(*) <> 2)") == 0)
        #expect(try connection.query("PRAGMA integrity_check") == "ok")
    }
}

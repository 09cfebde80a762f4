import Foundation
import Squall
import SquallTestSupport
import Testing

/// `Database.backup(to:)` whose loop is left, and whose task is cancelled.
@Suite(.timeLimit(.minutes(10)))
struct BackupCancellationTests {
    private let directory: TemporaryDirectory
    private let copy: String

    init() throws {
        directory = try TemporaryDirectory()
        copy = directory.file("copy.db")
    }

    private func open() throws -> Database {
        let database = try Database(directory.file("app.db"))
        try database.blocking.write { connection in
            try connection.execute("CREATE TABLE t(a)")
            for _ in 0..<50 { try connection.run("INSERT INTO t VALUES(randomblob(3000))") }
        }
        return database
    }

    private func rows(in path: String) throws -> Int {
        let connection = try Connection(path, mode: .existing, configuration: .sqlite)
        #expect(try connection.quickCheck() == [])
        return try connection.query("SELECT count(*) FROM t")
    }

    private var copyExists: Bool { FileManager.default.fileExists(atPath: copy) }

    @Test func leavingTheLoopAndCancellingLeaveNoFile() async throws {
        let database = try open()
        for try await progress in database.backup(to: copy, pagesPerStep: 10) {
            #expect(progress.remaining > 0)
            break
        }
        #expect(!copyExists)
        let isRunning = Gate()
        let task = Task { [copy] in
            for try await _ in database.backup(to: copy, pagesPerStep: 1) {
                isRunning.open()
                await until { Task.isCancelled }
            }
        }
        await isRunning.passed()
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(!copyExists)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try database.blocking.backup(to: copy, pagesPerStep: 10) { _ in throw Stop() }
        }
        #expect(!copyExists)
    }

    @Test func aCancellationAfterTheLastPageComesTooLate() async throws {
        let database = try open()
        let task = Task<Void, any Error> { [copy] in
            var iterator = database.backup(to: copy, pagesPerStep: -1).makeAsyncIterator()
            let last = try await iterator.next()
            #expect(last?.remaining == 0)
            withUnsafeCurrentTask { $0?.cancel() }
            let end = try await iterator.next()
            #expect(end == nil)
        }
        try await task.value
        #expect(try rows(in: copy) == 50)
    }
}

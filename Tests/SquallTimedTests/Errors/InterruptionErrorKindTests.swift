import Foundation
import Squall
import SquallTestSupport
import Testing

/// The kinds of the errors of work that was interrupted, and of files that changed under a pool.
@Suite(.timeLimit(.minutes(10)))
struct InterruptionErrorKindTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let database: Database
    private let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.db")
        database = try Database(path)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a INTEGER PRIMARY KEY); INSERT INTO t VALUES(1)") }
    }

    @Test func aDeadlineATimeLimitAndAnInterruptDiffer() throws {
        let plain = try Connection()
        var configuration = Configuration.sqlite
        configuration.timeLimit = .milliseconds(5)
        let limited = try Connection(":memory:", configuration: configuration)
        let handled = try Connection()
        try handled.progressHandler(every: 100) { .interrupt }
        let attempts: [(SQLiteError.InterruptionReason, () throws -> Void)] = [
            (.deadline, { try plain.withDeadline(.milliseconds(5)) { try plain.run(endless) } }),
            (.deadline, { try plain.withDeadline(.zero) { try plain.run("SELECT 1") } }),
            (.timeLimit(.milliseconds(5)), { try limited.run(endless) }),
            (.request, { try plain.forEach("SELECT 1 UNION ALL SELECT 2") { (_) throws in plain.interrupt() } }),
            (.request, { try handled.run(endless) }),
        ]
        for (reason, attempt) in attempts {
            let error = try sqliteError(attempt)
            #expect(error.kind == .interrupted(reason))
            #expect(ResultCode.interrupt ~= error)
        }
    }

    @Test func aWaitForALockEndsAtTheDeadline() throws {
        let (holder, other) = (try Connection(directory.file("b.db")), try Connection(directory.file("b.db")))
        try holder.run("CREATE TABLE t(a)")
        try other.busyHandler(.timeout(60))
        try holder.transaction(transactionType: .immediate) {
            let kind = try errorKind {
                try other.withDeadline(.milliseconds(5)) { try other.run("INSERT INTO t VALUES(1)") }
            }
            #expect(kind == .interrupted(.deadline))
        }
    }

    @Test func aDeadlineBeforeAConnectionIsFreeIsOne() throws {
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult { [database] in
            try database.blocking.writeWithoutTransaction { _ in
                isIn.open()
                gate.wait()
            }
        }
        isIn.wait()
        let kind = try errorKind { try database.blocking.writeWithoutTransaction(deadline: .milliseconds(5)) { _ in } }
        #expect(kind == .interrupted(.deadline))
        gate.open()
        try holder.get()
    }

    @Test func aCancelledTaskIsNamedInsideItsClosure() async throws {
        let kinds = Shared<[SQLiteError.Kind]>([])
        let isIn = Shared(false)
        let task = Task { [database, endless] in
            try await database.read { connection in
                isIn.update { $0 = true }
                do {
                    try connection.run(endless)
                } catch let error as SQLiteError {
                    kinds.update { $0.append(error.kind) }
                    throw error
                }
            }
        }
        await until { isIn.value }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(kinds.value == [.interrupted(.cancellation)])
    }

    @Test(arguments: [true, false]) func aMovedFileAndAReplacedFileDiffer(isReplaced: Bool) throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path))
        let error = try pool.execute { _ in
            try FileManager.default.removeItem(atPath: path)
            if isReplaced { try Connection(path).run("CREATE TABLE t(a)") }
            return try ThreadResult { try sqliteError { try pool.execute { _ in } } }.get()
        }
        #expect(
            error.kind
                == (isReplaced
                    ? .problem(FileProblem.replaced, of: .file(path)) : .problem(FileProblem.moved, of: .file(path))))
        #expect(error.extendedResultCode == .fileMoved)
    }
}

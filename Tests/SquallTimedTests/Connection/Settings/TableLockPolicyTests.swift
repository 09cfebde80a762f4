import Foundation
import SquallTestSupport
import Testing

@testable import Squall

@Suite(.timeLimit(.minutes(10)))
struct TableLockPolicyTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("shared.db")
    }

    private func open(_ policy: TableLockPolicy) throws -> Connection {
        try Connection(storageLocation: .onDisk(path), tableLockPolicy: policy, sharedCache: true)
    }

    @Test func fastFailThrowsAtOnce() throws {
        let writer = try open(.fastFail)
        try writer.execute("CREATE TABLE t(a)")
        let reader = try open(.fastFail)
        try writer.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES(1)")
        let error = try sqliteError { let _: Int = try reader.query("SELECT count(*) FROM t") }
        #expect(error.resultCode == .locked)
        #expect(error.extendedResultCode == .lockedSharedCache)
        try writer.execute("COMMIT")
        #expect(try reader.query("SELECT count(*) FROM t") == 1)
    }

    /// The writer commits when the reader has begun its statement, which then most probably finds the table locked.
    @Test(arguments: [0.001, 1.0 / 3000, 0, -1]) func pollingWaitsForTheOtherConnection(interval: TimeInterval) throws {
        let writer = try open(.fastFail)
        try writer.execute("CREATE TABLE t(a); BEGIN IMMEDIATE; INSERT INTO t VALUES(1)")
        let isAboutToRead = DispatchSemaphore(value: 0)
        let path = path
        let thread = ThreadResult {
            let reader = try Connection(
                storageLocation: .onDisk(path), tableLockPolicy: .poll(interval), sharedCache: true
            )
            try reader.run("SELECT 1")
            reader.addTraceObserver(mask: Connection.TraceEvent.statementMask) { _ in isAboutToRead.signal() }
            return try reader.query("SELECT count(*) FROM t") as Int
        }
        isAboutToRead.wait()
        try writer.execute("COMMIT")
        #expect(try thread.get() == 1)
    }

    /// A read of the table waits when it runs; with a table being created, it waits when it is prepared.
    @Test(arguments: ["INSERT INTO t VALUES(1)", "CREATE TABLE u(a)"] as [SQL])
    func aDeadlineAndACancellationEndTheWait(_ change: SQL) throws {
        let writer = try open(.fastFail)
        try writer.execute("CREATE TABLE t(a)")
        let reader = try open(.poll(60))
        try reader.run("SELECT * FROM t")
        try writer.run("BEGIN IMMEDIATE")
        try writer.execute(change)
        let late = try errorKind {
            try reader.withDeadline(.milliseconds(20)) { try reader.run("SELECT count(*) FROM t") }
        }
        #expect(late == .interrupted(.deadline))
        let cancellation = Cancellation()
        let isAboutToRead = DispatchSemaphore(value: 0)
        let canceller = ThreadResult {
            isAboutToRead.wait()
            cancellation.cancel()
        }
        let cancelled = try errorKind {
            try reader.withCancellation(cancellation) {
                isAboutToRead.signal()
                try reader.run("SELECT max(a) FROM t")
            }
        }
        #expect(cancelled == .interrupted(.cancellation))
        try canceller.get()
        try writer.execute("COMMIT")
        try reader.run("SELECT count(*) FROM t")
    }

    @Test func sqiftDefect12ALockOfItsOwnIsThrownAtOnce() throws {
        let connection = try open(.poll(0.01))
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)")
        let error = try sqliteError {
            try connection.forEach("SELECT a FROM t") { _ in try connection.execute("DROP TABLE t") }
        }
        #expect(error.resultCode == .locked)
        #expect(TableLockPolicy.longestWait == 60)
    }
}

import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// Work of a connection that another thread, or a deadline, ends.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionInterruptionTests {
    private let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    @Test func aWaitForALockIsCancelled() throws {
        let directory = try TemporaryDirectory()
        let holder = try Connection(storageLocation: .onDisk(directory.file("busy.db")))
        try holder.execute("CREATE TABLE t(a); BEGIN IMMEDIATE")
        let cancellation = Cancellation()
        let path = directory.file("busy.db")
        let isAboutToWait = DispatchSemaphore(value: 0)
        let waiter = ThreadResult {
            let connection = try Connection(storageLocation: .onDisk(path))
            try connection.busyHandler(.timeout(3600))
            return try sqliteError {
                try connection.withCancellation(cancellation) {
                    isAboutToWait.signal()
                    try connection.run("INSERT INTO t VALUES(1)")
                }
            }.message
        }
        isAboutToWait.wait()
        cancellation.cancel()
        #expect(try waiter.get() == "interrupted: the work was cancelled")
    }

    @Test func aDeadlineBesideTheCancellationCounts() throws {
        let connection = try Connection()
        let error = try sqliteError {
            try connection.withCancellation(Cancellation(deadline: Deadline(after: .milliseconds(20)))) {
                let _: Int = try connection.query(endless)
            }
        }
        #expect(error.message == "interrupted: the deadline has passed")
    }

    @Test func anInterruptHandleEndsAStatementFromAnotherThread() throws {
        let connection = try Connection()
        let isRunning = Gate()
        try connection.addFunction("started") { () -> Int in
            isRunning.open()
            return 1
        }
        let handle = connection.interruptHandle
        let other = ThreadResult {
            isRunning.wait()
            handle.interrupt()
        }
        let error = try sqliteError { let _: Int = try connection.query("SELECT started() + (\(endless))") }
        #expect(error.resultCode == .interrupt)
        try other.get()
        #expect(try connection.query("SELECT 2") == 2)
        #expect(connection.interruptHandle === handle)
    }
}

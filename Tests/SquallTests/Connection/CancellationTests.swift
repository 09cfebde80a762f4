import Foundation
import SquallTestSupport
import Testing

@testable import Squall

struct CancellationTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a)")
    }

    private let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    @Test func workThatIsCancelledBeforeItBeginsRunsNothing() throws {
        let cancellation = Cancellation()
        cancellation.cancel()
        let error = try sqliteError {
            try connection.withCancellation(cancellation) {
                try connection.run("INSERT INTO t VALUES(1)")
            }
        }
        #expect(error.resultCode == .interrupt)
        #expect(error.message == "interrupted: the work was cancelled")
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
    }

    /// SQLite clears an interrupt that arrives as a statement begins. Here, a lost one does not arrive at all.
    @Test(arguments: [false, true])
    func aStatementThatRunsIsInterruptedAndTheNextUserIsNot(losesInterrupt: Bool) throws {
        let cancellation = Cancellation()
        try connection.addFunction("cancel") { () -> Int in
            cancellation.cancel()
            return 1
        }
        let error = try sqliteError {
            try connection.withCancellation(cancellation) {
                if losesInterrupt { cancellation.run(on: nil) }
                let _: Int = try connection.query("SELECT cancel() + (\(endless))")
            }
        }
        #expect(error.message == "interrupted: the work was cancelled")
        #expect(try connection.query("SELECT 2") == 2)
    }

    /// SQLite's interrupt is in effect as long as any statement runs.
    @Test func aStatementThatWasLeftOnARowDoesNotCarryTheInterruptOn() throws {
        try connection.execute("INSERT INTO t VALUES(1), (2)")
        let cancellation = Cancellation()
        let left = try connection.prepare("SELECT a FROM t")
        #expect(throws: SQLiteError.self) {
            try connection.withCancellation(cancellation) {
                try left.step()
                cancellation.cancel()
                try connection.run("INSERT INTO t VALUES(3)")
            }
        }
        #expect(!left.isBusy)
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
    }

    @Test func aCancellationAfterTheWorkInterruptsNothing() throws {
        let cancellation = Cancellation()
        try connection.withCancellation(cancellation) { try connection.run("INSERT INTO t VALUES(1)") }
        cancellation.cancel()
        #expect(try connection.query("SELECT count(*) FROM t") == 1)
    }

    @Test func closingTheConnectionInTheWorkLeavesNothingToInterrupt() throws {
        let cancellation = Cancellation()
        try connection.withCancellation(cancellation) {
            connection.close()
            cancellation.cancel()
        }
        #expect(connection.isClosed)
    }

    /// The work that was begun first is cancelled as soon as the other has ended.
    @Test func twoWorksInsideAnotherOne() {
        let parent = Cancellation()
        let (first, second) = (Cancellation(parent: parent), Cancellation(parent: parent))
        parent.cancel()
        #expect(second.isCancelled && !first.isCancelled)
        second.end()
        #expect(first.isCancelled)
        first.end()
        let (third, fourth) = (Cancellation(), Cancellation())
        let (inner, other) = (Cancellation(parent: third), Cancellation(parent: third))
        other.end()
        third.cancel()
        #expect(inner.isCancelled && !other.isCancelled && !fourth.isCancelled)
        inner.end()
    }
}

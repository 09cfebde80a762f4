import Squall
import Testing

struct InterruptHandleTests {
    private static let endless: SQL =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    @Test func doesNothingAfterTheConnectionWasClosed() throws {
        let connection = try Connection()
        let handle = connection.interruptHandle
        connection.close()
        handle.interrupt()
        connection.interruptHandle.interrupt()
        let kept: InterruptHandle
        do {
            let gone = try Connection()
            kept = gone.interruptHandle
        }
        kept.interrupt()
    }

    /// Steps over two rows, and interrupts in between.
    private func rows(of connection: Connection, interruptedBy handle: InterruptHandle) throws -> Int {
        let statement = try connection.prepare("SELECT 1 UNION ALL SELECT 2")
        guard try statement.step() else { return 0 }
        handle.interrupt()
        return try statement.step() ? 2 : 1
    }

    @Test func ofALentConnectionReachesOnlyTheClosureThatItIsFrom() throws {
        let database = try Database()
        let first = try database.blocking.writeWithoutTransaction { connection in
            let handle = connection.interruptHandle
            #expect(throws: SQLiteError.self) { try rows(of: connection, interruptedBy: handle) }
            return handle
        }
        try database.blocking.writeWithoutTransaction { connection throws in
            #expect(try rows(of: connection, interruptedBy: first) == 2)
            #expect(connection.interruptHandle !== first)
        }
    }

    @Test func ofAConnectionThatWasKeptDoesNothing() throws {
        let database = try Database()
        var kept: Connection?
        try database.blocking.writeWithoutTransaction { kept = $0 }
        let handle = try #require(kept).interruptHandle
        try database.blocking.writeWithoutTransaction { connection throws in
            #expect(try rows(of: connection, interruptedBy: handle) == 2)
        }
    }
}

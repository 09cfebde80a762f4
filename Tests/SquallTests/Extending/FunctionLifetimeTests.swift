import Foundation
import Squall
import SquallTestSupport
import Testing

/// Functions that close their connection; `CallTests` has all other code that SQLite calls.
struct FunctionLifetimeTests {
    /// SQLite deletes the log when the last connection of the file is closed.
    @Test(arguments: [true, false]) func aConnectionThatAFunctionClosesIsClosedWhenTheStatementHasEnded(isOwn: Bool)
        throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.file("closed.db")
        let connection = try Connection(path)
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        try connection.addFunction("closes") { [unowned connection] (number: Int) in
            connection.close()
            return number
        }
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        if isOwn {
            _ = try? connection.prepare("SELECT closes(a) FROM t").query() as Int?
        } else {
            _ = try? connection.query("SELECT closes(a) FROM t") as Int?
        }
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(connection.isClosed)
    }

    /// SQLite takes these codes for orders of its own: to prepare anew, and to wait for a table.
    @Test(arguments: [17, 262] as [Int32]) func aCodeThatWouldMakeSQLiteTryAgainIsNone(code: Int32) throws {
        let connection = try Connection(storageLocation: .inMemory, tableLockPolicy: .poll(0.001))
        var calls = 0
        try connection.addFunction("f") { () -> Int in
            calls += 1
            throw SQLiteError(code: code, message: "no")
        }
        let error = try sqliteError { let _: Int = try connection.query("SELECT f()") }
        #expect((error.extendedCode, error.message) == (1, "no"))
        #expect(calls == 1)
    }
}

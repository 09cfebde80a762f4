import Foundation
import Squall
import SquallTestSupport
import Testing

/// Statements whose own functions use transactions.
struct UndoneStatementTests {
    private static func connection() throws -> Connection {
        let connection = try Connection()
        try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES(1, 1), (2, 2)")
        return connection
    }

    /// Adds a function that rolls back at its first call.
    private static func addRollback(named name: String, to connection: Connection) throws {
        var isFirst = true
        try connection.addFunction(name) { [unowned connection] (number: Int) -> Int in
            defer { isFirst = false }
            if isFirst { try connection.execute("ROLLBACK") }
            return number
        }
    }

    @Test(arguments: ["UPDATE t SET a = f(a)", "INSERT INTO t(a) VALUES(f(1))", "DELETE FROM t WHERE f(a) > 0"])
    func aRollbackInItsFunctionEndsIt(sql: String) throws {
        let connection = try Self.connection()
        try Self.addRollback(named: "f", to: connection)
        try connection.execute("BEGIN; CREATE TABLE made(a)")
        let error = try sqliteError { try connection.execute(SQL(raw: sql)) }
        #expect(error.extendedResultCode == .transactionLost)
        #expect(!connection.isInTransaction)
        #expect(try connection.query("SELECT group_concat(a) FROM t") == "1,2")
        // The next statement is not affected.
        try connection.execute(SQL(raw: sql))
    }

    @Test func aQueryAroundItGoesOn() throws {
        let connection = try Self.connection()
        try Self.addRollback(named: "undo", to: connection)
        var code: ResultCode?
        try connection.addFunction("write") { [unowned connection] (number: Int) -> Int in
            if number == 1 {
                try connection.execute("BEGIN")
                code = try sqliteError { try connection.run("UPDATE t SET a = undo(a)") }.extendedResultCode
            }
            return number
        }
        let numbers: [Int] = try connection.query("SELECT write(a) FROM t")
        #expect(numbers == [1, 2] && code == .transactionLost)
    }

    @Test func aCollationOfAWriteCannotUseTransactions() throws {
        let connection = try Self.connection()
        var codes: [ResultCode] = []
        try connection.addCollation("c") { [unowned connection] (left: String, right: String) in
            for sql in ["BEGIN", "SAVEPOINT s", "ROLLBACK", "ROLLBACK TO s"] as [SQL] {
                do { try connection.run(sql) } catch let error as SQLiteError { codes.append(error.resultCode) } catch {
                }
            }
            return left.compare(right)
        }
        try connection.execute("CREATE TABLE u(a UNIQUE COLLATE c); INSERT INTO u VALUES('a')")
        codes = []
        try connection.execute("BEGIN; INSERT INTO u VALUES('b'); COMMIT")
        #expect(!codes.isEmpty && codes.allSatisfy { $0 == .locked })
        #expect(try connection.query("SELECT count(*) FROM u") == 2)
    }

    /// The read would begin a transaction that cannot be committed before the end of the statement, whose rows would be lost.
    @Test func aReadInAFunctionOfAWriteOutsideATransaction() throws {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction { connection in
            try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
            try connection.addFunction("counted") { [unowned database] () -> Int in
                try database.blocking.read { try $0.query("SELECT count(*) FROM t") }
            }
            try connection.run("INSERT INTO t VALUES(counted())")
            #expect(!connection.isInTransaction)
            try connection.transaction { try connection.run("INSERT INTO t VALUES(counted())") }
        }
        #expect(try database.blocking.read { try $0.query("SELECT group_concat(a) FROM t") } == "1,1,2")
    }
}

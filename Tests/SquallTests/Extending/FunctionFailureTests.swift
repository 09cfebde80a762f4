import Foundation
import Squall
import SquallSQLite
import SquallTestSupport
import Testing

/// Functions that throw, and functions that work on their own connection.
struct FunctionFailureTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE t(a INTEGER); INSERT INTO t VALUES(1), (2), (3)")
    }

    private struct Refusal: Error, CustomStringConvertible {
        let description = "not today: ünïcode"
    }

    private struct LocalizedRefusal: LocalizedError {
        let errorDescription: String? = "not here"
    }

    @Test func whatAFunctionThrowsIsTheErrorOfTheStatement() throws {
        try connection.addFunction("f") { (_: Int) -> Int in throw Refusal() }
        let error = try sqliteError { try connection.run("SELECT f(a) FROM t") }
        #expect(error.message == "not today: ünïcode")
        #expect(error.resultCode == .error)
        try connection.addFunction("g") { () -> Int in throw LocalizedRefusal() }
        #expect(try sqliteError { try connection.run("SELECT g()") }.message == "not here")
        try connection.addFunction("h") { () -> Int in throw SQLiteError(code: 787, message: "no parent") }
        let third = try sqliteError { try connection.run("SELECT h()") }
        #expect(third.message == "no parent")
        #expect(third.extendedCode == 787)
    }

    @Test(arguments: [0, -1, 100, 101, 256, 512]) func codesThatAreNoErrorsBecomeOne(_ code: Int32) throws {
        try connection.addFunction("f") { () -> Int in throw SQLiteError(code: code, message: "odd") }
        let error = try sqliteError { try connection.run("SELECT f()") }
        #expect(error.message == "odd")
        #expect(error.code == 1)
    }

    @Test func anErrorUndoesTheStatementAlone() throws {
        try connection.addFunction("refuses_three") { (a: Int) in
            if a == 3 { throw Refusal() }
            return a * 10
        }
        try connection.transaction {
            try connection.run("INSERT INTO t VALUES(9)")
            #expect(throws: SQLiteError.self) { try connection.run("UPDATE t SET a = refuses_three(a)") }
        }
        #expect(try connection.query("SELECT group_concat(a) FROM t") == "1,2,3,9")
    }

    @Test func aResultThatIsTooLongIsAnError() throws {
        var configuration = Configuration()
        configuration.limits[.length] = 1000
        let limited = try Connection(":memory:", configuration: configuration)
        try limited.addFunction("text") { (count: Int) in String(repeating: "x", count: count) }
        try limited.addFunction("blob") { (count: Int) in Data(count: count) }
        for name in ["text", "blob"] {
            #expect(try limited.query("SELECT length(\(raw: name)(1000))") == 1000)
            let error = try sqliteError { try limited.run("SELECT \(raw: name)(1001)") }
            #expect(error.resultCode == .tooBig, "\(name)")
            #expect(error.message == "string or blob too big", "\(name)")
        }
    }

    @Test func aFunctionMayQueryItsConnection() throws {
        try connection.addFunction("total") { [unowned connection] (above: Int) in
            try connection.query("SELECT sum(a) FROM t WHERE a > ?", above) as Int?
        }
        let totals: [Int?] = try connection.query("SELECT total(a) FROM t")
        #expect(totals == [5, 3, nil])
    }

    @Test func aFunctionMayCallItself() throws {
        try connection.addFunction("factorial") { [unowned connection] (n: Int) -> Int in
            n < 2 ? 1 : n * (try connection.query("SELECT factorial(?)", n - 1))
        }
        #expect(try connection.query("SELECT factorial(10)") == 3_628_800)
    }

    @Test func aFunctionThatCallsItselfForEverIsAnError() throws {
        try connection.addFunction("endless") { [unowned connection] () -> Int in
            try connection.query("SELECT endless()")
        }
        let error = try sqliteError { try connection.run("SELECT endless()") }
        #expect(error.message == "endless() is called from within itself too often")
    }

    @Test func aFunctionCannotRemoveOrReplaceFunctions() throws {
        try connection.addFunction("f") { [unowned connection] () -> Int in
            try connection.removeFunction(named: "f", argumentCount: 0)
            return 1
        }
        let error = try sqliteError { try connection.run("SELECT f()") }
        #expect(error.resultCode == .busy)
        #expect(error.message == "functions, collations and modules cannot be changed while one is running: f")
        try connection.addFunction("g") { [unowned connection] () -> Int in
            try connection.addFunction("g") { 2 }
            return 1
        }
        #expect(try sqliteError { try connection.run("SELECT g()") }.resultCode == .busy)
        try connection.addFunction("g") { 2 }
        #expect(try connection.query("SELECT g()") == 2)
    }

    @Test func functionsAreNotReplacedUnderAStatementThatRuns() throws {
        try connection.addFunction("f") { (a: Int) in a }
        try connection.forEach("SELECT f(a) FROM t") { _ in
            let error = try sqliteError { try connection.addFunction("f") { (a: Int) in -a } }
            #expect(error.resultCode == .busy)
            #expect(error.message == "unable to delete/modify user-function due to active statements")
            #expect(throws: SQLiteError.self) { try connection.removeFunction(named: "f", argumentCount: 1) }
        }
        // Statements of the cache do not run.
        try connection.addFunction("f") { (a: Int) in -a }
        #expect(try connection.query("SELECT sum(f(a)) FROM t") == -6)
    }

    @Test func aPreparedStatementCallsTheNewFunction() throws {
        try connection.addFunction("f") { 1 }
        let statement = try connection.prepare("SELECT f()")
        #expect(try statement.query() == 1)
        try statement.reset()
        try connection.addFunction("f") { 2 }
        #expect(try statement.query() == 2)
    }

    @Test func aFunctionCannotCloseItsConnection() throws {
        let path = try TemporaryDirectory()
        let connection = try Connection(path.file("a.db"))
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)")
        try connection.addFunction("closing") { [unowned connection] (a: Int) in
            connection.close()
            #expect(connection.isClosed)
            #expect(throws: SQLiteError.self) { try connection.run("SELECT 1") }
            return a
        }
        let statement = try connection.prepare("SELECT closing(a) FROM t")
        #expect(try sqliteError { try statement.step() }.message == "the connection is closed")
        #expect(try sqliteError { try statement.step() }.message == "the connection is closed")
        #expect(try sqliteError { try connection.run("SELECT 1") }.message == "the connection is closed")
        connection.close()
    }

    @Test func whatWasWrittenIsRolledBackWhenAFunctionCloses() throws {
        let path = try TemporaryDirectory()
        let connection = try Connection(path.file("a.db"))
        try connection.execute("CREATE TABLE t(a)")
        try connection.addFunction("closing") { [unowned connection] (a: Int) in
            connection.close()
            return a
        }
        #expect(throws: SQLiteError.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES(1)")
                try connection.run("INSERT INTO t VALUES(closing(2))")
            }
        }
        #expect(try Connection(path.file("a.db")).query("SELECT count(*) FROM t") == 0)
    }

    @Test func aFunctionCannotStepOrResetTheStatementThatCallsIt() throws {
        let statements = Statements()
        try connection.addFunction("f") { (a: Int) throws -> Int in
            #expect(try sqliteError { try statements.one?.step() }.message.hasPrefix("the statement is in use"))
            #expect(try sqliteError { try statements.one?.reset() }.message.hasPrefix("the statement is in use"))
            #expect(throws: SQLiteError.self) { try statements.one?.bind(1) }
            return a * 2
        }
        let statement = try connection.prepare("SELECT f(a) FROM t WHERE a <> ?", 0)
        statements.one = statement
        #expect(try statement.query() == [2, 4, 6])
        statements.one = nil
    }

    /// A row taken there would show what the statement moves on to, and crash after its end.
    @Test func theStatementHasNoRowForWhatItsOwnStepCalls() throws {
        let statements = Statements()
        var calls = 0
        try connection.addFunction("peek") { (a: Int) -> Int in
            calls += 1
            #expect(statements.one?.row == nil)
            return a
        }
        let statement = try connection.prepare("SELECT peek(a) FROM t WHERE peek(a) > 0")
        statements.one = statement
        try statement.step()
        let first = try #require(statement.row)
        while try statement.step() {}
        #expect(calls == 6)
        try statement.step()
        try statement.run()
        #expect(try first.get(0) == 1)

        try connection.progressHandler(every: 1) {
            calls += 1
            #expect(statements.one?.row == nil)
            return .proceed
        }
        calls = 0
        let other = try connection.prepare("SELECT a FROM t")
        statements.one = other
        while try other.step() {}
        #expect(calls > 6)
        try connection.progressHandler(nil)
        statements.one = nil
    }

    @Test func aFunctionThatRollsBackLeavesItsStatementAlone() throws {
        try connection.addFunction("undo") { [unowned connection] (a: Int) -> Int in
            do {
                try connection.transaction { throw Refusal() }
            } catch is Refusal {
                return a
            }
            return -1
        }
        let values: [Int] = try connection.query("SELECT undo(a) FROM t")
        #expect(values == [1, 2, 3])
    }

    @Test func aFunctionMayStepAStatementOfItsOwn() throws {
        let statements = Statements()
        statements.one = try connection.prepare("SELECT a FROM t ORDER BY a DESC")
        try connection.addFunction("next_one") { () -> Int? in
            try statements.one?.step()
            return try statements.one?.row?.get(0)
        }
        let values: [Int?] = try connection.query("SELECT next_one() FROM t")
        #expect(values == [3, 2, 1])
        statements.one = nil
    }

    private final class Statements {
        var one: Statement?
    }

    private struct Wordless: LocalizedError, Equatable {}

    @Test func anErrorWithoutADescriptionIsNamedByItsValue() throws {
        try connection.addFunction("wordless") { () -> Int in throw Wordless() }
        #expect(try sqliteError { try connection.run("SELECT wordless()") }.message == "Wordless()")
    }
}

import Squall
import SquallTestSupport
import Testing

/// A connection that is used after the closure to which it was lent has returned.
struct ReturnedConnectionTests {
    private func keptWriter(of database: Database) throws -> Connection {
        try database.blocking.writeWithoutTransaction { $0 }
    }

    @Test func itCannotCloseTheConnectionOfTheDatabase() throws {
        let database = try Database.temporary()
        let kept = try keptWriter(of: database)
        kept.close()
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
        #expect(!kept.isClosed)
    }

    @Test func itCannotChangeWhatTheNextClosuresDo() throws {
        let database = try Database.temporary()
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
        let kept = try keptWriter(of: database)
        let expected = SQLiteError.Kind.connectionReturned
        #expect(try errorKind { try kept.authorizer { _, _, _, _, _ in .deny } } == expected)
        #expect(try errorKind { try kept.progressHandler(every: 1) { .interrupt } } == expected)
        #expect(try errorKind { try kept.busyHandler(.defaultBehavior) } == expected)
        #expect(try errorKind { try kept.addFunction("abs") { (_: Int) in 7 } } == expected)
        kept.limits[.sqlLength] = 10
        kept.commitHook { true }
        kept.addAuthorizer { _, _, _, _, _ in .deny }
        kept.addCommitObserver { true }.cancel()
        try database.blocking.write { try $0.run("INSERT INTO t VALUES(abs(-1))") }
        #expect(try database.blocking.read { try $0.query("SELECT a FROM t") } == 1)
    }
}

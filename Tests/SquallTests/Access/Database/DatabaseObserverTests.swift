import Foundation
import Squall
import SquallTestSupport
import Testing

/// Observers of a database, on all connections that they concern.
struct DatabaseObserverTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func databases() throws -> [Database] {
        try [directory.file("a.db"), ":memory:"].map { path in
            let database = try Database(path)
            try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
            return database
        }
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func anUpdateObserverSeesEveryWrite() async throws {
        let lines = Lines()
        for database in try databases() {
            try await database.write { try $0.run("DELETE FROM t") }
            let token = database.addUpdateObserver { type, _, table, rowID in
                lines.add("\(type) \(table ?? "") \(rowID)")
            }
            try blocking { try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(1)") } }
            try await database.write { try $0.run("INSERT INTO t VALUES(2)") }
            try database.writerConnectionQueue.execute { try $0.run("DELETE FROM t") }
            #expect(lines.take() == ["insert t 1", "insert t 2", "delete t 1", "delete t 2"])
            token.cancel()
            token.cancel()
            try await database.write { try $0.run("INSERT INTO t VALUES(3)") }
            #expect(lines.take() == [])
        }
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func allKindsAreCalledInTheirOrder() throws {
        let lines = Lines()
        let database = try databases()[0]
        database.addCommitObserver {
            lines.add("commit")
            return false
        }
        database.addRollbackObserver { lines.add("rollback") }
        database.addWALObserver { name, pages in lines.add("\(name) \(pages > 0)") }
        try database.addPreUpdateObserver { lines.add("before \($0.newValues)") }
        database.addUpdateObserver { type, _, _, _ in lines.add("\(type)") }
        database.addProfileObserver { lines.add($0.sql) }
        try database.blocking.write { try $0.run("INSERT INTO t VALUES(1)") }
        #expect(
            lines.take() == [
                "BEGIN IMMEDIATE TRANSACTION", "before [Squall.BindingValue.integer(1)]", "insert",
                "INSERT INTO t VALUES(1)", "commit", "COMMIT TRANSACTION", "main true",
            ]
        )
        #expect(throws: CancellationError.self) { try database.blocking.write { _ in throw CancellationError() } }
        #expect(lines.take().contains("rollback"))
        database.addCommitObserver { true }
        let error = try sqliteError { try database.blocking.write { try $0.run("INSERT INTO t VALUES(1)") } }
        #expect(error.resultCode == .constraint)
    }

    @Test func aClosureThatAddsOrRemovesAnObserverIsObservedFromThenOn() throws {
        let lines = Lines()
        for database in try databases() {
            let token = try database.blocking.writeWithoutTransaction { connection in
                try connection.run("INSERT INTO t VALUES(1)")
                let token = database.addUpdateObserver { _, _, _, rowID in lines.add("\(rowID)") }
                try connection.run("INSERT INTO t VALUES(2)")
                return token
            }
            try database.blocking.writeWithoutTransaction { connection in
                try connection.run("INSERT INTO t VALUES(3)")
                token.cancel()
                try connection.run("INSERT INTO t VALUES(4)")
            }
            #expect(lines.take() == ["2", "3"])
        }
    }

    @Test func anObserverCanCancelItself() throws {
        let lines = Lines()
        for database in try databases() {
            let token = Shared<DatabaseObserverToken?>(nil)
            let own = database.addUpdateObserver { _, _, _, rowID in
                lines.add("\(rowID)")
                token.value?.cancel()
            }
            token.update { $0 = own }
            try database.blocking.writeWithoutTransaction { try $0.execute("INSERT INTO t VALUES(1); INSERT INTO t VALUES(2)") }
            #expect(lines.take() == ["1"])
        }
    }

    @Test func observersAreReleasedWithTheDatabase() throws {
        weak var gone: Shared<Int>?
        do {
            let value = Shared(0)
            gone = value
            let database = try databases()[0]
            database.addUpdateObserver { _, _, _, _ in value.update { $0 += 1 } }
            try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(1)") }
            #expect(value.value == 1)
        }
        #expect(gone == nil)
    }

    @Test func anAuthorizerIsAskedOnAllConnections() throws {
        let directory = try TemporaryDirectory()
        for database in [try Database(directory.file("app.db")), try Database()] {
            try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); CREATE TABLE secret(a)") }
            let token = database.addAuthorizer { action, table, _, _, _ in
                action == .read && table == "secret" ? .deny : .ok
            }
            #expect(
                try sqliteError { try database.blocking.read { try $0.run("SELECT a FROM secret") } }.resultCode
                    == .authorizationDenied)
            #expect(
                try sqliteError { try database.blocking.writeWithoutTransaction { try $0.run("SELECT a FROM secret") } }.resultCode
                    == .authorizationDenied)
            try database.blocking.read { try $0.run("SELECT a FROM t") }
            token.cancel()
            try database.blocking.read { try $0.run("SELECT a FROM secret") }
            try database.blocking.writeWithoutTransaction { try $0.run("SELECT a FROM secret") }
        }
    }
}

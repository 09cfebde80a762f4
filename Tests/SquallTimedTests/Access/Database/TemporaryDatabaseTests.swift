import Foundation
import Squall
import Testing

/// `Database.temporary()`.
@Suite(.timeLimit(.minutes(10)))
struct TemporaryDatabaseTests {
    private func folder(of database: Database) -> String {
        (database.fileName as NSString).deletingLastPathComponent
    }

    @Test func theFileDisappearsWithTheObject() throws {
        for closes in [true, false] {
            var database: Database? = try Database.temporary()
            let path = try folder(of: #require(database))
            #expect(FileManager.default.fileExists(atPath: path))
            try database?.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
            if closes { try database?.blocking.close() }
            database = nil
            until { !FileManager.default.fileExists(atPath: path) }
        }
    }

    @Test func readsRunBesideAWrite() throws {
        let database = try Database.temporary(preparation: { try $0.addFunction("one") { 1 } })
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(one())") }
        try database.blocking.write { connection in
            try connection.run("DELETE FROM t")
            let count = try ThreadResult {
                try database.blocking.read { try $0.query("SELECT count(*) FROM t WHERE a = one()") as Int }
            }.get()
            #expect(count == 1)
        }
        #expect(database.statistics.maximumReaders == ConnectionPool.defaultMaximum)
    }

    @Test func itCanBeSuspended() throws {
        let database = try Database.temporary(maximumReaders: 1)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
        try database.blocking.suspend()
        try database.blocking.resume()
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM t") } == 0)
    }

    @Test func onlyTheUserCanReadIt() throws {
        let database = try Database.temporary()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder(of: database))
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func aSnapshotKeepsIt() throws {
        let snapshot: ReadSnapshot
        do {
            let database = try Database.temporary()
            try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
            snapshot = try database.blocking.snapshot()
        }
        #expect(try snapshot.blocking.read { try $0.query("SELECT count(*) FROM t") } == 0)
    }
}

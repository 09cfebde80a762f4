import SQiftCompatibility
import SquallTestSupport
import Testing

/// `executeRead` and `executeWrite` of a database.
struct DatabaseTests {
    @Test func theDatabaseOfSQiftsReadMe() throws {
        let folder = try TemporaryDirectory()
        let database = try Database(storageLocation: .onDisk(folder.file("path_to_db")))

        try database.executeWrite { connection in
            try connection.execute("PRAGMA foreign_keys = true")
            try connection.execute("PRAGMA journal_mode = WAL")
            try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)")
        }

        try database.executeRead { connection in
            let count: Int = try connection.query("SELECT count(*) FROM cars")
            #expect(count == 0)
        }
        try database.blocking.close()
    }

    @Test func aWriteIsNoTransaction() throws {
        let database = try Database.temporary()
        try database.executeWrite { try $0.execute("CREATE TABLE t(a)") }
        #expect(throws: CancellationError.self) {
            try database.executeWrite { connection in
                #expect(!connection.isInTransaction)
                try connection.run("INSERT INTO t VALUES(1)")
                throw CancellationError()
            }
        }
        #expect(try database.executeRead { try $0.query("SELECT count(*) FROM t") } == 1)
    }

    @Test func aReadHasOneSnapshotAndCannotWrite() throws {
        let database = try Database.temporary()
        try database.executeWrite { try $0.execute("CREATE TABLE t(a)") }
        try database.executeRead { connection in
            #expect(try connection.query("SELECT count(*) FROM t") == 0)
            try Connection(database.fileName).run("INSERT INTO t VALUES(1)")
            #expect(try connection.query("SELECT count(*) FROM t") == 0)
            let error = #expect(throws: SQLiteError.self) { try connection.run("DELETE FROM t") }
            #expect(error?.kind == .insideRead(.statement))
        }
        #expect(try database.executeRead { try $0.query("SELECT count(*) FROM t") } == 1)
    }
}

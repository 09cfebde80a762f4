import SquallTestSupport
import Testing

@testable import Squall

/// Commits of other connections, which the header of the write-ahead log's index or of the file tells.
@Suite(.timeLimit(.minutes(10)))
struct OtherProcessTests {
    let cars: ObservedDatabase
    var database: Database { cars.database }

    init() throws {
        cars = try ObservedDatabase()
    }

    @Test func aCommitOfAnotherConnection() async throws {
        var counts = database.observe("SELECT count(*) FROM cars", as: Int.self).makeAsyncIterator()
        #expect(try await counts.next() == 3)
        try await database.write { try $0.run("INSERT INTO cars(name) VALUES('own')") }
        #expect(try await counts.next() == 4)
        let other = try Connection(cars.directory.file("cars.db"))
        try other.run("INSERT INTO cars(name) VALUES('other')")
        #expect(try await counts.next() == 5)
        try other.run("INSERT INTO orders VALUES(1, 1)")
        try other.run("INSERT INTO cars(name) VALUES('other')")
        #expect(try await counts.next() == 6)
    }

    @Test func aChangeIsExternal() async throws {
        var changes = database.changes(in: .table("cars"), .table("orders")).makeAsyncIterator()
        try Connection(cars.directory.file("cars.db")).run("INSERT INTO cars(name) VALUES('other')")
        let change = try #require(await changes.next())
        #expect(change.isExternal)
        #expect(change.tables == ["cars", "orders"])
        #expect(change.rowIDs("cars") == nil)
    }

    @Test func aRollbackJournal() async throws {
        let path = cars.directory.file("journal.db")
        let database = try Database(storageLocation: .onDisk(path))
        try await database.writeWithoutTransaction { try $0.execute(ObservedDatabase.tables) }
        var counts = database.observe("SELECT count(*) FROM cars", as: Int.self).makeAsyncIterator()
        #expect(try await counts.next() == 3)
        try await database.write { try $0.run("INSERT INTO cars(name) VALUES('own')") }
        #expect(try await counts.next() == 4)
        try Connection(storageLocation: .onDisk(path)).run("INSERT INTO cars(name) VALUES('other')")
        #expect(try await counts.next() == 5)
    }

    /// Each value is one between two commits, and the last one arrives.
    @Test func aProcessThatIsKilledWhileItWrites() async throws {
        try cars.write("CREATE TABLE t(id INTEGER PRIMARY KEY, batch INTEGER, x BLOB)")
        // The process writes batches of five rows.
        var counts = database.observe("SELECT count(*) FROM t", as: Int.self).makeAsyncIterator()
        var seen = try #require(await counts.next())
        for _ in 0..<10 {
            let process = try TestProcess(["commit", cars.directory.file("cars.db"), "\(seen / 5 + 1)"])
            _ = process.firstOutput()
            process.kill()
            _ = try process.end()
            let written = try await database.read { try $0.query("SELECT count(*) FROM t") as Int }
            #expect(written > seen)
            while seen < written {
                seen = try #require(await counts.next())
                #expect(seen % 5 == 0)
            }
            #expect(seen == written)
        }
    }

    /// Its first look cannot tell the commits apart.
    @Test func aMonitorThatBeginsDuringACommit() async throws {
        let center = ObservationCenter()
        center.willCommit()
        let monitor = try #require(FileMonitor(database, center))
        center.didEndCommit()
        try Connection(cars.directory.file("cars.db")).run("INSERT INTO cars(name) VALUES('other')")
        await until { center.publishedCommits.map { $0 > 0 } ?? false }
        monitor.stop()
    }

    /// The number in the header grows by one with each commit that writes to the file, and otherwise stays.
    @Test(arguments: [true, false]) func ownCommitsAreCountedAsTheHeaderCountsThem(isWAL: Bool) async throws {
        let path = cars.directory.file("counted.db")
        let archive = cars.directory.file("archive.db")
        try (isWAL ? Connection(archive) : Connection(storageLocation: .onDisk(archive))).execute("CREATE TABLE a(a)")
        let attach: @Sendable (Connection) throws -> Void = {
            try $0.attachDatabase(from: .onDisk(archive), withName: "archive")
        }
        let database = try Database(
            path, configuration: isWAL ? .recommended : .sqlite, preparation: attach)
        try await database.writeWithoutTransaction { try $0.execute(ObservedDatabase.tables) }
        var changes = database.changes(in: .table("cars")).makeAsyncIterator()
        let center = database.observationCenter
        let other = isWAL ? try Connection(path) : try Connection(storageLocation: .onDisk(path))
        try other.run("SELECT 1 FROM sqlite_schema")
        let before = try #require(other.header?.changeNumber)
        let writes: [SQL] = [
            "INSERT INTO cars(name) VALUES('x')", "UPDATE cars SET price = price", "DELETE FROM cars WHERE id = 99",
            "CREATE TABLE t(a)", "BEGIN IMMEDIATE; COMMIT", "BEGIN; INSERT INTO t VALUES(1); ROLLBACK",
            "SAVEPOINT a; INSERT INTO t VALUES(1); ROLLBACK TO a; RELEASE a",
            "CREATE TEMP TABLE u(a); INSERT INTO u VALUES(1)",
            "INSERT INTO t WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n",
            "DELETE FROM t", "INSERT INTO archive.a VALUES(1)", "CREATE TABLE archive.x(a)",
            "PRAGMA archive.user_version = 1", "BEGIN IMMEDIATE; CREATE TABLE archive.y(a); COMMIT",
            "PRAGMA temp_store = FILE; PRAGMA temp.cache_size = 10; CREATE TEMP TABLE big(a)",
            "INSERT INTO big WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT zeroblob(1000) FROM n",
            "BEGIN; INSERT INTO archive.a VALUES(2); INSERT INTO t VALUES(1); COMMIT",
            "PRAGMA user_version = 7", "INSERT INTO cars(name) VALUES('x'); INSERT INTO cars(name) VALUES('y')",
        ]
        for write in writes {
            try await database.writeWithoutTransaction { try $0.execute(write) }
            let (own, header) = (center.ownCommits, other.header?.changeNumber)
            #expect(own.map { before &+ $0 } == header, "\(write)")
        }
        #expect(await changes.next() != nil)
    }
}

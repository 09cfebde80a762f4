import Squall
import SquallTestSupport
import Testing

struct StatusTests {
    let directory: TemporaryDirectory
    let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("a.db"))
        try connection.execute("CREATE TABLE a(id INTEGER PRIMARY KEY, x); CREATE TABLE b(x)")
        for value in 1...50 { try connection.run("INSERT INTO a(x) VALUES(\(value))") }
        try connection.execute("INSERT INTO b SELECT x FROM a")
    }

    @Test func ofAConnection() throws {
        let status = connection.status
        #expect(status.cacheUsed > 0)
        #expect(status.cacheUsedShared == status.cacheUsed)
        #expect(status.schemaUsed > 0)
        #expect(status.statementsUsed > 0)
        #expect(status.cacheHits > 0)
        #expect(status.cacheWrites > 50)
        #expect(status.cacheSpills == 0)
        #expect(!status.hasDeferredForeignKeys)
    }

    @Test func countersAreSetToNothing() throws {
        #expect(connection.resetStatus().cacheWrites > 50)
        #expect(connection.status.cacheWrites == 0)
        #expect(connection.status.cacheHits == 0)
        #expect(connection.status.lookasideHits == 0)
        try connection.run("INSERT INTO b VALUES(1)")
        #expect(connection.status.cacheWrites > 0)
    }

    @Test func aSmallCacheSpills() throws {
        try connection.execute(
            "PRAGMA cache_size = 5; PRAGMA cache_spill = 5; CREATE TABLE t(id INTEGER PRIMARY KEY, bytes)")
        try connection.addRows(50)
        #expect(connection.status.cacheSpills > 0)
    }

    @Test func foreignKeysThatWait() throws {
        try connection.execute(
            "CREATE TABLE c(a REFERENCES a(id) DEFERRABLE INITIALLY DEFERRED); BEGIN; INSERT INTO c VALUES(999)")
        #expect(connection.status.hasDeferredForeignKeys)
        try connection.execute("ROLLBACK")
        #expect(!connection.status.hasDeferredForeignKeys)
    }

    @Test func ofAClosedConnection() throws {
        connection.close()
        for status in [connection.status, connection.resetStatus()] {
            let numbers = [
                status.cacheUsed, status.cacheUsedShared, status.cacheHits, status.cacheMisses, status.cacheWrites,
                status.cacheSpills, status.schemaUsed, status.statementsUsed, status.lookasideUsed,
                status.lookasideHighwater, status.lookasideHits, status.lookasideSizeMisses, status.lookasideFullMisses,
            ]
            #expect(numbers == Array(repeating: 0, count: numbers.count))
            #expect(!status.hasDeferredForeignKeys)
        }
    }

    @Test func ofAStatement() throws {
        let statement = try connection.prepare("SELECT a.x FROM a JOIN b ON a.x = b.x ORDER BY a.x + 0")
        #expect(statement.status.runs == 0)
        let values: [Int] = try statement.query()
        #expect(values.count == 50)
        let status = statement.status
        #expect(status.runs == 1)
        #expect(status.sorts == 1)
        #expect(status.fullScanSteps >= 49)
        #expect(status.automaticIndexRows >= 49)
        #expect(status.virtualMachineSteps > 100)
        #expect(status.reprepares == 0)
        #expect(status.memoryUsed > 0)
        #expect(statement.resetStatus() == status)
        #expect(statement.status.sorts == 0)
        #expect(statement.status.memoryUsed > 0)
    }

    /// A Bloom filter tells for most rows that the other table has none for them.
    @Test func aFilterOfAJoin() throws {
        try connection.execute(
            """
            CREATE TABLE big(x); CREATE TABLE small(y);
            INSERT INTO big WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i FROM n;
            INSERT INTO small SELECT x * 10 FROM big WHERE x <= 20;
            ANALYZE
            """)
        let statement = try connection.prepare("SELECT count(*) FROM big CROSS JOIN small ON y = x")
        #expect(try statement.query() == 20)
        let status = statement.status
        #expect(status.filterHits > 1000 && status.filterMisses >= 20)
        #expect(status.filterHits + status.filterMisses == 2000)
        #expect(status.filterMisses < 1000)
        statement.resetStatus()
        #expect(statement.status.filterHits == 0 && statement.status.filterMisses == 0)
    }

    @Test func ofAStatementAfterASchemaChange() throws {
        let statement = try connection.prepare("SELECT * FROM b")
        try connection.execute("ALTER TABLE b ADD COLUMN y")
        try statement.run()
        try statement.run()
        #expect(statement.status.reprepares == 1)
        #expect(statement.status.runs >= 2)
        #expect(statement.resetStatus().reprepares == 1)
        #expect(statement.status.reprepares == 0)
        try connection.execute("ALTER TABLE b ADD COLUMN z")
        try statement.run()
        #expect(statement.status.reprepares == 1)
    }

    @Test func resettingHidesNoSchemaChangeFromRows() throws {
        try connection.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES('a1', 'b1')")
        let statement = try connection.prepare("SELECT * FROM t")
        #expect(try (statement.query() as Row?)?.get("a") == "a1")
        try connection.execute("DROP TABLE t; CREATE TABLE t(b, a); INSERT INTO t VALUES('b2', 'a2')")
        #expect(try (statement.query() as Row?)?.get("a") == "a2")
        statement.resetStatus()
        try connection.execute("DROP TABLE t; CREATE TABLE t(a, b); INSERT INTO t VALUES('a3', 'b3')")
        #expect(try (statement.query() as Row?)?.get("a") == "a3")
    }
}

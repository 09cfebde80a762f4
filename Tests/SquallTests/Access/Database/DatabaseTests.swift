import Foundation
import Squall
import SquallTestSupport
import Testing

struct DatabaseTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    private static let table = "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)"

    private func open() throws -> Database {
        let database = try Database(path)
        try database.blocking.writeWithoutTransaction { try $0.execute("\(raw: Self.table)") }
        return database
    }

    /// One on disk, and one with a single connection.
    private func databases() throws -> [Database] {
        let memory = try Database()
        try memory.blocking.writeWithoutTransaction { try $0.execute("\(raw: Self.table)") }
        return [try open(), memory]
    }

    private func add(_ name: String, to connection: Connection) throws {
        try connection.run("INSERT INTO cars(name) VALUES(?)", name)
    }

    private func count(_ connection: Connection) throws -> Int {
        try connection.query("SELECT count(*) FROM cars")
    }

    /// A savepoint inside a read, on a connection that has read before.
    @Test(arguments: ["WAL", "DELETE"]) func savepointsInsideReadsOneAfterTheOther(mode: String) throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("a.db"), maximumReaders: 1)
        try database.blocking.writeWithoutTransaction { try $0.execute("PRAGMA journal_mode = \(raw: mode); CREATE TABLE t(a)") }
        for count in 0..<5 {
            let counts = try database.blocking.read { connection in
                let before: Int = try connection.query("SELECT count(*) FROM t")
                #expect(connection.isInTransaction)
                let inSavepoint: Int = try connection.savepoint { try connection.query("SELECT count(*) FROM t") }
                #expect(connection.isInTransaction)
                return [before, inSavepoint]
            }
            #expect(counts == [count, count])
            try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(1)") }
        }
    }

    @Test func writesAreRead() throws {
        for database in try databases() {
            try database.blocking.writeWithoutTransaction { try add("Audi", to: $0) }
            let id = try database.blocking.write { connection in
                try add("Saab", to: connection)
                return connection.lastInsertRowID
            }
            #expect(id == 2)
            #expect(try database.blocking.read { try count($0) } == 2)
        }
    }

    @Test func theFileNameIsThePathOfTheMainDatabase() throws {
        let path = directory.file("name #1 & ?a=b.db")
        let databases = [
            try Database(path), try Database(storageLocation: .onDisk(path)), try Database(path, mode: .readOnly),
            try Database(path, mode: .immutable),
        ]
        for database in databases {
            #expect(try database.fileName == database.blocking.read { $0.fileName })
            #expect(URL(filePath: database.fileName).lastPathComponent == URL(filePath: path).lastPathComponent)
        }
        #expect(try Database(":memory:").fileName == "")
        #expect(try Database(storageLocation: .temporary).fileName == "")
    }

    @Test func theRecommendedConfigurationIsThatOfAllConnections() throws {
        let database = try open()
        #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA journal_mode") } == "wal")
        #expect(try database.blocking.read { try $0.query("PRAGMA foreign_keys") } == 1)
        #expect(try database.blocking.read { $0.readOnly })
        #expect(try database.blocking.read { try $0.query("PRAGMA query_only") } == 1)
        #expect(try sqliteError { _ = try Database(path, mode: .createNew) }.code == 14)
    }

    @Test func sqiftsInitialisersLeaveSQLitesDefaults() throws {
        let prepared = Shared<[String]>([])
        let database = try Database(
            storageLocation: .onDisk(path), tableLockPolicy: .poll(0.01), multiThreaded: false, drainDelay: 0.1,
            writerConnectionPreparation: { _ in prepared.update { $0.append("writer") } },
            readerConnectionPreparation: { _ in prepared.update { $0.append("reader") } }
        )
        #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA journal_mode") } == "delete")
        #expect(try database.blocking.read { try $0.query("SELECT 1") } == 1)
        #expect(prepared.value == ["writer", "reader"])
    }

    @Test func aReadCannotWrite() throws {
        for database in try databases() {
            let error = try sqliteError { try database.blocking.read { try add("Audi", to: $0) } }
            #expect(error.resultCode == .readOnly)
            #expect(error.hint?.contains("writeWithoutTransaction") == true)
            try database.blocking.writeWithoutTransaction { try add("Audi", to: $0) }
            #expect(try database.blocking.read { try count($0) } == 1)
        }
    }

    @Test func whatOnlyTheWriterMayDoIsRefusedInAReadAlsoWhenItIsInTheCache() throws {
        for database in try databases() {
            try database.blocking.writeWithoutTransaction { try $0.run("PRAGMA wal_checkpoint") }
            try database.blocking.read { connection in
                for sql: SQL in ["PRAGMA wal_checkpoint", "PRAGMA journal_mode = OFF", "PRAGMA query_only = 0"] {
                    let error = try sqliteError { try connection.run(sql) }
                    #expect(error.message == "this statement is not allowed inside a read")
                }
                let error = try sqliteError { _ = try connection.checkpoint() }
                #expect(error.message == "a checkpoint is not allowed inside a read")
            }
            try database.blocking.writeWithoutTransaction { try $0.run("PRAGMA wal_checkpoint") }
        }
    }

    // MARK: Again on the same thread

    @Test func aReadInsideAReadHasTheSameSnapshot() throws {
        for database in try databases() {
            try database.blocking.read { outer in
                #expect(try count(outer) == 0)
                let inner = try database.blocking.read { inner in
                    #expect(inner === outer)
                    return try count(inner)
                }
                #expect(inner == 0)
                #expect(outer.isInTransaction)
            }
            #expect(database.statistics.reads + database.statistics.writes == 2)
        }
    }

    @Test func aWriteInsideAWriteHasTheSameConnection() throws {
        for database in try databases() {
            try database.blocking.write { outer in
                try database.blocking.writeWithoutTransaction { inner in
                    #expect(inner === outer)
                    try add("Audi", to: inner)
                }
                _ = try sqliteError {
                    try database.blocking.write { inner in
                        try add("Saab", to: inner)
                        try inner.run("nonsense")
                    }
                }
                #expect(try count(outer) == 1)
            }
            #expect(try database.blocking.read { try count($0) } == 1)
        }
    }

    @Test func aReadInsideAWriteSeesItsChangesAndCannotWrite() throws {
        for database in try databases() {
            try database.blocking.write { connection in
                try add("Audi", to: connection)
                #expect(try database.blocking.read { try count($0) } == 1)
                let error = try sqliteError { try database.blocking.read { try add("Saab", to: $0) } }
                #expect(error.resultCode == .readOnly)
                try add("Saab", to: connection)
            }
            try database.blocking.writeWithoutTransaction { connection in
                try database.blocking.read { #expect($0.isInTransaction) }
                #expect(!connection.isInTransaction)
                try add("Volvo", to: connection)
            }
            #expect(try database.blocking.read { try count($0) } == 3)
        }
    }

    @Test func aWriteInsideAReadIsAnError() throws {
        for database in try databases() {
            try database.blocking.read { _ in
                let write = try sqliteError { try database.blocking.writeWithoutTransaction { try add("Audi", to: $0) } }
                #expect(write.message == "a write cannot begin inside a read of the same database")
                _ = try sqliteError { try database.blocking.write { try add("Audi", to: $0) } }
            }
            try database.blocking.writeWithoutTransaction { _ in
                try database.blocking.read { _ in
                    _ = try sqliteError { try database.blocking.writeWithoutTransaction { try add("Audi", to: $0) } }
                }
            }
            #expect(try database.blocking.read { try count($0) } == 0)
        }
    }

    @Test func twoDatabasesCanBeUsedInsideEachOther() throws {
        let databases = try databases()
        try databases[0].blocking.read { _ in
            try databases[1].blocking.write { connection in
                try add("Audi", to: connection)
                #expect(try databases[0].blocking.read { try count($0) } == 0)
                try databases[1].blocking.writeWithoutTransaction { try add("Saab", to: $0) }
            }
        }
        #expect(try databases[1].blocking.read { try count($0) } == 2)
    }

    // MARK: What closures leave

    @Test func aTransactionThatIsLeftOpenIsRolledBackAndReported() throws {
        for database in try databases() {
            let error = try sqliteError {
                try database.blocking.writeWithoutTransaction { connection in
                    try connection.run("BEGIN")
                    try add("Audi", to: connection)
                }
            }
            #expect(error.message.contains("left a transaction open"))
            #expect(throws: CancellationError.self) {
                try database.blocking.writeWithoutTransaction { connection in
                    try connection.run("BEGIN")
                    try add("Audi", to: connection)
                    throw CancellationError()
                }
            }
            #expect(try database.blocking.writeWithoutTransaction { try count($0) } == 0)
        }
    }

    @Test func aStandingStatementHoldsNoSnapshot() throws {
        let database = try open()
        try database.blocking.write { connection in for name in ["a", "b"] { try add(name, to: connection) } }
        let statements = try database.blocking.read { connection in
            let statement = try connection.prepare("SELECT * FROM cars")
            try statement.step()
            return [statement]
        }
        try database.blocking.writeWithoutTransaction { try add("c", to: $0) }
        #expect(try database.blocking.read { try count($0) } == 3)
        #expect(!statements[0].isBusy)
    }

    @Test func aReadThatEndsItsSnapshotByHandReadsNoFurther() throws {
        for database in try databases() {
            try database.blocking.read { connection in
                try connection.run("COMMIT")
                #expect(try sqliteError { _ = try count(connection) }.extendedResultCode == .transactionLost)
            }
            #expect(try database.blocking.read { try count($0) } == 0)
        }
    }

    // MARK: Closing

    @Test func nothingCanBeUsedAfterClosing() throws {
        for database in try databases() {
            try database.blocking.close()
            try database.blocking.close()
            let uses: [() throws -> Void] = [
                { try database.blocking.read { _ in } }, { try database.blocking.writeWithoutTransaction { _ in } },
                { try database.blocking.write { _ in } }, { _ = try database.blocking.snapshot() },
                { try database.writerConnectionQueue.execute { _ in } },
                { try database.readerConnectionPool.execute { _ in } },
            ]
            for use in uses { #expect(try sqliteError(use).message == "the database is closed") }
            #expect(database.statistics.readers == 0)
            database.interrupt()
        }
    }

    @Test func aDatabaseIsNotClosedInsideItsOwnClosure() throws {
        for database in try databases() {
            for _ in 0..<2 {
                try database.blocking.read { _ in
                    let error = try sqliteError { try database.blocking.close() }
                    #expect(error.message.contains("inside one of its closures"))
                }
            }
        }
    }

    @Test func readersAreClosedBeforeTheWriterAlsoWhenTheDatabaseGoes() throws {
        do {
            let database = try open()
            try database.blocking.writeWithoutTransaction { try add("Audi", to: $0) }
            #expect(try database.blocking.read { try count($0) } == 1)
            #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        }
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }

    // MARK: The rest

    @Test func aTemporaryDatabaseHasOneConnection() throws {
        let database = try Database(storageLocation: .temporary)
        try database.blocking.writeWithoutTransaction { try $0.execute("\(raw: Self.table)") }
        try database.blocking.writeWithoutTransaction { try add("Audi", to: $0) }
        #expect(try database.blocking.read { try count($0) } == 1)
        #expect(try database.readerConnectionPool.execute { try count($0) } == 1)
        _ = try sqliteError { try database.readerConnectionPool.execute { try add("Saab", to: $0) } }
        #expect(database.statistics.maximumReaders == 0)
    }

    @Test func statisticsCount() throws {
        let database = try open()
        for _ in 0..<3 { try database.blocking.read { _ = try count($0) } }
        let statistics = database.statistics
        #expect(statistics.readers == 1)
        #expect(statistics.maximumReaders == ConnectionPool.defaultMaximum)
        #expect(statistics.reads == 3)
        #expect(statistics.writes == 1)
        #expect(statistics.waits == 0)
        #expect(statistics.cacheHits > 0)
        #expect(statistics.walSize > 0)
        let path = path
        try database.blocking.read { _ in
            #expect(database.statistics.busyReaders == 1)
            #expect(!database.statistics.isWriterBusy)
            #expect(path.isEmpty == false)
        }
    }

    /// The last reference may be released inside a closure that a pool of the database runs.
    @Test func releasingADatabaseInsideItsOwnPoolDoesNotBlock() throws {
        let directory = try TemporaryDirectory()
        var database: Database? = try Database(directory.file("own.db"))
        let pool = try #require(database?.readerConnectionPool)
        let writer = try #require(database?.writerConnectionQueue)
        let answer = try pool.execute { connection in
            try writer.execute { _ in database = nil }
            return try connection.query("SELECT 42") as Int
        }
        #expect(answer == 42)
        #expect(database == nil)
        #expect(throws: SQLiteError.self) { try pool.execute { _ in } }
    }

    @Test func anExclusiveTransaction() throws {
        let database = try Database(":memory:")
        let log = Log()
        try database.blocking.writeWithoutTransaction { (connection: Connection) throws in
            try connection.execute("CREATE TABLE t(a)")
            connection.trace { log.add($0) }
        }
        try database.blocking.writeWithoutTransaction { connection in
            try connection.transaction(transactionType: .exclusive) { try connection.run("INSERT INTO t VALUES(1)") }
        }
        #expect(log.take() == ["BEGIN EXCLUSIVE TRANSACTION", "INSERT INTO t VALUES(1)", "COMMIT TRANSACTION"])
    }
}

import Squall
import SquallSQLite
import SquallTestSupport
import Testing

/// What a closure sets on the connection that it is lent ends with the closure.
struct ClosureSettingsTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func databases() throws -> [Database] {
        try [directory.file("a.db"), ":memory:"].map { path in
            let database = try Database(path)
            try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE IF NOT EXISTS t(a CHECK (a > 0))") }
            return database
        }
    }

    @Test func anAuthorizerOfAReadDoesNotRefuseTheNextOne() throws {
        for database in try databases() {
            for isObserver in [false, true] {
                try database.blocking.read { connection in
                    if isObserver {
                        connection.addAuthorizer { _, _, _, _, _ in .deny }
                    } else {
                        try connection.authorizer { _, _, _, _, _ in .deny }
                    }
                    #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM t") }
                }
                #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM t") } == 0)
                #expect(database.statistics.openedReaders <= 1)
            }
        }
    }

    @Test func theHandlersOfThePreparationComeBack() throws {
        let asked = Shared(0)
        let database = try Database(directory.file("a.db")) { connection in
            try connection.progressHandler(every: 1) {
                asked.update { $0 += 1 }
                return .proceed
            }
        }
        try database.blocking.writeWithoutTransaction { connection in
            try connection.progressHandler { .interrupt }
            #expect(throws: SQLiteError.self) {
                try connection.run(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
            }
        }
        let before = asked.value
        try database.blocking.writeWithoutTransaction { try $0.run("CREATE TABLE t(a)") }
        #expect(asked.value > before)
    }

    @Test func aSettingOfAnAttachedDatabaseComesBackThere() throws {
        let other = directory.file("o'ther.db")
        let database = try Database(directory.file("a.db")) { connection in
            try connection.attachDatabase(from: .onDisk(other), withName: "it's \"2\"")
            try connection.run("PRAGMA \(name: "it's \"2\"").synchronous = 3")
        }
        func synchronous(_ connection: Connection) throws -> [Int] {
            try [
                connection.query("PRAGMA main.synchronous"),
                connection.query("PRAGMA \(name: "it's \"2\"").synchronous"),
            ]
        }
        #expect(try database.blocking.writeWithoutTransaction(synchronous) == [1, 3])
        try database.blocking.writeWithoutTransaction { connection in
            try connection.run("PRAGMA \(name: "it's \"2\"") . synchronous = 0")
            try connection.run("PRAGMA main.synchronous = 2")
            #expect(try synchronous(connection) == [2, 0])
        }
        #expect(try database.blocking.writeWithoutTransaction(synchronous) == [1, 3])
    }

    @Test func databasesOfThePreparationAreAttachedAgain() throws {
        let (one, two) = (directory.file("one.db"), directory.file("two.db"))
        try Connection(one).execute("CREATE TABLE x(a); INSERT INTO x VALUES(1)")
        try Connection(two).execute("CREATE TABLE x(a); INSERT INTO x VALUES(2)")
        for path in [directory.file("a.db"), ":memory:"] {
            let database = try Database(path) { try $0.attachDatabase(from: .onDisk(one), withName: "aux'") }
            func value(_ connection: Connection) throws -> Int {
                try connection.query("SELECT a FROM \(name: "aux'").x")
            }
            try database.blocking.writeWithoutTransaction { try $0.detachDatabase(named: "aux'") }
            #expect(try database.blocking.writeWithoutTransaction(value) == 1)
            try database.blocking.writeWithoutTransaction { connection in
                try connection.detachDatabase(named: "aux'")
                try connection.attachDatabase(from: .onDisk(two), withName: "aux'")
                #expect(try value(connection) == 2)
            }
            #expect(try database.blocking.writeWithoutTransaction(value) == 1)
            try database.readerConnectionPool.execute { try $0.detachDatabase(named: "aux'") }
            #expect(try database.blocking.read(value) == 1)
        }
    }

    /// SQLite reports the path of an attached database, without the parameters of its URI.
    @Test func aDatabaseIsAttachedAgainWithoutTheParametersOfItsURI() throws {
        let other = directory.file("other.db")
        try Connection(other).execute("CREATE TABLE x(a)")
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
        let database = try Database(
            storageLocation: .onDisk(directory.file("a.db")), flags: flags,
            writerConnectionPreparation: { try $0.run("ATTACH DATABASE \("file:\(other)?mode=ro" as String) AS aux") }
        )
        let insert = { try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO aux.x VALUES(1)") } }
        #expect(try sqliteError(insert).resultCode == .readOnly)
        try database.blocking.writeWithoutTransaction { try $0.detachDatabase(named: "aux") }
        try insert()
    }

    @Test(arguments: ["EXPLAIN PRAGMA ", "explain query plan pragma main.", "/* c */ Explain/**/PRAGMA "])
    func aPragmaThatIsExplainedComesBack(start: String) throws {
        for database in try databases() {
            try database.blocking.writeWithoutTransaction { connection in
                try connection.execute(SQL(raw: start + "foreign_keys = OFF"))
                #expect(try connection.query("PRAGMA foreign_keys") == 0)
            }
            #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA foreign_keys") } == 1)
        }
    }

    @Test func settingsOfAllDatabasesComeBackInEach() throws {
        let other = directory.file("aux.db")
        let database = try Database(directory.file("a.db")) { connection in
            try connection.attachDatabase(from: .onDisk(other), withName: "aux")
            try connection.execute(
                """
                PRAGMA main.secure_delete = FAST; PRAGMA aux.secure_delete = 0; PRAGMA main.mmap_size = 131072;
                PRAGMA aux.mmap_size = 65536; PRAGMA main.cache_spill = 555; PRAGMA aux.cache_spill = 444
                """)
        }
        func settings(_ connection: Connection) throws -> [Int] {
            try ["secure_delete", "mmap_size", "cache_spill"].flatMap { name in
                try ["main", "aux"].map { try connection.query("PRAGMA \(name: $0).\(name: name)") }
            }
        }
        let before = try database.blocking.writeWithoutTransaction(settings)
        #expect(before[0] == 2 && before[1] == 0 && before[2] != before[3])
        try database.blocking.writeWithoutTransaction { connection in
            try connection.execute(
                """
                PRAGMA secure_delete = ON; PRAGMA mmap_size = 262144; PRAGMA cache_spill = 0; PRAGMA aux.cache_spill = 9999
                """)
        }
        #expect(try database.blocking.writeWithoutTransaction(settings) == before)
    }

    @Test func theNamesOfColumnsComeBack() throws {
        for database in try databases() {
            try database.blocking.writeWithoutTransaction { connection in
                try connection.execute(
                    "PRAGMA full_column_names = 1; PRAGMA short_column_names = 0")
            }
            try database.blocking.write { try $0.run("INSERT INTO t VALUES(1)") }
            let names = try database.blocking.writeWithoutTransaction { connection in
                try connection.query("SELECT a FROM t LIMIT 1")?.columns.map(\.name)
            }
            #expect(names == ["a"])
        }
    }

    @Test func limitsOfAClosureDoNotKeepItsTransactionOpen() throws {
        for database in try databases() {
            #expect(throws: CancellationError.self) {
                try database.blocking.write { connection in
                    try connection.run("INSERT INTO t VALUES(1)")
                    connection.limits[.sqlLength] = 7
                    throw CancellationError()
                }
            }
            try database.blocking.write { connection in
                try connection.execute("PRAGMA cache_size = 5")
                connection.limits[.sqlLength] = 20
            }
            try database.blocking.write { try $0.run("INSERT INTO t VALUES(2)") }
            #expect(try database.blocking.writeWithoutTransaction { try $0.query("SELECT group_concat(a) FROM t") as String } == "2")
            #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA cache_size") as Int } != 5)
        }
    }

    @Test func theBusyTimeoutComesBack() throws {
        for database in try databases() {
            let timeout = { try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA busy_timeout") as Int } }
            try database.blocking.writeWithoutTransaction { try $0.busyHandler(.custom { _ in false }) }
            #expect(try timeout() == 5000)
            for _ in 0..<2 {
                try database.blocking.writeWithoutTransaction { try $0.run("PRAGMA busy_timeout = 7") }
                #expect(try timeout() == 5000)
            }
        }
    }

    @Test(arguments: [
        ("foreign_keys", 1, 0), ("synchronous", 1, 0), ("query_only", 0, 1), ("recursive_triggers", 1, 0),
        ("ignore_check_constraints", 0, 1),
        ("cache_size", SQLiteLibrary.has("DEFAULT_CACHE_SIZE=128") ? 128 : -2000, 10),
    ])
    func aPragmaComesBackAlsoAfterAnErrorAndWhenItIsGivenAgain(name: String, value: Int, other: Int) throws {
        for database in try databases() {
            let read = { try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA \(raw: name)") as Int } }
            let before = try read()
            #expect(before == value)
            for _ in 0..<2 {
                #expect(throws: CancellationError.self) {
                    try database.blocking.writeWithoutTransaction { connection in
                        try connection.run("PRAGMA \(raw: name) = \(raw: "\(other)")")
                        #expect(try connection.query("PRAGMA \(raw: name)") == other)
                        throw CancellationError()
                    }
                }
                #expect(try read() == before)
            }
            try database.blocking.writeWithoutTransaction { try $0.execute("PRAGMA main.\(raw: name)(\(raw: "\(other)"))") }
            #expect(try read() == before)
        }
    }

    @Test func likeIsAsItWas() throws {
        for database in try databases() {
            try database.blocking.read { connection in
                try connection.run("PRAGMA case_sensitive_like = ON")
                #expect(try connection.query("SELECT 'a' LIKE 'A'") == 0)
            }
            #expect(try database.blocking.read { try $0.query("SELECT 'a' LIKE 'A'") } == 1)
        }
    }

    @Test func aDatabaseThatWasAttachedIsDetached() throws {
        for database in try databases() {
            for _ in 0..<2 {
                try database.blocking.read { connection in
                    try connection.attachDatabase(from: .inMemory, withName: "my \"notes\"")
                    let names: [String] = try connection.query("SELECT name FROM pragma_database_list")
                    #expect(names.contains("my \"notes\""))
                }
                #expect(throws: CancellationError.self) {
                    try database.blocking.write {
                        try $0.attachDatabase(from: .inMemory, withName: "other")
                        throw CancellationError()
                    }
                }
                try database.blocking.writeWithoutTransaction { connection in
                    try connection.execute("ATTACH ':memory:' AS other; CREATE TABLE other.u AS SELECT * FROM t; BEGIN")
                    try connection.execute("INSERT INTO other.u VALUES(1); COMMIT")
                }
            }
            #expect(try database.blocking.writeWithoutTransaction { try $0.query("SELECT count(*) FROM pragma_database_list") } == 1)
        }
    }

    /// What cannot be put back is opened again.
    @Test func aReaderWhoseDatabaseWasDetachedIsReplaced() throws {
        let database = try Database(directory.file("a.db")) {
            try $0.execute("ATTACH DATABASE ':memory:' AS other")
        }
        try database.readerConnectionPool.execute { try $0.detachDatabase(named: "other") }
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM other.sqlite_master") } == 0)
        #expect(database.statistics.openedReaders == 2)
        #expect(database.statistics.readers == 1)
    }

    @Test func limitsComeBack() throws {
        for database in try databases() {
            try database.blocking.read { connection in
                connection.limits[.sqlLength] = 50
                #expect(throws: SQLiteError.self) {
                    try connection.run(SQL(raw: "SELECT 1" + String(repeating: " ", count: 50)))
                }
            }
            try database.blocking.read { try $0.run(SQL(raw: "SELECT 1" + String(repeating: " ", count: 60))) }
        }
    }

    @Test func whatAnInnerClosureSetsEndsWithTheOuterOne() throws {
        for database in try databases() {
            try database.blocking.writeWithoutTransaction { connection in
                try database.blocking.writeWithoutTransaction { try $0.run("PRAGMA foreign_keys = OFF") }
                #expect(try connection.query("PRAGMA foreign_keys") == 0)
            }
            #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA foreign_keys") } == 1)
        }
    }

    @Test func anAsynchronousClosureLeavesNothingEither() async throws {
        for database in try databases() {
            try await database.read { connection in _ = connection.addAuthorizer { _, _, _, _, _ in .deny } }
            for _ in 0..<2 {
                try await database.write { try $0.attachDatabase(from: .inMemory, withName: "other") }
            }
            #expect(try await database.read { try $0.query("SELECT count(*) FROM t") as Int } == 0)
        }
        let snapshot = try await databases()[0].snapshot()
        try await snapshot.read { try $0.authorizer { _, _, _, _, _ in .deny } }
        #expect(try await snapshot.read { try $0.query("SELECT count(*) FROM t") as Int } == 0)
    }

    /// The connection of a queue is its user's, and other hooks are SQift's.
    @Test func otherThingsStay() throws {
        let queue = try ConnectionQueue(connection: Connection())
        try queue.execute { try $0.run("PRAGMA foreign_keys = ON") }
        #expect(try queue.execute { try $0.query("PRAGMA foreign_keys") } == 1)
        let database = try databases()[0]
        let count = Shared(0)
        try database.blocking.writeWithoutTransaction { connection in
            connection.updateHook { _, _, _, _ in count.update { $0 += 1 } }
            try connection.addFunction("twice") { (a: Int) in 2 * a }
            try connection.execute("CREATE TEMP TABLE scratch(a)")
        }
        try database.blocking.writeWithoutTransaction { try $0.execute("INSERT INTO t SELECT twice(3); INSERT INTO scratch VALUES(1)") }
        #expect(count.value == 2)
    }
}

import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

struct SerializeTests {
    let directory: TemporaryDirectory
    let memory: Connection

    init() throws {
        directory = try TemporaryDirectory()
        memory = try Connection(storageLocation: .inMemory)
        try memory.execute("CREATE TABLE kept(a); INSERT INTO kept VALUES('kept')")
    }

    private func expectKept() throws {
        #expect(try memory.query("SELECT a FROM kept") == "kept")
        #expect(try memory.integrityCheck() == [])
    }

    private func image(rows: Int = 20) throws -> Data {
        let connection = try Connection(storageLocation: .inMemory)
        try connection.fill(rows: rows)
        return try connection.serialize()
    }

    /// The header has the number of pages.
    @Test func theBeginningOfADatabaseIsRefused() throws {
        let data = try image(rows: 100)
        try memory.deserialize(data + [0, 1, 2])
        for count in [data.count - 1, data.count - 4095, data.count - 4096, 4096, 512, 100, 1] {
            let error = try sqliteError { try memory.deserialize(data.prefix(count)) }
            #expect([.notADatabase, .corrupt].contains(error.resultCode), "\(count)")
        }
        #expect(try memory.integrityCheck() == [])
    }

    @Test func aFormatThatSQLiteCannotWriteIsRefused() throws {
        for index in [18, 19] {
            for version: UInt8 in [3, 255] {
                var data = try image()
                data[index] = version
                #expect(try sqliteError { try memory.deserialize(data) }.resultCode == .notADatabase)
            }
        }
        try memory.run("INSERT INTO kept VALUES('still')")
    }

    @Test(arguments: ["UTF-16le", "UTF-16be"]) func textsOfAnotherEncodingAreRefused(encoding: String) throws {
        let source = try Connection()
        try source.execute("PRAGMA encoding = \(raw: "'\(encoding)'"); CREATE TABLE u(x); INSERT INTO u VALUES('ä')")
        let data = try source.serialize()
        let error = try sqliteError { try memory.deserialize(data) }
        #expect(error.message == "the data has texts in \(encoding), and the connection has texts in UTF-8")
        #expect(try memory.query("SELECT a FROM kept") == "kept")
        #expect(try sqliteError { try source.deserialize(image()) }.code == 1)
        #expect(try source.query("SELECT x FROM u") == "ä")
        for configuration in [Configuration.sqlite, .recommended, .untrusted] {
            let new = try Connection(":memory:", configuration: configuration)
            try new.deserialize(data)
            #expect(try new.query("SELECT x FROM u") == "ä")
        }
    }

    @Test func aSchemaWithoutEndIsRefused() throws {
        #expect(try sqliteError { try memory.deserialize(endlessSchema()) }.resultCode == .corrupt)
        #expect(try memory.query("SELECT a FROM kept") == "kept")
    }

    @Test func theLimitsOfTheConnectionHold() throws {
        let source = try Connection()
        let columns = (0..<150).map { "c\($0)" }.joined(separator: ", ")
        try source.execute("CREATE TABLE wide(\(raw: columns))")
        memory.limits[.columns] = 100
        #expect(throws: SQLiteError.self) { try memory.deserialize(source.serialize()) }
        #expect(try memory.query("SELECT a FROM kept") == "kept")
        memory.limits[.columns] = 200
        try memory.deserialize(source.serialize())
        #expect(try memory.tableNames() == ["wide"])
    }

    @Test func nothingIsReplacedAfterTheDeadlineOrWhereNothingMayBeWritten() throws {
        let data = try image()
        let error = try sqliteError { try memory.withDeadline(.zero) { try memory.deserialize(data) } }
        #expect(error.resultCode == .interrupt)
        try memory.execute("PRAGMA query_only = ON")
        #expect(try sqliteError { try memory.deserialize(data) }.resultCode == .readOnly)
        #expect(try sqliteError { try memory.deserialize(Data()) }.resultCode == .readOnly)
        try memory.execute("PRAGMA query_only = OFF")
        #expect(try memory.query("SELECT a FROM kept") == "kept")
        try memory.deserialize(data)
    }

    @Test func theSmallestDatabaseHas512Bytes() throws {
        let source = try Connection()
        try source.execute("PRAGMA page_size = 512; PRAGMA user_version = 7")
        let data = try source.serialize()
        #expect(data.count == 512)
        let connection = try Connection()
        try connection.deserialize(data)
        #expect(try connection.query("PRAGMA user_version") == 7)
        #expect(try sqliteError { try connection.deserialize(data.prefix(511)) }.resultCode == .notADatabase)
    }

    @Test func memoryToMemory() throws {
        let data = try image()
        try memory.deserialize(data)
        #expect(try memory.rowCount() == 20)
        #expect(memory.fileName == "")
        #expect(try memory.integrityCheck() == [])
        #expect(try memory.serialize().count == data.count)
    }

    @Test func theBytesAreThoseOfAFile() throws {
        let file = directory.file("a.db")
        try image().write(to: URL(fileURLWithPath: file))
        let connection = try Connection(storageLocation: .onDisk(file))
        #expect(try connection.rowCount() == 20)
        #expect(try connection.serialize() == Data(contentsOf: URL(fileURLWithPath: file)))
    }

    @Test func whatWasDeserializedGrows() throws {
        try memory.deserialize(try image(rows: 1))
        try memory.addRows(500)
        #expect(try memory.rowCount() == 501)
        #expect(try memory.integrityCheck() == [])
    }

    @Test func theSettingsRemain() throws {
        try memory.execute("PRAGMA cache_size = 77; PRAGMA foreign_keys = OFF; CREATE TEMP TABLE aside(a)")
        try memory.deserialize(try image())
        #expect(try memory.query("PRAGMA cache_size") == 77)
        #expect(try memory.query("PRAGMA foreign_keys") == false)
        #expect(try memory.count("aside") == 0)
    }

    @Test(arguments: [512, 8192, 65536]) func pagesOfAnotherSize(size: Int) throws {
        let other = try Connection(storageLocation: .inMemory)
        try other.execute("PRAGMA page_size = \(raw: String(size))")
        try other.fill(rows: 20)
        let data = try other.serialize()
        let error = try sqliteError { try memory.deserialize(data) }
        #expect(error.resultCode == .readOnly)
        #expect(error.hint?.contains("pages of another size") == true)
        try expectKept()

        let unused = try Connection(storageLocation: .inMemory)
        try unused.deserialize(data)
        #expect(try unused.digest() == other.digest())
        try unused.deserialize(Data())
        #expect(try unused.query("SELECT count(*) FROM sqlite_schema") == 0)
        try unused.deserialize(data)
        #expect(try unused.digest() == other.digest())
    }

    @Test func aDatabaseInWALModeMakesTheRoundTrip() throws {
        let connection = try Connection(directory.file("wal.db"))
        try connection.fill(rows: 20)
        let data = try connection.serialize()
        #expect(data[18] == 2)
        #expect(data[19] == 2)
        try memory.deserialize(data)
        #expect(try memory.digest() == connection.digest())
        try memory.addRows()
        #expect(try memory.rowCount() == 21)
        #expect(try memory.serialize()[18] == 1)
        #expect(data[18] == 2)
    }

    @Test func aSliceOfDataHasIndexesOfItsOwn() throws {
        let data = Data([1, 2, 3]) + (try image())
        try memory.deserialize(data.dropFirst(3))
        #expect(try memory.rowCount() == 20)
    }

    @Test func anEmptyDatabase() throws {
        let empty = try Connection(storageLocation: .inMemory).serialize()
        try memory.deserialize(empty)
        #expect(try memory.query("SELECT count(*) FROM sqlite_schema") == 0)
        try memory.fill(rows: 2)
        #expect(try memory.integrityCheck() == [])
        try memory.deserialize(Data())
        #expect(try memory.query("SELECT count(*) FROM sqlite_schema") == 0)
        try memory.fill(rows: 2)
        #expect(try memory.rowCount() == 2)
    }

    @Test func anEmptyFile() throws {
        let file = try Connection(directory.file("empty.db"), configuration: .sqlite)
        try memory.deserialize(file.serialize())
        #expect(try memory.query("SELECT count(*) FROM sqlite_schema") == 0)
        let reader = try Connection(directory.file("empty.db"), mode: .readOnly, configuration: .sqlite)
        try memory.deserialize(reader.serialize())
        try memory.fill(rows: 1)
        #expect(try memory.rowCount() == 1)
    }

    // MARK: What is refused

    @Test(arguments: [1, 99, 100, 511, 512, 4096, 10_000]) func garbageIsRefusedAtOnce(count: Int) throws {
        let garbage = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) })
        let error = try sqliteError { try memory.deserialize(garbage) }
        #expect(error.code == 26)
        #expect(error.message == "file is not a database")
        try expectKept()
    }

    @Test(arguments: [100, 511, 512, 4096, 8192, 40_000]) func onlyTheBeginningIsRefusedAtOnce(count: Int) throws {
        let error = try sqliteError { try memory.deserialize(image().prefix(count)) }
        #expect([26, 11].contains(error.code))
        try expectKept()
    }

    @Test func aDamagedSchemaIsRefusedAtOnce() throws {
        var data = try image()
        for index in 100..<200 { data[index] = 0xff }
        #expect(try sqliteError { try memory.deserialize(data) }.code == 11)
        try expectKept()
    }

    @Test func damageFurtherOnIsForTheIntegrityCheck() throws {
        var data = try image()
        for index in data.count - 4096..<data.count - 4000 { data[index] = 0xff }
        try memory.deserialize(data)
        #expect(try !memory.integrityCheck().isEmpty)
    }

    @Test func insideATransactionBothAreRefused() throws {
        let data = try image()
        try memory.transaction {
            let into = try sqliteError { try memory.deserialize(data) }
            #expect(into.message == "a database cannot be serialized or deserialized inside a transaction")
            let out = try sqliteError { _ = try memory.serialize() }
            #expect(out.resultCode == .misuse)
        }
        try expectKept()
    }

    @Test func whileAStatementIsReadItIsRefused() throws {
        let data = try image()
        try memory.forEach("SELECT a FROM kept") { row in
            let error = try sqliteError { try memory.deserialize(data) }
            #expect(error.kind == .problem(BackupProblem.destinationHasBusyStatement))
            #expect(try row.get(0) == "kept")
        }
        try expectKept()
    }

    @Test func aConnectionToAFileIsRefused() throws {
        let file = try Connection(directory.file("a.db"))
        #expect(try sqliteError { try file.deserialize(image()) }.resultCode == .misuse)
    }

    @Test func unknownNamesAndClosedConnections() throws {
        #expect(try sqliteError { _ = try memory.serialize(databaseNamed: "nope") }.code == 1)
        memory.close()
        #expect(try sqliteError { _ = try memory.serialize() }.message == "the connection is closed")
        #expect(try sqliteError { try memory.deserialize(Data()) }.message == "the connection is closed")
    }

    @Test func aFileThatIsNoDatabase() throws {
        try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: directory.file("text")))
        let text = try Connection(storageLocation: .onDisk(directory.file("text")))
        #expect(try sqliteError { _ = try text.serialize() }.code == 26)
    }

    @Test func attachedDatabasesByName() throws {
        try memory.attachDatabase(from: .inMemory, withName: "other")
        try memory.execute("CREATE TABLE other.o(a)")
        let copy = try Connection(storageLocation: .inMemory)
        try copy.deserialize(memory.serialize(databaseNamed: "other"))
        #expect(try copy.query("SELECT name FROM sqlite_schema") == "o")
    }

    /// The two schemas have the same number; SQLite takes a statement of the one for one of the other, and reads wrong pages.
    @Test func statementsOfBeforeArePreparedAnew() throws {
        func make(_ script: SQL) throws -> Connection {
            let connection = try Connection(storageLocation: .inMemory)
            try connection.execute(script)
            return connection
        }
        let first = try make(
            "CREATE TABLE a(x); CREATE TABLE b(x); INSERT INTO a VALUES('a1'); INSERT INTO b VALUES('b1')")
        let second = try make(
            "CREATE TABLE b(x); CREATE TABLE a(x); INSERT INTO a VALUES('a2'); INSERT INTO b VALUES('b2')")
        let own = try first.prepare("SELECT x FROM a")
        #expect(try own.query() == ["a1"])
        #expect(try first.query("SELECT x FROM a") == "a1")
        try first.deserialize(second.serialize())
        #expect(try own.query() == ["a2"])
        #expect(try first.query("SELECT x FROM a") == "a2")
    }

    /// After `sqlite3_deserialize` on this connection, SQLite would look for the freed schema of these tables beyond the end
    /// of a list, which ends the process now and then.
    @Test func theTablesOfFunctionsBelongToTheNewSchema() throws {
        func expectTables(_ column: String) throws {
            let sql: SQL = "SELECT p.name FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS p"
            #expect(try memory.query(sql) == column)
            #expect(try memory.query("SELECT value FROM json_each('[7]')") == 7)
            if try memory.query("SELECT sqlite_compileoption_used('ENABLE_DBSTAT_VTAB')") {
                #expect(try memory.query("SELECT count(*) FROM dbstat") > 0)
            }
            #expect(try memory.query("SELECT 1 WHERE 3 IN \(in: [1, 2, 3])") == 1)
        }
        try expectTables("a")
        let other = try Connection(storageLocation: .inMemory)
        try other.execute("CREATE TABLE other(id INTEGER PRIMARY KEY)")
        let data = try other.serialize()
        for _ in 0..<20 {
            try memory.deserialize(data)
            try expectTables("id")
        }
    }

    @Test(.enabled(if: SQLiteFeatures.sessions)) func whileChangesAreRecorded() throws {
        let data = try image()
        try memory.fill(rows: 1)
        let changes = try memory.recordChanges(in: "t") {
            try $0.addRows()
            try $0.deserialize(data)
            try $0.run("UPDATE t SET bytes = NULL WHERE id = 20")
        }
        #expect(try Set(changes.elements.map(\.operation)) == [.insert, .update])
        let recorder = try memory.startRecording()
        try memory.addRows()
        try memory.deserialize(data)
        try memory.addRows()
        #expect(try recorder.changeset().elements.count == 1)
        #expect(try memory.rowCount() == 21)
    }

    @Test func aBackupOfWhatWasDeserialized() throws {
        try memory.deserialize(try image())
        let copy = try Connection(storageLocation: .onDisk(directory.file("copy.db")))
        try memory.backup(to: copy, pagesPerStep: 5).run()
        #expect(try copy.digest() == memory.digest())
    }
}

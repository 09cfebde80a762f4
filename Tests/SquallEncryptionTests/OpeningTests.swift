import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

/// Every connection that the library opens to an encrypted file has the key.
@Suite(.enabled(if: EncryptedFolder.hasCipher)) struct OpeningTests {
    private let folder: EncryptedFolder
    private let configuration = EncryptedFolder.configuration()

    init() throws {
        folder = try EncryptedFolder()
        try folder.makeFile(configuration)
    }

    private func openDatabase() throws -> Database { try Database(folder.file(), configuration: configuration) }

    @Test(arguments: [Configuration.JournalMode.wal, .delete, .truncate, .persist])
    func readersAndTheWriterHaveTheKey(_ mode: Configuration.JournalMode) async throws {
        var configuration = configuration
        configuration.journalMode = mode
        let database = try Database(folder.file(), configuration: configuration)
        try await database.write { try $0.run("INSERT INTO notes(text) VALUES(\(EncryptedFolder.needle + "!"))") }
        let texts: [String] = try await database.read { try $0.query("SELECT text FROM notes") }
        #expect(texts == [EncryptedFolder.needle, EncryptedFolder.needle + "!"])
        #expect(try folder.filesInClear() == [])
    }

    @Test(arguments: [Connection.Mode.existing, .readOnly, .immutable]) func aFileIsOpenedInEachMode(
        _ mode: Connection.Mode
    ) throws {
        let connection = try Connection(folder.file(), mode: mode, configuration: configuration)
        #expect(try connection.query("SELECT text FROM notes") == EncryptedFolder.needle)
        let database = try Database(folder.file(), mode: mode, configuration: configuration)
        #expect(try database.blocking.read { try $0.query("SELECT text FROM notes") } == EncryptedFolder.needle)
        #expect(
            try errorKind {
                _ = try Connection(folder.file(), mode: mode, configuration: EncryptedFolder.configuration(2))
            } == .problem(FileProblem.wrongKey, of: .file(folder.file())))
    }

    @Test func aNewFileIsEncryptedFromItsFirstPageOn() throws {
        try folder.makeFile(configuration, in: "new.db")
        let connection = try Connection(folder.file("exclusive.db"), mode: .createNew, configuration: configuration)
        try connection.execute("CREATE TABLE notes(text)")
        #expect(try folder.filesInClear() == [])
    }

    @Test func anUntrustedFileIsOpenedWithItsKey() throws {
        var untrusted = Configuration.untrusted
        untrusted.encryption = configuration.encryption
        #expect(try folder.notes(untrusted) == [EncryptedFolder.needle])
    }

    @Test func snapshotsHaveTheKey() async throws {
        let database = try openDatabase()
        let snapshot = try await database.snapshot()
        try await database.write { try $0.execute("DELETE FROM notes") }
        #expect(try await snapshot.read { try $0.query("SELECT text FROM notes") } == EncryptedFolder.needle)
    }

    @Test func aBackupHasTheKeyOfTheDatabase() async throws {
        let database = try openDatabase()
        for try await _ in database.backup(to: folder.file("copy.db")) {}
        #expect(try folder.notes(configuration, in: "copy.db") == [EncryptedFolder.needle])
        #expect(try folder.filesInClear() == [])
    }

    @Test func aBackupIsWrittenWithTheKeyOfItsDestination() throws {
        let source = try Connection(folder.file(), configuration: configuration)
        let destination = try Connection(folder.file("copy.db"), configuration: EncryptedFolder.configuration(2))
        try source.backup(to: destination).run()
        #expect(try destination.query("SELECT text FROM notes") == EncryptedFolder.needle)
        #expect(try folder.notes(EncryptedFolder.configuration(2), in: "copy.db") == [EncryptedFolder.needle])
        #expect(try folder.filesInClear() == [])
    }

    @Test func aBackupToAPlainDatabaseIsRefused() throws {
        let source = try Connection(folder.file(), configuration: configuration)
        for path in [folder.file("copy.db"), ":memory:"] {
            let destination = try Connection(path)
            #expect(throws: SQLiteError.self) { try source.backup(to: destination).run() }
            #expect(throws: SQLiteError.self) { try destination.backup(to: source).run() }
        }
        #expect(try folder.notes(configuration) == [EncryptedFolder.needle])
    }

    @Test func aVacuumedCopyHasTheKey() throws {
        let connection = try Connection(folder.file(), configuration: configuration)
        try connection.vacuum()
        try connection.vacuum(into: folder.file("copy.db"))
        #expect(try folder.notes(configuration, in: "copy.db") == [EncryptedFolder.needle])
        #expect(try folder.filesInClear() == [])
    }

    @Test func anEncryptedDatabaseIsNotSerialized() throws {
        let connection = try Connection(folder.file(), configuration: configuration)
        #expect(try errorKind { _ = try connection.serialize() } == .problem(UpkeepProblem.encrypted))
    }

    @Test func temporaryTablesAndSortsStayInMemory() async throws {
        let connection = try Connection(folder.file(), configuration: configuration)
        #expect(try connection.query("PRAGMA temp_store") == 2)
        let database = try openDatabase()
        #expect(try await database.read { try $0.query("PRAGMA temp_store") } == 2)
        #expect(try await database.write { try $0.query("PRAGMA temp_store") } == 2)
    }

    @Test(arguments: [
        "PRAGMA temp_store = FILE", "pragma main.temp_store(1)", "EXPLAIN PRAGMA \"temp_store\" = 'default'",
        "PRAGMA temp_store = 0", "SELECT 1; /* ; */ PRAGMA temp_store=x",
    ])
    func temporaryFilesAreRefused(_ sql: String) throws {
        let connection = try Connection(folder.file(), configuration: configuration)
        let plain = try Connection(folder.file("plain.db"))
        try connection.execute("CREATE TEMP TABLE kept AS SELECT 1 AS a")
        try plain.attachDatabase(
            from: .onDisk(folder.file()), withName: "sealed", encryption: configuration.encryption)
        for connection in [connection, plain] {
            #expect(
                try errorKind { try connection.execute(SQL(raw: sql)) } == .problem(EncryptionProblem.temporaryFiles))
            try connection.execute("PRAGMA temp_store; PRAGMA temp_store = memory; PRAGMA temp_store(2)")
            #expect(try connection.query("PRAGMA temp_store") == 2)
        }
        #expect(try connection.query("SELECT a FROM kept") == 1)
        try plain.detachDatabase(named: "sealed")
        try plain.execute("PRAGMA temp_store = FILE")
    }

    @Test(.timeLimit(.minutes(1)), arguments: [Configuration.JournalMode.wal, .delete])
    func observersSeeTheCommitsOfOthers(_ mode: Configuration.JournalMode) async throws {
        var configuration = configuration
        configuration.journalMode = mode
        let database = try Database(folder.file(), configuration: configuration)
        let counts = database.observe { try $0.query("SELECT count(*) FROM notes") as Int }
        let other = try Connection(folder.file(), configuration: configuration)
        for try await count in counts {
            if count == 3 { break }
            try other.run("INSERT INTO notes(text) VALUES('other')")
        }
    }
}

import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

/// Damaged, locked and unusual files, and closures that misbehave.
@Suite(.enabled(if: EncryptedFolder.hasCipher)) struct AdverseFileTests {
    private let folder: EncryptedFolder
    private let configuration = EncryptedFolder.configuration()

    init() throws {
        folder = try EncryptedFolder()
    }

    private func bytes(_ name: String = "app.db") -> [UInt8] {
        Array(FileManager.default.contents(atPath: folder.file(name)) ?? Data())
    }

    private func write(_ bytes: some Sequence<UInt8>, to name: String = "app.db") throws {
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
    }

    private func makeLongFile() throws {
        let connection = try Connection(folder.file(), configuration: configuration)
        try connection.execute(
            """
            CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            INSERT INTO notes SELECT i, printf('%03000d', i) FROM n
            """)
    }

    @Test(arguments: [20, 50, 3_000, 4_090]) func aFlippedBitInTheFirstPageIsReported(_ position: Int) throws {
        try makeLongFile()
        var changed = bytes()
        changed[position] ^= 4
        try write(changed)
        #expect(
            try errorKind { _ = try folder.notes(configuration) }
                == .problem(FileProblem.wrongKey, of: .file(folder.file())))
        changed[position] ^= 4
        try write(changed)
        #expect(try folder.notes(configuration).count == 100)
    }

    @Test(arguments: [100, 4_000, 4_090]) func aFlippedBitInAnotherPageIsReported(_ position: Int) throws {
        try makeLongFile()
        var changed = bytes()
        changed[4_096 * 30 + position] ^= 4
        try write(changed)
        #expect(
            try errorKind { _ = try folder.notes(configuration) }
                == .problem(EncryptionProblem.damagedPage, of: .file(folder.file())))
        // Of the copies, none is left.
        let database = try Database(folder.file(), configuration: configuration)
        let copies: [() throws -> Void] = [
            { try database.blocking.copy(to: folder.file("copy.db"), encryption: nil) },
            { try database.blocking.backup(to: folder.file("copy.db")) },
        ]
        for copy in copies {
            #expect(
                try errorKind(copy) == .problem(EncryptionProblem.damagedPage, of: .file(folder.file())))
        }
        #expect(try folder.names().contains("copy.db") == false)
        try database.blocking.close()
        // Rows of other pages can be read.
        let connection = try Connection(folder.file(), configuration: configuration)
        #expect(try connection.query("SELECT length(text) FROM notes WHERE id = 1") == 3_000)
        changed[4_096 * 30 + position] ^= 4
        try write(changed)
        #expect(try folder.notes(configuration).count == 100)
    }

    /// It is repaired as one that is not encrypted.
    @Test func aFileWithADamagedSchemaIsOpened() throws {
        try folder.makeFile(configuration)
        var lenient = Configuration.sqlite
        lenient.encryption = configuration.encryption
        let sql: String = try Connection(folder.file(), configuration: lenient).query("SELECT sql FROM sqlite_schema")
        func write(_ sql: String) throws {
            let connection = try Connection(folder.file(), configuration: lenient)
            try connection.execute("PRAGMA writable_schema = ON")
            try connection.run("UPDATE sqlite_schema SET sql = \(sql)")
        }
        try write("CREATE")
        #expect(try sqliteError { _ = try folder.notes(lenient) }.resultCode == .corrupt)
        try write(sql)
        #expect(try folder.notes(configuration) == [EncryptedFolder.needle])
    }

    @Test func filesThatEndTooSoon() throws {
        try makeLongFile()
        let all = bytes()
        for count in [16, 100, 511, 512, 1_024, 4_095, 4_096, 4_097, 8_192, all.count - 1] {
            try write(all.prefix(count))
            for opening in [configuration, .recommended] { _ = try? folder.notes(opening) }
            #expect(bytes().count == count)
        }
    }

    @Test(arguments: [Configuration.JournalMode.delete, .wal]) func aLockedFileIsBusy(_ mode: Configuration.JournalMode)
        throws
    {
        var configuration = configuration
        configuration.journalMode = mode
        configuration.busyTimeout = .milliseconds(20)
        try folder.makeFile(configuration)
        let locking = try Connection(folder.file(), configuration: configuration)
        try locking.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; INSERT INTO notes(text) VALUES('x')")
        for other in [EncryptedFolder.configuration(1), EncryptedFolder.configuration(2), .recommended] {
            var other = other
            other.busyTimeout = .milliseconds(20)
            other.journalMode = mode
            // The journal of the transaction is kept from an opening without the key.
            let isRefused = other.encryption == nil && mode == .delete
            #expect(try sqliteError { _ = try folder.notes(other) }.resultCode == (isRefused ? .notADatabase : .busy))
        }
        try locking.execute("COMMIT")
        #expect(try locking.query("SELECT count(*) FROM notes") == 2)
    }

    @Test func aClosureMayOpenTheFile() throws {
        try folder.makeFile(configuration)
        let (path, inner) = (folder.file(), configuration)
        let key = [UInt8](repeating: 1, count: 32)
        let outer = EncryptedFolder.configuration(
            .rawKey {
                let count: Int = try Connection(path, configuration: inner).query("SELECT count(*) FROM notes")
                #expect(count == 1)
                return key
            })
        #expect(try folder.notes(outer) == [EncryptedFolder.needle])
        let database = try Database(path, configuration: outer)
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM notes") } == 1)
    }

    @Test(.timeLimit(.minutes(1))) func aClosureThatUsesItsOwnDatabaseIsRefused() async throws {
        try folder.makeFile(configuration)
        let opened = Shared<Database?>(nil)
        let key = [UInt8](repeating: 1, count: 32)
        let asking = EncryptedFolder.configuration(
            .rawKey {
                let _: Int? = try opened.value?.blocking.read { try $0.query("SELECT 1") }
                return key
            })
        let database = try Database(folder.file(), configuration: asking)
        opened.update { $0 = database }
        let error = await #expect(throws: SQLiteError.self) {
            try await database.read { try $0.query("SELECT 1") as Int }
        }
        #expect(error?.resultCode == .misuse)
        opened.update { $0 = nil }
        #expect(try await database.read { try $0.query("SELECT count(*) FROM notes") } == 1)
    }

    private struct Refusal: Error {}

    @Test func aClosureThatThrowsLaterFailsOnlyItsRead() async throws {
        try folder.makeFile(configuration)
        let refuses = Shared(false)
        let key = [UInt8](repeating: 1, count: 32)
        let asking = EncryptedFolder.configuration(
            .rawKey {
                if refuses.value { throw Refusal() }
                return key
            })
        let database = try Database(folder.file(), configuration: asking)
        refuses.update { $0 = true }
        await #expect(throws: Refusal.self) { try await database.read { try $0.query("SELECT 1") as Int } }
        await #expect(throws: Refusal.self) { _ = try await database.snapshot() }
        await #expect(throws: Refusal.self) { for try await _ in database.backup(to: folder.file("copy.db")) {} }
        #expect(!FileManager.default.fileExists(atPath: folder.file("copy.db")))
        try await database.write { try $0.run("INSERT INTO notes(text) VALUES('more')") }
        var stream = database.observe { try $0.query("SELECT count(*) FROM notes") as Int }.makeAsyncIterator()
        await #expect(throws: Refusal.self) { _ = try await stream.next() }
        refuses.update { $0 = false }
        #expect(try await database.read { try $0.query("SELECT count(*) FROM notes") } == 2)
    }

    @Test(.timeLimit(.minutes(1))) func thirtyThreadsOpenAtOnce() async throws {
        try folder.makeFile(configuration)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<30 {
                group.addTask { [folder, configuration] in
                    if number % 3 == 0 {
                        let other = EncryptedFolder.configuration(2)
                        return (try? folder.notes(other)) == nil ? 1 : 0
                    }
                    let database = try Database(folder.file(), configuration: configuration)
                    try await database.write { try $0.run("INSERT INTO notes(text) VALUES('more')") }
                    return try await database.read { try $0.query("SELECT count(*) > 1 FROM notes") }
                }
            }
            for try await count in group { #expect(count == 1) }
        }
        #expect(try folder.notes(configuration).count == 21)
        #expect(try folder.filesInClear() == [])
    }

    @Test func theKeyIsInNoDescription() throws {
        let secret = "secret-key-secret-key-secret-key"
        let key = EncryptedFolder.configuration(.rawKey(Array(secret.utf8)))
        try folder.makeFile(EncryptedFolder.configuration(2))
        var text = ""
        dump(key, to: &text)
        text += String(reflecting: key) + "\(key.encryption as Any)"
        do { _ = try folder.notes(key) } catch {
            dump(error, to: &text); text += "\(error)\(String(reflecting: error))"
        }
        let other = Encryption.rawKey(Array(secret.utf8))
        let connection = try Connection(folder.file("o.db"))
        do { try connection.attachDatabase(from: .onDisk(folder.file()), withName: "o", encryption: other) } catch {
            dump(error, to: &text); text += "\(error)"
        }
        do { try connection.attachDatabase(from: .onDisk(folder.file()), withName: "main", encryption: other) } catch {
            dump(error, to: &text); text += "\(error)"
        }
        let digits = secret.utf8.map { String($0, radix: 16) }.joined()
        #expect(!text.contains(secret) && !text.contains(digits) && !text.contains("115"))
    }

    @Test(arguments: [":memory:", ""]) func onDiskWithAnotherNameIsRefused(_ path: String) throws {
        let connection = try Connection(folder.file(), configuration: configuration)
        #expect(
            try errorKind {
                try connection.attachDatabase(from: .onDisk(path), withName: "o", encryption: configuration.encryption)
            } == .problem(EncryptionProblem.needsFile))
        try connection.attachDatabase(from: .onDisk(path), withName: "o")
        try connection.attachDatabase(from: .onDisk(path), withName: "p", encryption: nil)
        try connection.execute("CREATE TABLE o.t(x); CREATE TABLE p.t(x)")
    }
}

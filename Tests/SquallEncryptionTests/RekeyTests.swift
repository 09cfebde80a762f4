import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteLibrary.cipher?.name == "SQLCipher"), .timeLimit(.minutes(1))) struct RekeyTests {
    private let folder: EncryptedFolder
    private let old = EncryptedFolder.configuration(1)
    private let new = EncryptedFolder.configuration(2)
    private let newKey = Encryption.rawKey([UInt8](repeating: 2, count: 32))

    init() throws {
        folder = try EncryptedFolder()
    }

    /// Opens a database with 1,000 rows.
    private func openDatabase(
        _ mode: Configuration.JournalMode = .wal, _ configuration: Configuration? = nil
    ) throws -> Database {
        var configuration = configuration ?? old
        configuration.journalMode = mode
        let database = try Database(folder.file(), configuration: configuration)
        try database.blocking.write { connection in
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS notes(id INTEGER PRIMARY KEY, text TEXT);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                INSERT INTO notes(text) SELECT printf('%0300d', i) FROM n
                """)
        }
        return database
    }

    private func code(_ body: () async throws -> Void) async -> ResultCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SQLiteError)?.resultCode
        }
    }

    private func count(_ configuration: Configuration) throws -> Int { try folder.notes(configuration).count }

    @Test(arguments: [Configuration.JournalMode.wal, .delete, .truncate, .persist])
    func allConnectionsHaveTheNewKey(_ mode: Configuration.JournalMode) async throws {
        let database = try openDatabase(mode)
        _ = try await database.read { try $0.query("SELECT count(*) FROM notes") as Int }
        try await database.rekey(to: newKey)
        let read: Int = try await database.read { try $0.query("SELECT count(*) FROM notes") }
        #expect(read == 1_000)
        let found: String = try await database.write { connection in
            try connection.run("INSERT INTO notes(text) VALUES(\(EncryptedFolder.needle))")
            return try connection.query("PRAGMA journal_mode")
        }
        #expect(found == mode.rawValue.lowercased())
        let snapshot = try await database.snapshot()
        #expect(try await snapshot.read { try $0.query("SELECT count(*) FROM notes") } == 1_001)
        try snapshot.close()
        // While the database is open, and after it.
        for _ in 1...2 {
            #expect(try count(new) == 1_001)
            #expect(try errorKind { _ = try count(old) } == .problem(FileProblem.wrongKey, of: .file(folder.file())))
            #expect(try folder.filesInClear() == [])
            try await database.close()
        }
    }

    @Test func theLogHasNoPageOfTheOldKey() async throws {
        let database = try openDatabase()
        try await database.rekey(to: newKey)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("app.db-wal"))
        #expect(attributes[.size] as? Int == 0)
    }

    @Test func textsBytesAndRawKeysFollowEachOther() async throws {
        let keys: [Encryption] = [
            .passphrase { "one" }, .passphrase { Array("two \0 two".utf8) }, .rawKey([UInt8](repeating: 7, count: 32)),
            .rawKey([UInt8](0..<48)), .passphrase { "two" }, .rawKey([UInt8](1...48)),
        ]
        let database = try openDatabase(.wal, EncryptedFolder.configuration(keys[0]))
        for key in keys[1...] + [keys[0]] {
            try await database.rekey(to: key)
            #expect(try count(EncryptedFolder.configuration(key)) == 1_000)
            try await database.write { try $0.run("UPDATE notes SET text = text || 'x' WHERE id % 7 = 0") }
            #expect(try await database.read { try $0.query("PRAGMA integrity_check") } == "ok")
        }
        try await database.close()
        #expect(try count(EncryptedFolder.configuration(keys[0])) == 1_000)
    }

    /// Begins a read that lasts until the semaphore lets it end, and returns whether the rows stayed the same.
    private func beginRead(of database: Database) async -> (Task<Bool, any Error>, mayEnd: DispatchSemaphore) {
        let ((begun, begin), mayEnd) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        let read = Task.detached {
            try await database.read { connection in
                let before: Int = try connection.query("SELECT count(*) FROM notes")
                begin.yield()
                mayEnd.wait()
                return try before == connection.query("SELECT count(*) FROM notes")
            }
        }
        for await _ in begun { break }
        return (read, mayEnd)
    }

    private func waitUntilReadsAreHeldBack(_ database: Database) async {
        while database.statistics.waits == 0 {
            _ = try? await database.read(deadline: .milliseconds(5)) { try $0.query("SELECT 1") as Int }
        }
    }

    @Test func theCallWaitsForReadsAndLaterOnesWaitForIt() async throws {
        let database = try openDatabase()
        let (read, mayEnd) = await beginRead(of: database)
        let key = newKey
        let rekey = Task.detached { try await database.rekey(to: key) }
        await waitUntilReadsAreHeldBack(database)
        let reads = (1...20).map { _ in
            Task.detached { try await database.read { try $0.query("SELECT count(*) FROM notes") as Int } }
        }
        mayEnd.signal()
        #expect(try await read.value)
        try await rekey.value
        for read in reads { #expect(try await read.value == 1_000) }
        #expect(try count(new) == 1_000)
    }

    @Test func readsWritesAndObserversGoOn() async throws {
        let database = try openDatabase()
        let isDone = Locked(false)
        let users = (0..<4).map { number in
            Task.detached {
                var rounds = 0
                while !isDone.withLock({ $0 }) {
                    if number == 0 {
                        try await database.write { try $0.run("INSERT INTO notes(text) VALUES('more')") }
                    } else {
                        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM notes") }
                        #expect(count >= 1_000)
                    }
                    rounds += 1
                }
                return rounds
            }
        }
        var keys = [newKey]
        for byte in UInt8(3)..<8 { keys.append(.rawKey([UInt8](repeating: byte, count: 32))) }
        for key in keys { try await database.rekey(to: key) }
        isDone.withLock { $0 = true }
        for user in users { #expect(try await user.value > 0) }
        try await database.write { try $0.run("INSERT INTO notes(text) VALUES('last')") }
        let configuration = EncryptedFolder.configuration(keys.last!)
        try await database.close()
        #expect(try folder.notes(configuration).last == "last")
    }

    @Test func openSnapshotsAndBackupsBlockIt() async throws {
        let database = try openDatabase()
        let snapshot = try await database.snapshot()
        #expect(await problem { try await database.rekey(to: newKey) } == .problem(EncryptionProblem.rekeyBlocked))
        try snapshot.close()
        var backup = database.backup(to: folder.file("copy.db"), pagesPerStep: 1).makeAsyncIterator()
        _ = try await backup.next()
        #expect(await problem { try await database.rekey(to: newKey) } == .problem(EncryptionProblem.rekeyBlocked))
        while try await backup.next() != nil {}
        #expect(try count(old) == 1_000)
        try await database.rekey(to: newKey)
        #expect(try count(new) == 1_000)
        #expect(try folder.notes(old, in: "copy.db").count == 1_000)
    }

    @Test func refusals() async throws {
        let database = try openDatabase()
        var other = newKey
        other.parameters.pageSize = 8_192
        #expect(await problem { try await database.rekey(to: other) } == .problem(EncryptionProblem.parametersOfFile))
        #expect(
            await problem { try await database.rekey(to: .passphrase { "" }) } == .problem(EncryptionProblem.emptyKey))
        #expect(
            await problem { try await database.rekey(to: .rawKey([1])) } == .problem(EncryptionProblem.rawKeySize(1)))
        struct Refused: Error {}
        await #expect(throws: Refused.self) {
            try await database.rekey(to: .passphrase { () -> String in throw Refused() })
        }
        try blocking {
            try database.blocking.write { connection in
                #expect(
                    try errorKind { try database.blocking.rekey(to: newKey) }
                        == .problem(EncryptionProblem.rekeyInsideClosure))
                try connection.run("INSERT INTO notes(text) VALUES('inside')")
            }
        }
        let plain = try Database(folder.file("plain.db"))
        #expect(await problem { try await plain.rekey(to: newKey) } == .problem(EncryptionProblem.notEncrypted))
        // Nothing has changed, also for the connection that had begun.
        #expect(try await database.read { try $0.query("SELECT count(*) FROM notes") } == 1_001)
        try await database.write { try $0.run("INSERT INTO notes(text) VALUES('after')") }
        #expect(try count(old) == 1_002)
    }

    @Test func aReadThatDoesNotEndIsWaitedForUntilTheDeadline() async throws {
        let database = try openDatabase()
        let (read, mayEnd) = await beginRead(of: database)
        #expect(
            await problem { try await database.rekey(to: newKey, deadline: .milliseconds(20)) }
                == .interrupted(.deadline))
        let key = newKey
        let cancelled = Task.detached { try await database.rekey(to: key) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        mayEnd.signal()
        #expect(try await read.value)
        #expect(try count(old) == 1_000)
        #expect(try await database.read { try $0.query("SELECT count(*) FROM notes") } == 1_000)
    }

    @Test func theKeyThatAnotherDatabaseHasChangedIsWrong() async throws {
        let database = try openDatabase()
        let other = try Database(folder.file(), configuration: old)
        #expect(try await other.read { try $0.query("SELECT count(*) FROM notes") } == 1_000)
        try await database.rekey(to: newKey)
        let wrong = SQLiteError.Kind.problem(FileProblem.wrongKey, of: .file(folder.file()))
        #expect(
            await problem { _ = try await other.read { try $0.query("SELECT count(*) FROM notes") as Int } } == wrong)
        #expect(await problem { try await other.write { try $0.run("INSERT INTO notes(text) VALUES('x')") } } == wrong)
        try? await other.close()
        #expect(try count(new) == 1_000)
        #expect(try await database.read { try $0.query("PRAGMA integrity_check") } == "ok")
    }

    @Test func aReadOnlyDatabaseKeepsItsKey() async throws {
        try await openDatabase().close()
        let database = try Database(folder.file(), mode: .readOnly, configuration: old)
        #expect(await code { try await database.rekey(to: newKey) } == .readOnly)
        #expect(try await database.read { try $0.query("SELECT count(*) FROM notes") } == 1_000)
        #expect(try count(old) == 1_000)
    }

    @Test func oneValueOfTwoDatabasesIsChangedInOne() async throws {
        let database = try openDatabase()
        let other = try Database(folder.file("other.db"), configuration: old)
        try await other.write { try $0.execute("CREATE TABLE notes(text); INSERT INTO notes VALUES('other')") }
        try await database.rekey(to: newKey)
        #expect(try await other.read { try $0.query("SELECT text FROM notes") } == "other")
        let third = try Database(folder.file("third.db"), configuration: old)
        try await third.write { try $0.execute("CREATE TABLE notes(text); INSERT INTO notes VALUES('third')") }
        #expect(try folder.notes(old, in: "third.db") == ["third"])
    }

    /// The parameters of files, by a name for the arguments of tests.
    private static let parameters: [String: @Sendable (inout Encryption.Parameters) -> Void] = [
        "iterations": { $0.iterations = 10 },
        "page size": { $0.pageSize = 8_192 },
        "SQLCipher 3": { ($0.compatibility, $0.iterations) = (.sqlCipher3, 10) },
        "header in clear": { $0.plaintextHeaderSalt = [UInt8](repeating: 9, count: 16) },
        "all": { parameters in
            parameters.pageSize = 1_024
            parameters.iterations = 11
            parameters.plaintextHeaderSalt = [UInt8](repeating: 8, count: 16)
        },
    ]

    @Test(arguments: parameters.keys.sorted(), [true, false])
    func theParametersStay(_ name: String, _ isRaw: Bool) async throws {
        func configuration(_ byte: UInt8) -> Configuration {
            let bytes = [UInt8](repeating: byte, count: 32)
            var encryption = isRaw ? Encryption.rawKey(bytes) : .passphrase { bytes }
            Self.parameters[name]?(&encryption.parameters)
            return EncryptedFolder.configuration(encryption)
        }
        let database = try openDatabase(.wal, configuration(1))
        let key = try #require(configuration(2).encryption)
        try await database.rekey(to: key)
        try await database.write { try $0.run("INSERT INTO notes(text) VALUES('after')") }
        try await database.close()
        #expect(try count(configuration(2)) == 1_001)
        #expect(throws: SQLiteError.self) { _ = try count(configuration(1)) }
    }

    @Test(arguments: [Configuration.JournalMode.wal, .delete])
    func aFileThatAnotherConnectionWritesIsBusy(_ mode: Configuration.JournalMode) async throws {
        var configuration = old
        configuration.busyTimeout = .milliseconds(1)
        configuration.journalMode = mode
        let database = try openDatabase(mode, configuration)
        let other = try Connection(folder.file(), configuration: configuration)
        try other.run("BEGIN IMMEDIATE")
        #expect(try other.query("SELECT count(*) FROM notes") == 1_000)
        #expect(await code { try await database.rekey(to: newKey) } == .busy)
        try other.run("COMMIT")
        other.close()
        #expect(try await database.read { try $0.query("SELECT count(*) FROM notes") } == 1_000)
        try await database.write { try $0.run("INSERT INTO notes(text) VALUES('after')") }
        #expect(try count(old) == 1_001)
    }

    /// The busy timeout is longer than the test may take.
    @Test func aReaderOfAnotherConnectionIsNotWaitedFor() async throws {
        var configuration = old
        configuration.busyTimeout = .seconds(600)
        let database = try openDatabase(.wal, configuration)
        let other = try Connection(folder.file(), configuration: configuration)
        try other.run("BEGIN")
        #expect(try other.query("SELECT count(*) FROM notes") == 1_000)
        try await database.rekey(to: newKey)
        #expect(try await database.read { try $0.query("SELECT count(*) FROM notes") } == 1_000)
        #expect(try other.query("SELECT count(*) FROM notes") == 1_000)
        try other.run("COMMIT")
        #expect(try count(new) == 1_000)
    }

    @Test func theKeyThatAnotherDatabaseHasChangedCannotBeChanged() async throws {
        let database = try openDatabase()
        try await Database(folder.file(), configuration: old).rekey(to: newKey)
        #expect(
            await problem { try await database.rekey(to: .rawKey([UInt8](repeating: 3, count: 32))) }
                == .problem(FileProblem.wrongKey, of: .file(folder.file())))
        #expect(try count(new) == 1_000)
    }

    @Test func aReaderOfAnotherConnectionBlocksItWithoutALog() async throws {
        var configuration = old
        configuration.busyTimeout = .milliseconds(5)
        configuration.journalMode = .delete
        let database = try openDatabase(.delete, configuration)
        let other = try Connection(folder.file(), configuration: configuration)
        try other.run("BEGIN")
        #expect(try other.query("SELECT count(*) FROM notes") == 1_000)
        #expect(try sqliteError { try database.blocking.rekey(to: newKey) }.resultCode == .busy)
        try other.run("COMMIT")
        try await database.rekey(to: newKey)
        #expect(try count(new) == 1_000)
    }

    @Test func aFileThatIsMovedWhileTheCallWaitsKeepsItsKey() async throws {
        let database = try openDatabase()
        let (read, mayEnd) = await beginRead(of: database)
        let key = newKey
        let rekey = Task.detached { try await database.rekey(to: key) }
        await waitUntilReadsAreHeldBack(database)
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.moveItem(
                atPath: folder.file() + suffix, toPath: folder.file("moved.db") + suffix)
        }
        mayEnd.signal()
        #expect(await problem { try await rekey.value } == .problem(FileProblem.moved, of: .file(folder.file())))
        _ = try? await read.value
        try? await database.close()
        #expect(try folder.notes(old, in: "moved.db").count == 1_000)
    }

    @Test func aKeyThatChangesFromCallToCallIsRefused() async throws {
        let database = try openDatabase()
        let number = Locked(UInt8(10))
        let changing = Encryption.rawKey {
            number.withLock {
                $0 += 1
                return [UInt8](repeating: $0, count: 32)
            }
        }
        let refusal = EncryptionProblem.invalidParameter("a key that changes from call to call")
        #expect(await problem { try await database.rekey(to: changing) } == .problem(refusal))
        #expect(try count(old) == 1_000)
    }
}

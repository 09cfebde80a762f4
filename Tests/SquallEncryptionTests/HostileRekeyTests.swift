import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteLibrary.cipher?.name == "SQLCipher"), .timeLimit(.minutes(1))) struct HostileRekeyTests {
    private let folder: EncryptedFolder
    private let old = EncryptedFolder.configuration(1)
    private let new = EncryptedFolder.configuration(2)

    init() throws {
        folder = try EncryptedFolder()
    }

    private static func key(_ byte: UInt8) -> Encryption { .rawKey([UInt8](repeating: byte, count: 32)) }

    /// Opens a database with 100 notes.
    private func openDatabase(_ name: String = "app.db", _ configuration: Configuration? = nil) throws -> Database {
        let database = try Database(folder.file(name), configuration: configuration ?? old)
        try database.blocking.write { connection in
            try connection.execute(
                """
                CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                INSERT INTO notes(text) SELECT printf('%0300d', i) FROM n
                """)
        }
        return database
    }

    private func count(_ database: Database) async throws -> Int {
        try await database.read { try $0.query("SELECT count(*) FROM main.notes") }
    }

    /// Lets other tasks run for a random number of turns.
    private func yield(upTo limit: Int) async {
        for _ in 0..<Int.random(in: 0..<limit) { await Task.yield() }
    }

    // MARK: - Names of files

    @Test(arguments: ["file:app.db", "file:a b?mode=ro", "a 'b' \"c\".db", "a%20b#c?d.db", "é😀.db", "-wal"])
    func namesOfFilesAreTakenAsTheyAre(_ name: String) async throws {
        let database = try openDatabase(name)
        try await database.rekey(to: Self.key(2))
        try await database.copy(to: folder.file("copy " + name), encryption: Self.key(3))
        try await database.copy(to: folder.file("plain " + name), encryption: nil)
        #expect(try folder.notes(new, in: name).count == 100)
        #expect(try folder.notes(EncryptedFolder.configuration(3), in: "copy " + name).count == 100)
        #expect(try folder.notes(.recommended, in: "plain " + name).count == 100)
    }

    // MARK: - Other uses of the database

    @Test func observedValuesAreDeliveredAfterChangesAndFailures() async throws {
        struct Refused: Error {}
        let database = try openDatabase()
        var values = database.observe("SELECT count(*) FROM notes", as: Int.self).makeAsyncIterator()
        #expect(try await values.next() == 100)
        for byte in UInt8(2)...5 {
            try await database.rekey(to: Self.key(byte))
            await #expect(throws: Refused.self) {
                try await database.rekey(to: .passphrase { () throws -> String in throw Refused() })
            }
            try await database.write { try $0.run("INSERT INTO notes(text) VALUES('x')") }
            #expect(try await values.next() == 99 + Int(byte))
        }
    }

    @Test func aBlobThatIsReadInPartsBlocksIt() async throws {
        let database = try openDatabase()
        try await database.write { try $0.execute("CREATE TABLE b(x); INSERT INTO b VALUES(zeroblob(1000000))") }
        var chunks = database.blob(in: "b", column: "x", row: 1).makeAsyncIterator()
        var count = try #require(try await chunks.next()).count
        #expect(await problem { try await database.rekey(to: Self.key(2)) } == .problem(EncryptionProblem.rekeyBlocked))
        while let chunk = try await chunks.next() { count += chunk.count }
        #expect(count == 1_000_000)
        try await database.rekey(to: Self.key(3))
    }

    @Test func aBlobThatIsWrittenInPartsIsWaitedFor() async throws {
        let database = try openDatabase()
        try await database.write { try $0.execute("CREATE TABLE b(x); INSERT INTO b VALUES(zeroblob(200000))") }
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        let write = Task.detached { try await database.writeBlob(in: "b", column: "x", row: 1, from: stream) }
        continuation.yield(Data(repeating: 1, count: 100_000))
        let rekey = Task.detached { try await database.rekey(to: Self.key(2)) }
        await yield(upTo: 50)
        continuation.yield(Data(repeating: 1, count: 100_000))
        continuation.finish()
        try await write.value
        try await rekey.value
        #expect(try await database.read { try $0.query("SELECT x FROM b") } == Data(repeating: 1, count: 200_000))
    }

    @Test func iteratorsThatWereLeftDoNotBlockIt() async throws {
        let database = try openDatabase()
        try await database.write { try $0.execute("CREATE TABLE b(x); INSERT INTO b VALUES(zeroblob(1000000))") }
        do {
            var chunks = database.blob(in: "b", column: "x", row: 1).makeAsyncIterator()
            _ = try await chunks.next()
        }
        try await database.rekey(to: Self.key(2))
        do {
            var backup = database.backup(to: folder.file("backup.db"), pagesPerStep: 1).makeAsyncIterator()
            _ = try await backup.next()
        }
        try await database.rekey(to: Self.key(3))
        do { _ = try await database.snapshot() }
        try await database.rekey(to: Self.key(4))
        #expect(try await count(database) == 100)
    }

    @Test func statementsThatLeftTheirClosuresDoNotBlockIt() throws {
        let database = try openDatabase()
        try blocking {
            let written = try database.blocking.writeWithoutTransaction { try $0.prepare("SELECT text FROM notes") }
            let read = try database.blocking.read { try $0.prepare("SELECT text FROM notes") }
            try database.blocking.rekey(to: Self.key(2))
            for statement in [written, read] {
                #expect(throws: SQLiteError.self) { _ = try statement.query() as [String] }
            }
        }
        #expect(try folder.notes(new).count == 100)
    }

    @Test func queuesAndPoolsOfTheDatabaseGoOn() throws {
        let database = try openDatabase()
        try blocking {
            try database.writerConnectionQueue.execute { connection in
                #expect(
                    try errorKind { try database.blocking.rekey(to: Self.key(2)) }
                        == .problem(EncryptionProblem.rekeyInsideClosure))
                try connection.execute("CREATE TEMP TABLE kept(x); INSERT INTO kept VALUES(7)")
            }
            let kind = try database.readerConnectionPool.execute { _ in
                try errorKind { try database.blocking.rekey(to: Self.key(2)) }
            }
            #expect(kind == .problem(EncryptionProblem.rekeyInsideClosure))
            try database.blocking.rekey(to: Self.key(2))
            #expect(try database.writerConnectionQueue.execute { try $0.query("SELECT x FROM kept") } == 7)
            #expect(try database.readerConnectionPool.execute { try $0.query("SELECT count(*) FROM notes") } == 100)
        }
    }

    @Test func writesThatShareACommitGoOn() async throws {
        var configuration = old
        configuration.groupCommit = true
        let database = try openDatabase("app.db", configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask { try await database.write { try $0.run("INSERT INTO notes(text) VALUES('g')") } }
                if number % 10 == 0 { group.addTask { try await database.rekey(to: Self.key(UInt8(number + 10))) } }
            }
            try await group.waitForAll()
        }
        try await database.rekey(to: Self.key(2))
        try await database.close()
        #expect(try folder.notes(new).count == 160)
    }

    @Test func anAttachedFileKeepsItsKey() async throws {
        try folder.makeFile(EncryptedFolder.configuration(9), in: "other.db")
        let other = folder.file("other.db")
        let database = try Database(folder.file(), configuration: old) {
            try $0.attachDatabase(from: .onDisk(other), withName: "other", encryption: Self.key(9))
        }
        try await database.rekey(to: Self.key(2))
        try await database.write { try $0.execute("CREATE TABLE t(x); INSERT INTO other.notes(text) VALUES('x')") }
        #expect(try await database.read { try $0.query("SELECT count(*) FROM other.notes, other.notes") } == 4)
    }

    /// It would keep the old key, with which no connection would attach it afterwards.
    @Test(arguments: [true, false]) func anAttachedFileWithTheSameKeyBlocksIt(_ isAttachedBySQL: Bool) async throws {
        try folder.makeFile(old)
        // SQL would use the salt of the main file as well.
        try FileManager.default.copyItem(atPath: folder.file(), toPath: folder.file("other.db"))
        try folder.makeFile(.recommended, in: "plain.db")
        let (other, plain) = (folder.file("other.db"), folder.file("plain.db"))
        let database = try Database(folder.file(), configuration: old) { connection in
            try connection.run("ATTACH DATABASE \(plain) AS plain KEY ''")
            if isAttachedBySQL {
                try connection.run("ATTACH DATABASE \(other) AS other")
            } else {
                try connection.attachDatabase(from: .onDisk(other), withName: "other")
            }
        }
        #expect(
            await problem { try await database.rekey(to: Self.key(2)) }
                == .problem(EncryptionProblem.sharedKey, of: .file(other)))
        try await database.write { try $0.execute("CREATE TABLE t(x); INSERT INTO other.notes(text) VALUES('x')") }
        try await database.close()
        try await Database(folder.file(), configuration: old).rekey(to: Self.key(2))
    }

    @Test func upkeepUsesTheNewKey() async throws {
        let database = try openDatabase()
        try await database.write { try $0.run("DELETE FROM notes WHERE id % 2 = 0") }
        try await database.rekey(to: Self.key(2))
        try await database.vacuum()
        try await database.vacuum(into: folder.file("into.db"))
        for try await _ in database.backup(to: folder.file("backup.db")) {}
        try await database.rekey(to: Self.key(2))
        for name in ["app.db", "into.db", "backup.db"] { #expect(try folder.notes(new, in: name).count == 50) }
        #expect(try folder.filesInClear() == [])
    }

    @Test(arguments: [0, 1, 2], [Configuration.JournalMode.wal, .delete])
    func freePagesAndASmallCache(_ vacuum: Int, _ mode: Configuration.JournalMode) async throws {
        var (configuration, sqlite) = (old, Configuration.sqlite)
        configuration.journalMode = mode
        sqlite.encryption = Self.key(1)
        try Connection(folder.file(), configuration: sqlite).execute(
            SQL(raw: "PRAGMA auto_vacuum = \(vacuum); CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT)"))
        let database = try Database(folder.file(), configuration: configuration) {
            try $0.run("PRAGMA cache_size = 10")
        }
        for byte in UInt8(2)..<6 {
            try await database.writeWithoutTransaction { connection in
                try connection.execute(
                    """
                    INSERT INTO notes(text) WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                    SELECT hex(randomblob(abs(random()) % 2000)) FROM n;
                    DELETE FROM notes WHERE abs(random()) % 3 < 2;
                    PRAGMA incremental_vacuum(20)
                    """)
            }
            let sum: Int = try await database.read { try $0.query("SELECT sum(length(text)) FROM notes") }
            try await database.rekey(to: Self.key(byte))
            let connection = try Connection(folder.file(), configuration: EncryptedFolder.configuration(byte))
            #expect(try connection.query("SELECT sum(length(text)) FROM notes") == sum)
            #expect(try connection.query("PRAGMA integrity_check") == "ok")
            #expect(try connection.query("PRAGMA cipher_integrity_check") as [String] == [])
        }
    }

    // MARK: - At the same time

    @Test func aReaderOfTheOldKeyKeepsItsSnapshot() async throws {
        var configuration = old
        configuration.busyTimeout = .milliseconds(1)
        let database = try openDatabase("app.db", configuration)
        let other = try Connection(folder.file(), configuration: old)
        try other.run("BEGIN")
        #expect(try other.query("SELECT count(*) FROM notes") == 100)
        try await database.rekey(to: Self.key(2))
        try await database.write { try $0.run("INSERT INTO notes(text) VALUES('x')") }
        #expect(try other.query("SELECT sum(length(text)) FROM notes") == 30_000)
        try other.run("COMMIT")
        #expect(
            try errorKind { _ = try other.query("SELECT count(*) FROM notes") as Int }
                == .problem(FileProblem.wrongKey, of: .file(folder.file())))
        other.close()
        try await database.close()
        #expect(try folder.notes(new).count == 101)
    }

    @Test func aSuspensionRefusesItOrWaits() async throws {
        let database = try openDatabase()
        let snapshot = try await database.snapshot()
        try await database.suspend()
        #expect(await problem { try await database.rekey(to: Self.key(2)) } == .problem(DatabaseProblem.suspended))
        try await database.resume()
        try await database.rekey(to: Self.key(2))
        #expect(await problem { _ = try await snapshot.read { try $0.query("SELECT 1") as Int } } == .closed(.snapshot))
        for byte in UInt8(3)..<15 {
            let rekey = Task.detached { try await database.rekey(to: Self.key(byte)) }
            await yield(upTo: 20)
            try await database.suspend()
            try await database.resume()
            if case .failure(let error) = await rekey.result {
                #expect((error as? SQLiteError)?.kind == .problem(DatabaseProblem.suspended))
            }
            #expect(try await count(database) == 100)
            try await database.write { try $0.run("UPDATE notes SET text = text || 'y' WHERE id = 1") }
        }
    }

    @Test func aDatabaseThatIsClosedDuringItHasOneOfTheKeys() async throws {
        try await openDatabase().close()
        for _ in 0..<12 {
            let database = try Database(folder.file(), configuration: old)
            #expect(try await count(database) == 100)
            let rekey = Task.detached { try await database.rekey(to: Self.key(2)) }
            await yield(upTo: 30)
            try? await database.close()
            switch await rekey.result {
            case .success:
                #expect(try folder.notes(new).count == 100)
                try await Database(folder.file(), configuration: new).rekey(to: Self.key(1))
            case .failure: #expect(try folder.notes(old).count == 100)
            }
        }
    }

    @Test func aCancelledCallHasChangedTheKeyOrNot() async throws {
        let database = try openDatabase()
        var current = UInt8(1)
        for byte in UInt8(2)..<32 {
            let rekey = Task.detached { try await database.rekey(to: Self.key(byte)) }
            let reader = Task.detached { try await count(database) }
            await yield(upTo: 60)
            rekey.cancel()
            switch await rekey.result {
            case .success: current = byte
            case .failure(let error): #expect(error is CancellationError)
            }
            #expect(try await reader.value == 100)
            #expect(try folder.notes(EncryptedFolder.configuration(current)).count == 100)
        }
    }

    @Test func copiesAndUpkeepBesideManyCalls() async throws {
        let database = try openDatabase()
        try await withThrowingTaskGroup(of: Void.self) { [folder] group in
            for number in 0..<8 {
                let path = folder.file("copy\(number).db")
                group.addTask { try await database.copy(to: path, encryption: Self.key(3)) }
                group.addTask { try await database.rekey(to: Self.key(UInt8(10 + number))) }
                group.addTask { try await database.write { try $0.run("UPDATE notes SET text = \(number)") } }
                group.addTask { try await database.vacuum() }
            }
            try await group.waitForAll()
        }
        for number in 0..<8 {
            // Each copy has the texts of one write, or the first ones.
            let texts = try folder.notes(EncryptedFolder.configuration(3), in: "copy\(number).db")
            #expect(texts.count == 100 && [1, 100].contains(Set(texts).count))
        }
        let fits = (UInt8(10)..<18).filter { (try? folder.notes(EncryptedFolder.configuration($0)).count) == 100 }
        #expect(fits.count == 1)
        #expect(try await database.read { try $0.query("PRAGMA integrity_check") } == "ok")
    }

    @Test func aCancelledCopyLeavesNoFile() async throws {
        let database = try openDatabase()
        for number in 0..<20 {
            let path = folder.file("copy\(number).db")
            let copy = Task.detached { try await database.copy(to: path, encryption: Self.key(3)) }
            await yield(upTo: 80)
            copy.cancel()
            switch await copy.result {
            case .success:
                #expect(try folder.notes(EncryptedFolder.configuration(3), in: "copy\(number).db").count == 100)
            case .failure: #expect(try folder.names().filter { $0.hasPrefix("copy\(number).") } == [])
            }
        }
    }

    // MARK: - Files in clear

    @Test(
        arguments: [
            "PRAGMA temp_store = FILE", "PRAGMA temp_store = 0", "PRAGMA temp_store('default')",
            "PRAGMA main.temp_store = 1", "/* c */ PRAGMA/**/temp_store/**/=/**/1", "EXPLAIN PRAGMA temp_store = 1",
            "PRAGMA \"temp_store\" = 1", "PRAGMA [temp_store](1)", "PRAGMA `main`.'temp_store' = 'FILE'",
            "; ; pragma TEMP_STORE = -1", "-- x\nPRAGMA temp_store = +1", "PRAGMA temp_store = 1.5",
        ]) func temporaryTablesStayInMemory(_ sql: String) throws
    {
        let connection = try Connection(folder.file(), configuration: old)
        let text = SQL(raw: sql)
        _ = try? connection.run(text)
        _ = try? connection.execute("SELECT 1; \(text); SELECT 1")
        _ = try? connection.prepare(text)
        _ = try? connection.query(text) as Int?
        #expect(try connection.query("PRAGMA temp_store") == 2)
    }
}

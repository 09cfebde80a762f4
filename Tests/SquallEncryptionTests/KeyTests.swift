import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

/// Keys of all forms, right and wrong, in an SQLite that has a cipher.
@Suite(.enabled(if: EncryptedFolder.hasCipher)) struct KeyTests {
    private let folder: EncryptedFolder
    private let configuration = EncryptedFolder.configuration()

    init() throws {
        folder = try EncryptedFolder()
    }

    @Test func theLibraryNamesItsCipher() throws {
        let cipher = try #require(SQLiteLibrary.cipher)
        #expect(["SQLCipher", "SQLite3 Multiple Ciphers"].contains(cipher.name))
        #expect(cipher.version.first?.isNumber == true)
    }

    @Test func nothingOfAFileIsInClear() throws {
        let connection = try Connection(folder.file(), configuration: configuration)
        try connection.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT)")
        try connection.run("INSERT INTO notes(text) VALUES(\(EncryptedFolder.needle))")
        #expect(FileManager.default.fileExists(atPath: folder.file("app.db-wal")))
        #expect(try folder.filesInClear() == [])
        #expect(try connection.query("SELECT text FROM notes") == EncryptedFolder.needle)
        #expect(try folder.notes(configuration) == [EncryptedFolder.needle])
    }

    @Test func aWrongKeyIsRefused() throws {
        try folder.makeFile(configuration)
        let before = FileManager.default.contents(atPath: folder.file())
        let error = try sqliteError { _ = try folder.notes(EncryptedFolder.configuration(2)) }
        #expect(error.kind == .problem(FileProblem.wrongKey, of: .file(folder.file())))
        #expect(error.resultCode == .notADatabase)
        #expect(error.message == "the key is not that of the file: \(folder.file())")
        #expect(
            try errorKind { _ = try Database(folder.file(), configuration: EncryptedFolder.configuration(2)) }
                == error.kind)
        #expect(FileManager.default.contents(atPath: folder.file()) == before)
        #expect(try folder.notes(configuration) == [EncryptedFolder.needle])
    }

    @Test func aFileThatIsNotEncryptedIsRefused() throws {
        try folder.makeFile(.recommended)
        let error = try sqliteError { _ = try folder.notes(configuration) }
        #expect(error.kind == .problem(FileProblem.notEncrypted, of: .file(folder.file())))
        #expect(try folder.notes(.recommended) == [EncryptedFolder.needle])
    }

    @Test(arguments: [Configuration.recommended, .sqlite, .untrusted])
    func anEncryptedFileWithoutAKeyIsRefused(_ plain: Configuration) throws {
        try folder.makeFile(configuration)
        let error = try sqliteError { _ = try folder.notes(plain) }
        #expect(error.kind == .problem(FileProblem.encrypted, of: .file(folder.file())))
    }

    @Test func aPassphraseIsATextOrItsBytes() throws {
        try folder.makeFile(EncryptedFolder.configuration(EncryptedFolder.passphrase("pass fräse 🔑")))
        let bytes = EncryptedFolder.fast(.passphrase { Array("pass fräse 🔑".utf8) })
        #expect(try folder.notes(EncryptedFolder.configuration(bytes)) == [EncryptedFolder.needle])
        // The same characters in another form.
        let decomposed = EncryptedFolder.passphrase("pass fra\u{308}se 🔑")
        #expect(
            try errorKind { _ = try folder.notes(EncryptedFolder.configuration(decomposed)) }
                == .problem(FileProblem.wrongKey, of: .file(folder.file())))
    }

    @Test(arguments: ["nul \0 inside", "\0", String(repeating: "long ", count: 2_000), "'; DROP TABLE notes; --"])
    func aPassphraseMayHaveAnyCharacters(_ text: String) throws {
        try folder.makeFile(EncryptedFolder.configuration(EncryptedFolder.passphrase(text)))
        #expect(try folder.filesInClear() == [])
        let notes = try folder.notes(EncryptedFolder.configuration(EncryptedFolder.passphrase(text)))
        #expect(notes == [EncryptedFolder.needle])
        let other = EncryptedFolder.configuration(EncryptedFolder.passphrase(text + "."))
        #expect(
            try errorKind { _ = try folder.notes(other) } == .problem(FileProblem.wrongKey, of: .file(folder.file())))
    }

    @Test(arguments: [32, 48]) func aRawKeyHas32BytesOr48(_ count: Int) throws {
        let key = (0..<count).map { UInt8($0 * 5) }
        try folder.makeFile(EncryptedFolder.configuration(.rawKey { key }))
        #expect(try folder.notes(EncryptedFolder.configuration(.rawKey(key))) == [EncryptedFolder.needle])
        #expect(try folder.filesInClear() == [])
    }

    @Test(arguments: [0, 1, 16, 31, 33, 47, 49, 64, 10_000]) func aRawKeyOfAnotherSizeIsRefused(_ count: Int) throws {
        let key = [UInt8](repeating: 7, count: count)
        let kind = try errorKind { try folder.makeFile(EncryptedFolder.configuration(.rawKey(key))) }
        #expect(kind == .problem(count == 0 ? EncryptionProblem.emptyKey : .rawKeySize(count)))
    }

    @Test func anEmptyPassphraseIsRefused() throws {
        #expect(
            try errorKind { try folder.makeFile(EncryptedFolder.configuration(.passphrase { "" })) }
                == .problem(EncryptionProblem.emptyKey))
    }

    /// A library would use such a passphrase as a raw key, and another program would not find the file's key by its text.
    @Test(arguments: [
        "x'\(String(repeating: "0f", count: 32))'", "x'\(String(repeating: "0F", count: 48))'",
        "raw:\(String(repeating: "0", count: 32))", "RAW:\(String(repeating: "0", count: 96))",
    ])
    func aPassphraseInTheFormOfARawKeyIsRefused(_ text: String) throws {
        #expect(
            try errorKind { try folder.makeFile(EncryptedFolder.configuration(.passphrase { text })) }
                == .problem(EncryptionProblem.passphraseIsRawKey))
        let shorter = EncryptedFolder.passphrase(String(text.dropFirst()))
        try folder.makeFile(EncryptedFolder.configuration(shorter))
        #expect(try folder.notes(EncryptedFolder.configuration(shorter)) == [EncryptedFolder.needle])
    }

    @Test(arguments: [":memory:", ""]) func aDatabaseThatIsNotInAFileIsRefused(_ path: String) throws {
        let problem = SQLiteError.Kind.problem(EncryptionProblem.needsFile)
        #expect(try errorKind { _ = try Connection(path, configuration: configuration) } == problem)
        #expect(try errorKind { _ = try Database(path, configuration: configuration) } == problem)
    }

    // MARK: The closure

    private struct Refusal: Error {}

    @Test func theErrorOfTheClosureIsThrown() throws {
        let refused = EncryptedFolder.configuration(.passphrase { () throws -> String in throw Refusal() })
        #expect(throws: Refusal.self) { _ = try Connection(folder.file(), configuration: refused) }
        #expect(throws: Refusal.self) { _ = try Database(folder.file(), configuration: refused) }
    }

    @Test func eachConnectionAsksForTheKey() throws {
        let count = Shared(0)
        let key = [UInt8](repeating: 3, count: 32)
        let asking = EncryptedFolder.configuration(
            .rawKey {
                _ = count.next()
                return key
            })
        try folder.makeFile(asking)
        #expect(count.value == 1)
        let database = try Database(folder.file(), configuration: asking)
        #expect(count.value == 2)
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM notes") } == 1)
        #expect(count.value == 3)
    }

    @Test func configurationsAreComparedByTheirClosures() throws {
        let encryption = EncryptedFolder.passphrase("a")
        var (one, other) = (EncryptedFolder.configuration(encryption), EncryptedFolder.configuration(encryption))
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(one.encryption == encryption)
        other.encryption?.parameters.pageSize = 8_192
        #expect(one != other)
        one.encryption = nil
        #expect(one == .recommended)
        #expect(EncryptedFolder.passphrase("a") != encryption)
    }

    @Test func theProofIsTheFirstStepAfterTheTimeout() {
        let steps = "\(configuration)".split(separator: "\n")
        #expect(steps.prefix(2) == ["sqlite3_busy_timeout 5000 ms", "SELECT 1 FROM main.sqlite_master LIMIT 1"])
        #expect(!"\(configuration)".contains("0101"))
    }

    @Test(.enabled(if: SQLiteLibrary.cipher?.name != "SQLCipher")) func anotherLibraryDoesNotChangeAKey() async throws {
        let configuration = EncryptedFolder.configuration(1)
        try folder.makeFile(configuration)
        let database = try Database(folder.file(), configuration: configuration)
        await #expect(throws: SQLiteError(EncryptionProblem.unsafeRekey)) {
            try await database.rekey(to: .rawKey([UInt8](repeating: 2, count: 32)))
        }
        #expect(try folder.notes(configuration) == [EncryptedFolder.needle])
    }
}

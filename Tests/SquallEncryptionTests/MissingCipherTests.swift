import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

/// An SQLite without a cipher never ignores a key.
@Suite(.enabled(if: !EncryptedFolder.hasCipher)) struct MissingCipherTests {
    private let folder: EncryptedFolder
    private let configuration = EncryptedFolder.configuration()
    private let missing = SQLiteError.Kind.problem(EncryptionProblem.encryptionMissing)

    init() throws {
        folder = try EncryptedFolder()
    }

    @Test func openingWithAKeyIsRefused() throws {
        #expect(try errorKind { _ = try Connection(folder.file(), configuration: configuration) } == missing)
        #expect(try errorKind { _ = try Database(folder.file(), configuration: configuration) } == missing)
        #expect(try errorKind { _ = try Connection(":memory:", configuration: configuration) } == missing)
        try folder.makeFile(.recommended)
        for mode in [Connection.Mode.existing, .readOnly, .immutable] {
            #expect(
                try errorKind { _ = try Connection(folder.file(), mode: mode, configuration: configuration) } == missing
            )
        }
        let error = try sqliteError { _ = try Connection(folder.file(), configuration: configuration) }
        #expect(error.message == "a key is given, and this SQLite (\(SQLiteLibrary.version)) has no cipher")
        #expect(error.hint == "link SQLCipher: give the dependency on Squall the trait SQLCipher")
    }

    @Test func theClosureIsNotAsked() throws {
        let asking = EncryptedFolder.configuration(
            .passphrase { () -> String in
                Issue.record("the closure was called")
                return "a"
            })
        #expect(try errorKind { _ = try Connection(folder.file(), configuration: asking) } == missing)
    }

    @Test func attachingWithAKeyIsRefused() throws {
        try folder.makeFile(.recommended)
        let connection = try Connection(":memory:")
        let key = configuration.encryption
        #expect(
            try errorKind {
                try connection.attachDatabase(from: .onDisk(folder.file()), withName: "other", encryption: key)
            } == missing)
        try connection.attachDatabase(from: .onDisk(folder.file()), withName: "other", encryption: nil)
        #expect(try connection.query("SELECT text FROM other.notes") == EncryptedFolder.needle)
    }
}

/// Files that seem to be encrypted, and others, in any SQLite.
struct EncryptedFileWithoutKeyTests {
    private let folder: EncryptedFolder

    init() throws {
        folder = try EncryptedFolder()
    }

    private func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: folder.file())) }

    private func problem() throws -> FileProblem? {
        try sqliteError { _ = try folder.notes(.recommended) }.problem(FileProblem.self)
    }

    @Test func randomPagesSeemToBeEncrypted() throws {
        var generator = TestSeed.of().generator()
        for _ in 0..<20 {
            try write((0..<8_192).map { _ in UInt8.random(in: 0...255, using: &generator) })
            #expect(try problem() == .encrypted)
            let connection = try Connection(":memory:")
            let error = try sqliteError {
                try connection.attachDatabase(from: .onDisk(folder.file()), withName: "other")
            }
            #expect(error.problem(FileProblem.self) == .encrypted)
        }
    }

    @Test func otherFilesDoNot() throws {
        let text = Array(String(repeating: "This is a text, and no database. ", count: 1_024).utf8)
        try write(Array(text.prefix(4_096)))
        #expect(try problem() == nil)
        var generator = TestSeed.of().generator()
        try write((0..<8_191).map { _ in UInt8.random(in: 0...255, using: &generator) })
        #expect(try problem() == nil)
    }

    /// Without a key, an SQLite may take the journal for damaged, and delete it.
    @Test func theJournalIsKept() throws {
        var generator = TestSeed.of().generator()
        let pages = Data((0..<8_192).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let files = [folder.file(), folder.file("app.db-journal")]
        for file in files { try pages.write(to: URL(filePath: file)) }
        let problem = SQLiteError.Kind.problem(FileProblem.encrypted, of: .file(folder.file()))
        #expect(try errorKind { _ = try folder.notes(.recommended) } == problem)
        #expect(
            try errorKind {
                try Connection(":memory:").attachDatabase(from: .onDisk(folder.file()), withName: "other")
            } == problem)
        for file in files { #expect(FileManager.default.contents(atPath: file) == pages) }
    }
}

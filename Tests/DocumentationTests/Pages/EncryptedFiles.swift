// swift-format-ignore-file
import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Encrypted files".
@Suite(.enabled(if: SQLiteLibrary.cipher != nil))
struct EncryptionSnippets {
    private struct Keychain: Sendable {
        func read(_ name: String) throws -> String { "a passphrase of \(name)" }
        func readBytes(_ name: String) throws -> [UInt8] { [UInt8](repeating: UInt8(name.utf8.count), count: 32) }
    }

    private let directory: TemporaryDirectory
    private let path: String
    private let keychain = Keychain()

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    private func use(_ database: Database) async throws {
        try await database.write { try $0.execute("CREATE TABLE IF NOT EXISTS notes(text)") }
    }

    @Test func keys() async throws {
        let keychain = keychain
        var configuration = Configuration.recommended
        configuration.encryption = .passphrase { try keychain.read("app") }
        let database = try Database(path, configuration: configuration)
        try await use(database)
        try await database.close()
        #expect(try await problem(of: configuration) == nil)
        configuration.encryption = .rawKey { try keychain.readBytes("app") }
        #expect(try await problem(of: configuration) == "the key or a parameter is wrong")
        #expect(try await problem(of: .recommended) == "the file is encrypted: open it with its key")
    }

    private func problem(of configuration: Configuration) async throws -> String? {
        let printed = Lines()
        func print(_ line: String) { printed.add(line) }
        do {
            let database = try Database(path, configuration: configuration)
            try await use(database)
        } catch let error as SQLiteError {
            switch error.problem(FileProblem.self) {
            case .wrongKey: print("the key or a parameter is wrong")
            case .notEncrypted: print("the file is not encrypted: open it without a key")
            case .encrypted: print("the file is encrypted: open it with its key")
            default: throw error
            }
        }
        return printed.take().first
    }

    @Test func parameters() throws {
        let keychain = keychain
        var encryption = Encryption.passphrase { try keychain.read("old") }
        encryption.parameters.compatibility = .sqlCipher3
        encryption.parameters.iterations = 64_000
        encryption.parameters.pageSize = 1_024
        var configuration = Configuration.recommended
        configuration.encryption = encryption
        try Connection(path, configuration: configuration).execute("CREATE TABLE notes(text)")
        #expect(try Connection(path, configuration: configuration).query("SELECT count(*) FROM notes") == 0)
        let cipher: SQLiteLibrary.Cipher? = SQLiteLibrary.cipher
        if let cipher { print(cipher.name, cipher.version) }
    }

    @Test func headerInClear() throws {
        let keychain = keychain
        let salt = [UInt8](repeating: 5, count: 16)
        var encryption = Encryption.passphrase { try keychain.read("app") }
        let format: Encryption.Parameters.Compatibility = .sqlCipher4
        encryption.parameters = Encryption.Parameters()
        encryption.parameters.compatibility = format
        encryption.parameters.plaintextHeaderSalt = salt
        var configuration = Configuration.recommended
        configuration.encryption = encryption
        try Connection(path, configuration: configuration).execute("CREATE TABLE notes(text)")
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(bytes.starts(with: Data("SQLite format 3".utf8)) && bytes.range(of: Data("CREATE TABLE".utf8)) == nil)
    }

    @Test func otherFiles() throws {
        let (other, plain) = (directory.file("other.db"), directory.file("plain.db"))
        let otherKey = [UInt8](repeating: 2, count: 32)
        var configuration = Configuration.recommended
        configuration.encryption = .rawKey(otherKey)
        try Connection(other, configuration: configuration).execute("CREATE TABLE a(x)")
        try Connection(plain).execute("CREATE TABLE b(x)")
        configuration.encryption = .rawKey([UInt8](repeating: 1, count: 32))
        let connection = try Connection(path, configuration: configuration)
        try connection.attachDatabase(
            from: .onDisk(other), withName: "other", encryption: .rawKey(otherKey))
        try connection.attachDatabase(
            from: .onDisk(plain), withName: "plain", encryption: nil)
        #expect(try connection.query("SELECT count(*) FROM other.a, plain.b") == 0)
    }

    @Test(.enabled(if: SQLiteLibrary.cipher?.name == "SQLCipher")) func anotherKeyAndCopies() async throws {
        let (sealed, plain, new) = (directory.file("sealed.db"), directory.file("plain.db"), "new")
        let keychain = keychain
        var configuration = Configuration.recommended
        configuration.encryption = .passphrase { try keychain.read("app") }
        let database = try Database(path, configuration: configuration)
        try await use(database)
        try await database.rekey(to: .passphrase { new })
        try await database.copy(to: sealed, encryption: .passphrase { new })
        try await database.copy(to: plain, encryption: nil)
        configuration.encryption = .passphrase { new }
        for (path, configuration) in [(path, configuration), (sealed, configuration), (plain, .recommended)] {
            #expect(try Connection(path, configuration: configuration).query("SELECT count(*) FROM notes") == 0)
        }
    }
}

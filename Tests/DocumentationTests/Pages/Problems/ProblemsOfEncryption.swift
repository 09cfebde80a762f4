// swift-format-ignore-file
import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Problems of encryption".
struct EncryptionProblemSnippets {
    private let directory: TemporaryDirectory
    private let path: String
    private let plain: String
    private let attached: String
    private let key = [UInt8](repeating: 1, count: 32)
    private let otherKey = [UInt8](repeating: 2, count: 32)

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
        plain = directory.file("plain.db")
        attached = directory.file("attached.db")
    }

    private func makeFiles() throws {
        try Connection(plain).execute("CREATE TABLE notes(text)")
        var configuration = Configuration.recommended
        configuration.encryption = .rawKey(key)
        try Connection(path, configuration: configuration).execute("CREATE TABLE notes(text)")
    }

    @Test(.enabled(if: SQLiteLibrary.cipher != nil)) func keys() throws {
        try makeFiles()
        func open(_ path: String, _ encryption: Encryption) throws -> Connection {
            var configuration = Configuration.recommended
            configuration.encryption = encryption
            return try Connection(path, configuration: configuration)
        }
        // The parameters must be those of the file as well.
        expect(FileProblem.wrongKey, "the key is not that of the file: \(path)") {
            try open(path, .rawKey(otherKey))
        }
        // Open it without a key.
        expect(FileProblem.notEncrypted, """
            the file is not encrypted, and was opened with a key: \(plain)
            """) {
            try open(plain, .rawKey(key))
        }
        // Leave `encryption` at nil for a file that is not encrypted.
        expect(EncryptionProblem.emptyKey, "the key is empty") {
            try open(path, .passphrase { "" })
        }
        expect(EncryptionProblem.rawKeySize(16), """
            a raw key has 32 bytes, or 48 with its salt, and this one has 16
            """) {
            try open(path, .rawKey([UInt8](repeating: 1, count: 16)))
        }
        // Use `rawKey` with its bytes.
        let literal = "x'" + String(repeating: "0f", count: 32) + "'"
        expect(EncryptionProblem.passphraseIsRawKey, """
            the library would read this passphrase as a raw key
            """) {
            try open(path, .passphrase { literal })
        }
        var encryption = Encryption.rawKey(key)
        encryption.parameters.pageSize = 1_000
        expect(EncryptionProblem.invalidParameter("a page size of 1000 bytes"), """
            no encrypted file has a page size of 1000 bytes
            """) {
            try open(path, encryption)
        }
        expect(EncryptionProblem.needsFile, "only a database in a file is encrypted") {
            try open(":memory:", .rawKey(key))
        }
        // A backup has the key of the database.
        expect(UpkeepProblem.encrypted, """
            an encrypted database cannot be serialized: its bytes would not be \
            encrypted
            """) {
            try open(path, .rawKey(key)).serialize()
        }
    }

    @Test(.enabled(if: SQLiteLibrary.cipher?.name == "SQLCipher")) func anotherKey() throws {
        try makeFiles()
        var configuration = Configuration.recommended
        configuration.encryption = .rawKey(key)
        let database = try Database(path, configuration: configuration)
        let snapshot = try database.blocking.snapshot()
        // Close the snapshot, or wait for the end of the backup.
        expect(EncryptionProblem.rekeyBlocked, """
            a snapshot or a backup of the database is open
            """) {
            try database.blocking.rekey(to: .rawKey(otherKey))
        }
        try snapshot.close()
        expect(EncryptionProblem.rekeyInsideClosure, """
            the key of a database cannot be changed inside one of its closures
            """) {
            try database.blocking.write { _ in
                try database.blocking.rekey(to: .rawKey(otherKey))
            }
        }
        // Use `copy(to:encryption:)`, which writes a new file.
        var large = Encryption.rawKey(otherKey)
        large.parameters.pageSize = 8_192
        expect(EncryptionProblem.parametersOfFile, """
            a new key has the parameters of the file
            """) {
            try database.blocking.rekey(to: large)
        }
        // Attach it with `encryption:`.
        let attaching = try Database(path, configuration: configuration) {
            try $0.attachDatabase(from: .onDisk(attached), withName: "attached")
        }
        expect(EncryptionProblem.sharedKey, """
            a file that is attached has the same key, and would keep it: \(attached)
            """) {
            try attaching.blocking.rekey(to: .rawKey(otherKey))
        }
        expect(EncryptionProblem.notEncrypted, """
            the database has no key that could be changed
            """) {
            try Database(plain).blocking.rekey(to: .rawKey(otherKey))
        }
    }

    @Test(.enabled(if: SQLiteLibrary.cipher == nil)) func theLibrary() throws {
        /// Returns advice on the settings of a build, or of a file.
        func advice(on error: SQLiteError) -> String? {
            switch error.problem(EncryptionProblem.self) {
            case .encryptionMissing: "link SQLCipher"
            case .attachedWithParameters: "open the file by itself"
            case .temporaryTables: "attach it before they are made"
            case .headerInClear: "copy the database in two steps"
            case .unsafeRekey: "copy the database with the new key"
            case .temporaryFiles: "leave temp_store at MEMORY"
            case .keyNotChanged: "make room on the disk"
            case .damagedPage: "restore the file from a backup"
            default: nil
            }
        }
        var configuration = Configuration.recommended
        configuration.encryption = .rawKey(key)
        let error = try sqliteError { _ = try Connection(path, configuration: configuration) }
        #expect(error.message == "a key is given, and this SQLite (\(SQLiteLibrary.version)) has no cipher")
        #expect(advice(on: error) == "link SQLCipher")
    }
}

import Foundation
import Squall
import SquallEncryption

/// A folder with a database that has a needle, and with key files.
struct EncryptedFolder {
    static let needle = "a needle that stands nowhere in clear"
    static let hasCipher = SQLiteLibrary.cipher != nil
    /// The digits of a raw key, from which nothing is derived.
    static let digits = String(repeating: "5a", count: 32)
    static let encryption = Encryption.rawKey([UInt8](repeating: 0x5A, count: 32))

    let directory: TemporaryDirectory
    /// The arguments that give the key.
    let key: [String]

    init() throws {
        directory = try TemporaryDirectory()
        key = ["--key-file", try Self.keyFile("key", Array(Self.digits.utf8), in: directory), "--raw-key"]
    }

    /// Writes a key file that only its owner can read.
    static func keyFile(_ name: String, _ bytes: [UInt8], in directory: TemporaryDirectory) throws -> String {
        try Data(bytes).write(to: directory.url.appendingPathComponent(name))
        chmod(directory.path(name), 0o600)
        return directory.path(name)
    }

    func keyFile(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Self.keyFile(name, bytes, in: directory)
    }

    static func configuration(_ encryption: Encryption?) -> Configuration {
        var configuration = Configuration.sqlite
        configuration.encryption = encryption
        return configuration
    }

    /// Makes a database with rows that have the needle, and returns its path.
    func database(
        _ encryption: Encryption? = nil, name: String = "app.db", mode: String = "DELETE", rows: Int = 100
    ) throws -> String {
        let connection = try Connection(directory.path(name), configuration: Self.configuration(encryption))
        try connection.execute(
            "PRAGMA journal_mode = \(raw: mode); CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT)")
        try connection.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            INSERT INTO notes SELECT i, \(Self.needle) FROM n
            """)
        connection.close()
        return directory.path(name)
    }

    /// Returns the number of rows that have the needle, and the journal mode, of a database that is undamaged.
    func content(_ encryption: Encryption?, of name: String = "app.db") throws -> String {
        let connection = try Connection(
            directory.path(name), mode: .existing, configuration: Self.configuration(encryption))
        defer { connection.close() }
        let check: String = try connection.query("PRAGMA integrity_check")
        let mode: String = try connection.query("PRAGMA journal_mode")
        let count: Int = try connection.query("SELECT count(*) FROM notes WHERE text = \(Self.needle)")
        return "\(check) \(mode) \(count)"
    }

    /// The names of the files that have the needle, or the header of a database that is not encrypted.
    func filesInClear() throws -> [String] {
        try directory.files().filter { name in
            guard let bytes = FileManager.default.contents(atPath: directory.path(name)) else { return false }
            return bytes.range(of: Data(Self.needle.utf8)) != nil || bytes.starts(with: Data("SQLite format 3".utf8))
        }
    }

    /// Runs the tool with the key.
    func run(_ arguments: String...) async throws -> Outcome { try await run(arguments + key) }

    func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        try await ProcessLimit.shared.run {
            try await Tool.finish(Tool.process(Tool.executable, arguments, environment))
        }
    }
}

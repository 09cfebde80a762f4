import Foundation
import Squall
import SquallEncryption
import SquallTestSupport

/// A folder for files that are encrypted, with keys whose derivation is fast.
struct EncryptedFolder {
    static let needle = "a needle that stands nowhere in clear"
    static let hasCipher = SQLiteLibrary.cipher != nil

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    func file(_ name: String = "app.db") -> String { directory.file(name) }

    /// Returns the recommended configuration with a raw key of 32 equal bytes.
    static func configuration(_ byte: UInt8 = 1) -> Configuration {
        configuration(.rawKey([UInt8](repeating: byte, count: 32)))
    }

    static func configuration(_ encryption: Encryption) -> Configuration {
        var configuration = Configuration.recommended
        configuration.encryption = encryption
        return configuration
    }

    /// Returns a passphrase of few iterations.
    static func passphrase(_ text: String) -> Encryption { fast(.passphrase { text }) }

    static func fast(_ encryption: Encryption) -> Encryption {
        var encryption = encryption
        encryption.parameters.iterations = 10
        return encryption
    }

    /// Makes a file with the needle in a table.
    func makeFile(_ configuration: Configuration, in name: String = "app.db") throws {
        let connection = try Connection(file(name), configuration: configuration)
        try connection.execute("CREATE TABLE IF NOT EXISTS notes(id INTEGER PRIMARY KEY, text TEXT)")
        try connection.run("INSERT INTO notes(text) VALUES(\(Self.needle))")
    }

    /// Returns the texts of the notes of a file.
    func notes(_ configuration: Configuration, in name: String = "app.db") throws -> [String] {
        try Connection(file(name), mode: .existing, configuration: configuration).query("SELECT text FROM notes")
    }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path) }

    /// The names of the files that have the needle, or the header of a database that is not encrypted.
    func filesInClear(exceptHeaders: Bool = false) throws -> [String] {
        let manager = FileManager.default
        return try manager.contentsOfDirectory(atPath: directory.path).filter { name in
            guard let bytes = manager.contents(atPath: directory.file(name)) else { return false }
            if bytes.range(of: Data(Self.needle.utf8)) != nil { return true }
            return !exceptHeaders && bytes.starts(with: Data("SQLite format 3".utf8))
        }
    }
}

/// Returns the kind of the `SQLiteError` that a closure throws; `nil` if it throws none.
func problem(_ body: () async throws -> Void) async -> SQLiteError.Kind? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? SQLiteError)?.kind
    }
}

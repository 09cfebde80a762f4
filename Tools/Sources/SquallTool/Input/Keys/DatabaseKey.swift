import Squall
import SquallEncryption

/// The key of a database, and the parameters of its encryption.
struct DatabaseKey: Sendable {
    var source: SecretSource
    var parameters = Encryption.Parameters()

    /// Calls a closure that opens a file: with the key, if one is given, and otherwise without. If the file turns out to be encrypted,
    /// the key is asked for, and the closure is called again.
    ///
    /// - Parameter mayBePlain: Whether a file that is not encrypted is opened although a key is given.
    func opening<Result>(_ path: String, mayBePlain: Bool, _ body: (Encryption?) throws -> Result) throws -> Result {
        Self.endLog
        if let encryption = try given(for: path) {
            do { return try body(encryption) } catch let error as SQLiteError
                where mayBePlain && error.problem(FileProblem.self) == .notEncrypted
            {
                return try body(nil)
            }
        }
        do { return try body(nil) } catch let error as SQLiteError
            where error.problem(FileProblem.self) == .encrypted && SQLiteLibrary.cipher != nil
        {
            return try body(
                encryption(source.asked(for: path, reason: "the file seems to be encrypted, and no key is given")))
        }
    }

    /// Returns the key for a new file, which a person types twice.
    func new(for path: String) throws -> Encryption {
        if let given = try source.given() { return encryption(given) }
        return try encryption(source.asked(for: path, isNew: true, reason: Self.noKey))
    }

    private func given(for path: String) throws -> Encryption? {
        if let given = try source.given() { return encryption(given) }
        // Options of an encrypted file are not ignored.
        guard source.isRaw || parameters != Encryption.Parameters() else { return nil }
        return try encryption(source.asked(for: path, reason: Self.noKey))
    }

    private func encryption(_ key: Encryption) -> Encryption {
        var encryption = key
        encryption.parameters = parameters
        return encryption
    }

    /// Ends the log that SQLCipher writes to standard error when a key is wrong. The setting is one of the process, which
    /// SQLCipher takes from connections that have a key.
    private static let endLog: Void = {
        guard SQLiteLibrary.cipher?.name == "SQLCipher" else { return }
        try? Connection(":memory:").execute("PRAGMA key = 'x'; PRAGMA cipher_log_level = NONE")
    }()

    private static let noKey = "no key is given"
}

extension SQLiteError {
    /// Whether the file is of no use, so that another may take its place. One that has another key is of use.
    var isOfUselessFile: Bool {
        guard [.notADatabase, .corrupt].contains(resultCode) else { return false }
        return SQLiteLibrary.cipher == nil || problem(FileProblem.self) == nil
    }
}

import Squall
import SquallSQLite

extension SQLiteLibrary {
    /// A library that encrypts database files.
    public struct Cipher: Hashable, Sendable {
        /// The name: `SQLCipher`, or `SQLite3 Multiple Ciphers`.
        public let name: String
        /// The version, as the library reports it: `4.6.1 community`.
        public let version: String
    }

    /// The cipher of the SQLite library that runs; `nil` if it has none.
    ///
    ///     print(SQLiteLibrary.cipher?.version ?? "no cipher")
    ///
    /// SQLCipher is recognised by `PRAGMA cipher_version`, and not by the key functions, which Apple's SQLite has without a cipher.
    public static let cipher: Cipher? = {
        guard squall_find_key() != nil else { return nil }
        if let version = squall_multiple_ciphers() {
            let words = String(cString: version).split(separator: " ")
            return Cipher(name: Cipher.multipleCiphers, version: words.last.map { String($0) } ?? "")
        }
        guard let connection = try? Connection(), let version: String? = try? connection.query("PRAGMA cipher_version")
        else { return nil }
        return version.map { Cipher(name: Cipher.sqlCipher, version: $0) }
    }()
}

extension SQLiteLibrary.Cipher {
    static let sqlCipher = "SQLCipher"
    static let multipleCiphers = "SQLite3 Multiple Ciphers"

    /// Whether the library takes the parameters before the key, and the key fixes them.
    var takesParametersFirst: Bool { name == Self.multipleCiphers }

    /// Whether the library changes the key of a file in a transaction. With SQLite3 Multiple Ciphers 2.6.1, neither key opened a file after
    /// a write had failed.
    var changesKeysSafely: Bool { name == Self.sqlCipher }

    /// The statements that set the parameters of a file.
    func statements(for parameters: Encryption.Parameters) -> [String] {
        guard !parameters.areDefaults else { return [] }
        return takesParametersFirst ? statementsOfMultipleCiphers(parameters) : statementsOfSQLCipher(parameters)
    }

    /// The statements that set the parameters of a new file that is attached, after it has its key.
    func statements(for parameters: Encryption.Parameters, ofNewDatabase name: String) -> [String] {
        guard !takesParametersFirst, !parameters.areDefaults else { return [] }
        return statementsOfSQLCipher(parameters, prefix: "\(name).")
    }

    private func statementsOfSQLCipher(_ parameters: Encryption.Parameters, prefix: String = "") -> [String] {
        let salt = parameters.saltDigits
        return [
            // Sets all others.
            parameters.compatibility.map { "PRAGMA \(prefix)cipher_compatibility = \($0.rawValue)" },
            parameters.pageSize.map { "PRAGMA \(prefix)cipher_page_size = \($0)" },
            parameters.iterations.map { "PRAGMA \(prefix)kdf_iter = \($0)" },
            salt.map { _ in "PRAGMA \(prefix)cipher_plaintext_header_size = 32" },
            salt.map { "PRAGMA \(prefix)cipher_salt = \"x'\($0)'\"" },
        ].compactMap(\.self)
    }

    private func statementsOfMultipleCiphers(_ parameters: Encryption.Parameters) -> [String] {
        let (compatibility, salt) = (parameters.compatibility ?? .sqlCipher4, parameters.saltDigits)
        return [
            "PRAGMA cipher = 'sqlcipher'",
            "PRAGMA legacy = \(compatibility.rawValue)",
            "PRAGMA plaintext_header_size = \(salt == nil ? 0 : 32)",
            parameters.pageSize.map { "PRAGMA legacy_page_size = \($0)" },
            parameters.iterations.map { "PRAGMA kdf_iter = \($0)" },
            salt.map { "PRAGMA cipher_salt = '\($0)'" },
        ].compactMap(\.self)
    }

    /// The statements before a file is attached. SQLite3 Multiple Ciphers would otherwise use the parameters of the file before it.
    func statementsBeforeAttaching(with parameters: Encryption.Parameters) -> [String] {
        parameters.areDefaults ? ["PRAGMA cipher = '\(Self.formatOfMultipleCiphers)'"] : statements(for: parameters)
    }

    /// The format of SQLite3 Multiple Ciphers for a file without parameters.
    private static let formatOfMultipleCiphers: String = (try? Connection().query("PRAGMA cipher")) ?? "chacha20"
}

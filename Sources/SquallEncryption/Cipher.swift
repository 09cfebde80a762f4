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

    /// The statements that set the parameters of a file, one in each line.
    func statements(for parameters: Encryption.Parameters) -> [String] {
        guard !parameters.areDefaults else { return [] }
        if takesParametersFirst { return statementsOfMultipleCiphers(parameters) }
        var statements: [String] = []
        func set(_ name: String, _ value: Int?) {
            if let value { statements.append("PRAGMA \(name) = \(value)") }
        }
        // Sets all others.
        set("cipher_compatibility", parameters.compatibility?.rawValue)
        set("cipher_page_size", parameters.pageSize)
        set("kdf_iter", parameters.iterations)
        if let salt = parameters.saltDigits {
            statements.append("PRAGMA cipher_plaintext_header_size = 32")
            statements.append("PRAGMA cipher_salt = \"x'\(salt)'\"")
        }
        return statements
    }

    /// The statements before a file is attached. SQLite3 Multiple Ciphers would otherwise use the parameters of the file before it.
    func statementsBeforeAttaching(with parameters: Encryption.Parameters) -> [String] {
        parameters.areDefaults ? ["PRAGMA cipher = '\(Self.formatOfMultipleCiphers)'"] : statements(for: parameters)
    }

    /// The format of SQLite3 Multiple Ciphers for a file without parameters.
    private static let formatOfMultipleCiphers: String = (try? Connection().query("PRAGMA cipher")) ?? "chacha20"

    private func statementsOfMultipleCiphers(_ parameters: Encryption.Parameters) -> [String] {
        let compatibility = parameters.compatibility ?? .sqlCipher4
        var statements = ["PRAGMA cipher = 'sqlcipher'", "PRAGMA legacy = \(compatibility.rawValue)"]
        func set(_ name: String, _ value: Int?) {
            if let value { statements.append("PRAGMA \(name) = \(value)") }
        }
        set("plaintext_header_size", parameters.plaintextHeaderSalt == nil ? 0 : 32)
        set("legacy_page_size", parameters.pageSize)
        set("kdf_iter", parameters.iterations)
        if let salt = parameters.saltDigits {
            statements.append("PRAGMA cipher_salt = '\(salt)'")
        }
        return statements
    }
}

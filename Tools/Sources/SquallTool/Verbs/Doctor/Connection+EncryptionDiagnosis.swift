import Squall
import SquallEncryption

extension Connection {
    /// Examines the encryption of the file.
    ///
    /// - Parameter isRaw: Whether the key is a raw one, which nothing is derived from.
    func encryptionDiagnosis(isRaw: Bool) throws -> Diagnosis {
        guard configuration.encryption != nil, let cipher = SQLiteLibrary.cipher else {
            return Diagnosis(grade: .ok, subject: "encryption", message: "the file is not encrypted")
        }
        let settings = try cipher.name == "SQLCipher" ? settingsOfSQLCipher() : settingsOfMultipleCiphers()
        let key = try isRaw ? "a raw key" : setting("kdf_iter").map { "\($0) iterations" }
        let parts = try [settings, ["pages of \(pageSize()) bytes"], [key].compactMap(\.self), [header()]].joined()
        return Diagnosis(
            grade: .ok, subject: "encryption",
            message: "encrypted, by \(cipher.name) \(cipher.version): \(parts.joined(separator: ", "))")
    }

    private func settingsOfSQLCipher() throws -> [String] {
        switch try setting("cipher_hmac_algorithm") {
        case "HMAC_SHA512": ["compatibility 4"]
        case "HMAC_SHA1": ["compatibility 3"]
        default: []
        }
    }

    private func settingsOfMultipleCiphers() throws -> [String] {
        guard let name = try setting("cipher") else { return [] }
        guard name == "sqlcipher", let version = try setting("legacy"), version != "0" else { return [name] }
        return [name, "compatibility \(version)"]
    }

    private func header() throws -> String {
        let isSQLCipher = SQLiteLibrary.cipher?.name == "SQLCipher"
        let size = try setting(isSQLCipher ? "cipher_plaintext_header_size" : "plaintext_header_size") ?? "0"
        return size == "0" ? "no header in clear" : "a header of \(size) bytes in clear"
    }

    /// Returns a setting of the cipher, which libraries report as INTEGER or as TEXT; `nil` if the library has none.
    private func setting(_ name: String) throws -> String? {
        let statement = try prepare(SQL(raw: "PRAGMA \(name)"))
        guard try statement.step(), let cell = statement.row?.cells.first else { return nil }
        return switch cell {
        case .text(let text): text
        case .integer(let number): "\(number)"
        default: nil
        }
    }
}

extension Diagnosis {
    static let missingKey = Diagnosis(
        grade: .problem, subject: "encryption",
        message: "the file seems to be encrypted; nothing else can be examined without its key",
        cure: SQLiteLibrary.cipher == nil
            ? "use a squall that runs on an SQLite with a cipher: SQLCipher or SQLite3 Multiple Ciphers"
            : "give its key by --key-file or the variable SQUALL_KEY; on a terminal, it is asked for")
}

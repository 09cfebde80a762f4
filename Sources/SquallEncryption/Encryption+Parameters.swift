extension Encryption {
    /// The parameters of an encrypted file. Those that are `nil` are the defaults of the library.
    ///
    ///     var encryption = Encryption.passphrase { try keychain.read("app") }
    ///     encryption.parameters.compatibility = .sqlCipher3
    public struct Parameters: Hashable, Sendable {
        /// The version of SQLCipher whose format a file has.
        public enum Compatibility: Int, Sendable {
            case sqlCipher3 = 3, sqlCipher4 = 4
        }

        /// The format. SQLite3 Multiple Ciphers uses its default cipher unless one of these parameters is set, and then that of
        /// SQLCipher.
        public var compatibility: Compatibility?
        /// The size of a page in bytes: a power of two from 1,024 to 65,536. Each page has bytes of the cipher, for which 512 are too few.
        public var pageSize: Int?
        /// The number of iterations of the derivation of the key.
        public var iterations: Int?
        /// The 16 bytes of the salt of a file whose first 32 bytes are not encrypted.
        ///
        /// iOS ends an app that is suspended with a lock on a file in a shared container, unless it recognises the file as a database
        /// by these bytes. Such a file does not have its salt, so that the program keeps it: it is not a secret.
        public var plaintextHeaderSalt: [UInt8]?

        public init() {}
    }
}

extension Encryption.Parameters {
    /// Throws if a parameter has a value that no library has.
    func check() throws {
        if let pageSize, !(1_024...65_536).contains(pageSize) || pageSize & (pageSize - 1) != 0 {
            throw EncryptionProblem.invalid("a page size of \(pageSize) bytes")
        }
        if let iterations, !(1...Int(Int32.max)).contains(iterations) {
            throw EncryptionProblem.invalid("\(iterations) iterations")
        }
        if let plaintextHeaderSalt, plaintextHeaderSalt.count != 16 {
            throw EncryptionProblem.invalid("a salt of \(plaintextHeaderSalt.count) bytes")
        }
    }

    /// Whether the file has parameters other than the defaults.
    var areDefaults: Bool { self == Self() }

    /// The digits of the salt.
    var saltDigits: String? {
        plaintextHeaderSalt.map { salt in
            String(decoding: salt.flatMap { [hexadecimalDigit($0 >> 4), hexadecimalDigit($0 & 15)] }, as: UTF8.self)
        }
    }
}

/// Returns the digit of a number below 16.
func hexadecimalDigit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
}

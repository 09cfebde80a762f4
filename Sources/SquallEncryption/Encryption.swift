import Squall

// # Encryption
//
// A file is encrypted by the library that Squall is linked with: SQLCipher, or SQLite3 Multiple Ciphers. This module
// hands the key over, and has it proved. Nothing here encrypts.
//
//     var configuration = Configuration.recommended
//     configuration.encryption = .passphrase { try keychain.read("app") }
//     let database = try Database("app.db", configuration: configuration)
//
// A configuration has a `FileKey`, which `Connection.open` calls before the first statement of a handle. `Encryption`
// conforms to it:
// 1. `unlock(_:)` checks that the library has a cipher, and that the database is a file.
// 2. `withKey(_:)` asks the closure of the program, and copies the secret into memory that is overwritten afterwards.
// 3. `Cipher` knows in which order its library takes the key and the parameters.
// 4. `Connection.proveKey()` of the library reads the schema.
//
// Invariants: a key is never ignored, never empty, and never kept by this module. SQLite keeps in memory, instead of in
// temporary files, all that it would write beside the file: `temp_store` is set with the key. The library knows
// `FileKey` alone, and uses the key of a connection again for each handle that it opens to the same file.
//
// Go on with `Encryption+FileKey.swift` and `Cipher.swift`.

/// The key of a database file, and the parameters of its encryption.
///
///     var configuration = Configuration.recommended
///     configuration.encryption = .passphrase { try keychain.read("app") }
///     let database = try Database("app.db", configuration: configuration)
///
/// The closure is called for each connection that is opened, on the thread that opens it. Its error is thrown by the call that opens the
/// connection. Squall keeps neither the result nor a copy: its copy is overwritten when the library has the key. The memory of a `String`
/// cannot be overwritten; the closure may return bytes instead.
///
/// Two values are equal if one is a copy of the other, with the same parameters.
public struct Encryption: Hashable, Sendable {
    /// The parameters of the file, which must be those that it was made with.
    public var parameters = Parameters()

    let source: KeySource

    /// Derives the key from a text, which takes the library some tenths of a second for each connection. The text is not normalised.
    public static func passphrase(_ read: @escaping @Sendable () throws -> String) -> Encryption {
        Encryption(source: KeySource(isRaw: false) { Array(try read().utf8) })
    }

    /// Derives the key from bytes, as from the text in UTF-8 that has the same bytes.
    public static func passphrase(_ read: @escaping @Sendable () throws -> [UInt8]) -> Encryption {
        Encryption(source: KeySource(isRaw: false, read: read))
    }

    /// Uses 32 bytes as the key, or 48: the key and the salt of the file. Nothing is derived, so that a connection opens fast.
    public static func rawKey(_ read: @escaping @Sendable () throws -> [UInt8]) -> Encryption {
        Encryption(source: KeySource(isRaw: true, read: read))
    }

    /// Uses bytes as the key, as ``rawKey(_:)-(()->[UInt8])``. They stay in memory as long as the configuration is in use.
    public static func rawKey(_ bytes: [UInt8]) -> Encryption {
        rawKey { bytes }
    }
}

/// The closure that reads a secret. It cannot be compared; the object can.
final class KeySource: Hashable, Sendable {
    let isRaw: Bool
    let read: @Sendable () throws -> [UInt8]

    init(isRaw: Bool, read: @escaping @Sendable () throws -> [UInt8]) {
        self.isRaw = isRaw
        self.read = read
    }

    static func == (one: KeySource, other: KeySource) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Configuration {
    /// The encryption of the file; `nil` for a file that is not encrypted.
    ///
    /// Each connection that the library opens gets the key: `sqlite3_key_v2`, before its first statement. `PRAGMA temp_store = MEMORY`
    /// follows, so that nothing of the file is written elsewhere in clear, and then `SELECT 1 FROM main.sqlite_master LIMIT 1`, which throws
    /// ``/Squall/FileProblem/wrongKey`` or ``/Squall/FileProblem/notEncrypted``. A new file is encrypted from its first page on.
    ///
    /// Opening throws ``EncryptionProblem`` where the linked SQLite has no cipher, and for a database that is not in a file.
    public var encryption: Encryption? {
        get { key?.base as? Encryption }
        set { key = newValue.map { AnyFileKey($0) } }
    }
}

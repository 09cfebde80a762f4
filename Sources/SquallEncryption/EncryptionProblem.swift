import Squall

/// The reason why a key cannot be used. A key that is not that of its file is a ``/Squall/FileProblem``.
public enum EncryptionProblem: SQLiteProblem {
    /// Thrown when a key is given, and the SQLite that the program is linked with has no cipher.
    case encryptionMissing
    /// Thrown when a key is given for a database in memory or in a temporary file.
    case needsFile
    /// Thrown for a key without bytes, which a library takes for no key.
    case emptyKey
    /// Thrown for a raw key of this number of bytes.
    case rawKeySize(Int)
    /// Thrown for a passphrase that the library would read as a raw key, such as `x'…'` with 64 digits.
    case passphraseIsRawKey
    /// Thrown for a parameter that no file can have.
    case invalidParameter(String)
    /// Thrown when a file with parameters other than the library's defaults is attached, and SQLCipher is the library.
    case attachedWithParameters
    /// Thrown when a file with a key is attached to a connection that has temporary tables, which may be in a file in clear.
    case temporaryTables
}

extension EncryptionProblem {
    public var code: ResultCode {
        switch self {
        case .encryptionMissing: .error
        case .needsFile, .emptyKey, .rawKeySize, .passphraseIsRawKey, .invalidParameter, .attachedWithParameters,
            .temporaryTables:
            .misuse
        }
    }

    public var message: String {
        switch self {
        case .encryptionMissing: "a key is given, and this SQLite (\(SQLiteLibrary.version)) has no cipher"
        case .needsFile: "only a database in a file is encrypted"
        case .emptyKey: "the key is empty"
        case .rawKeySize(let count): "a raw key has 32 bytes, or 48 with its salt, and this one has \(count)"
        case .passphraseIsRawKey: "the library would read this passphrase as a raw key"
        case .invalidParameter(let parameter): "no encrypted file has \(parameter)"
        case .attachedWithParameters: "SQLCipher attaches only files that have its default parameters"
        case .temporaryTables: "a file with a key is attached to a connection that has temporary tables"
        }
    }

    public var hint: String? {
        switch self {
        case .encryptionMissing: "link SQLCipher: give the dependency on Squall the trait SQLCipher"
        case .needsFile, .rawKeySize, .invalidParameter: nil
        case .emptyKey: "an empty key would make a file that is not encrypted: leave `encryption` at nil for one"
        case .passphraseIsRawKey: "use `rawKey` with its bytes"
        case .attachedWithParameters: "open it as a database"
        case .temporaryTables: "attach it before they are made, or set PRAGMA temp_store = MEMORY"
        }
    }

    static func invalid(_ parameter: String) -> SQLiteError { SQLiteError(Self.invalidParameter(parameter)) }
}

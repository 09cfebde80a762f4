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
    /// Thrown for a parameter that no file can have, and for a new key that the closure does not return again.
    case invalidParameter(String)
    /// Thrown when a file with parameters other than the library's defaults is attached, and SQLCipher is the library.
    case attachedWithParameters
    /// Thrown when a file with a key is attached to a connection that has temporary tables, which may be in a file in clear.
    case temporaryTables
    /// Thrown for a `PRAGMA temp_store` other than `MEMORY` on a connection that has a file with a key: SQLite would write temporary tables
    /// and sorts in clear.
    case temporaryFiles
    /// Thrown when a page of a file is damaged, and the key is that of the file. The code is `SQLITE_CORRUPT` (11).
    case damagedPage
    /// Thrown by `Database.rekey(to:deadline:)` for a database that has no key.
    case notEncrypted
    /// Thrown by `Database.rekey(to:deadline:)` when the library has left the old key in place. SQLCipher does not report why. The
    /// code is `SQLITE_ERROR` (1).
    case keyNotChanged
    /// Thrown by `Database.rekey(to:deadline:)` for a key with other parameters than those of the file.
    case parametersOfFile
    /// Thrown by SQLite3 Multiple Ciphers where a file whose header is in clear is attached or copied to, beside a main file that is
    /// encrypted.
    case headerInClear
    /// Thrown by `Database.rekey(to:deadline:)` where SQLite3 Multiple Ciphers is the library, which can damage the file.
    case unsafeRekey
    /// Thrown by `Database.rekey(to:deadline:)` when a file is attached that has the same key, which it would keep, and was attached
    /// without `encryption:`.
    case sharedKey
    /// Thrown by `Database.rekey(to:deadline:)` inside a closure of the database.
    case rekeyInsideClosure
    /// Thrown by `Database.rekey(to:deadline:)` while a snapshot or a backup of the database is open. The code is
    /// `SQLITE_BUSY` (5).
    case rekeyBlocked
}

extension EncryptionProblem {
    public var code: ResultCode {
        switch self {
        case .encryptionMissing, .keyNotChanged: .error
        case .needsFile, .emptyKey, .rawKeySize, .passphraseIsRawKey, .invalidParameter, .attachedWithParameters,
            .temporaryTables, .temporaryFiles, .notEncrypted, .parametersOfFile, .rekeyInsideClosure, .headerInClear,
            .unsafeRekey, .sharedKey:
            .misuse
        case .damagedPage: .corrupt
        case .rekeyBlocked: .busy
        }
    }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        switch self {
        case .encryptionMissing: "a key is given, and this SQLite (\(SQLiteLibrary.version)) has no cipher"
        case .needsFile: "only a database in a file is encrypted"
        case .emptyKey: "the key is empty"
        case .rawKeySize(let count): "a raw key has 32 bytes, or 48 with its salt, and this one has \(count)"
        case .passphraseIsRawKey: "the library would read this passphrase as a raw key"
        case .invalidParameter(let parameter): "no encrypted file has \(parameter)"
        case .attachedWithParameters: "SQLCipher attaches only files that have its default parameters"
        case .temporaryTables: "a file with a key is attached to a connection that has temporary tables"
        case .temporaryFiles: "temporary tables and sorts would be written to files in clear"
        case .damagedPage: "a page of the file is damaged: \(subject.pathName)"
        case .notEncrypted: "the database has no key that could be changed"
        case .keyNotChanged: "the library has left the old key in place: \(subject.pathName)"
        case .parametersOfFile: "a new key has the parameters of the file"
        case .headerInClear: "SQLite3 Multiple Ciphers cannot do this with a file whose header is in clear"
        case .unsafeRekey: "SQLite3 Multiple Ciphers can damage a file while it changes the key"
        case .sharedKey: "a file that is attached has the same key, and would keep it: \(subject.pathName)"
        case .rekeyInsideClosure: "the key of a database cannot be changed inside one of its closures"
        case .rekeyBlocked: "a snapshot or a backup of the database is open"
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
        case .temporaryFiles: "beside an encrypted file, temp_store is MEMORY"
        case .damagedPage: "rows of other pages can be read; restore the file from a backup"
        case .headerInClear: "copy the database in two steps, by way of another file"
        case .notEncrypted, .parametersOfFile, .unsafeRekey: "use copy(to:encryption:), which writes a new file"
        case .keyNotChanged: "the disk needs room for the file once more, and no page may be damaged"
        case .sharedKey: "attach it with `encryption:`"
        case .rekeyInsideClosure: nil
        case .rekeyBlocked: "close the snapshot, or wait for the end of the backup"
        }
    }

    static func invalid(_ parameter: String) -> SQLiteError { SQLiteError(Self.invalidParameter(parameter)) }
}

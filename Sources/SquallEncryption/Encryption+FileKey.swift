import Squall
import SquallSQLite

extension Encryption: FileKey {
    package func unlock(_ handle: OpaquePointer) throws {
        let cipher = try requireCipher()
        guard let path = sqlite3_db_filename(handle, "main"), path.pointee != 0 else {
            throw SQLiteError(EncryptionProblem.needsFile)
        }
        let parameters = cipher.statements(for: parameters)
        if cipher.takesParametersFirst { try run(parameters, on: handle) }
        let code = try withKey { squall_key(handle, "main", $0.baseAddress, Int32($0.count)) }
        guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
        if !cipher.takesParametersFirst { try run(parameters, on: handle) }
        // Sorts, and tables that are temporary, would be written in clear.
        try run(["PRAGMA temp_store = MEMORY"], on: handle)
    }

    package func withBytes(
        forAttachingTo handle: OpaquePointer, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let cipher = try requireCipher()
        if cipher.takesParametersFirst {
            do {
                try run(cipher.statementsBeforeAttaching(with: parameters), on: handle)
            } catch let error as SQLiteError where error.sql?.contains("cipher_salt") == true {
                // The main file has another one.
                throw SQLiteError(EncryptionProblem.headerInClear)
            }
        } else if !parameters.areDefaults {
            throw SQLiteError(EncryptionProblem.attachedWithParameters)
        }
        try withKey(body)
    }

    package func encryptAgain(_ handle: OpaquePointer) throws {
        try withKey { key in
            // Later connections ask the closure again.
            try withKey { again in
                guard key.elementsEqual(again) else {
                    throw EncryptionProblem.invalid("a key that changes from call to call")
                }
            }
            let code = squall_rekey(handle, "main", key.baseAddress, Int32(key.count))
            guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
        }
        try proveChange(sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? "")
    }

    /// Opens the file with this key. SQLCipher returns no error when it has left the old key in place, as on a full disk.
    private func proveChange(_ path: String) throws {
        var configuration = Configuration.sqlite
        configuration.encryption = self
        do {
            _ = try Connection(path, mode: .readOnly, configuration: configuration)
        } catch let error as SQLiteError
            where error.problem(FileProblem.self) == .wrongKey || Self.isOfJournal(error.resultCode)
        {
            throw SQLiteError(EncryptionProblem.keyNotChanged, of: .file(path))
        }
    }

    /// Whether a code is that of a journal that could not be played back: the transaction was not committed.
    private static func isOfJournal(_ code: ResultCode) -> Bool {
        code == .busy || code == .readOnly
    }

    package static func damage(ofFile path: String, sql: String?) -> SQLiteError {
        SQLiteError(EncryptionProblem.damagedPage, of: .file(path), sql: sql)
    }

    package static func sharedKey(ofFile path: String) -> SQLiteError {
        SQLiteError(EncryptionProblem.sharedKey, of: .file(path))
    }

    package static func temporaryFiles(sql: String) -> SQLiteError {
        SQLiteError(EncryptionProblem.temporaryFiles, sql: sql)
    }

    /// Returns the cipher of the library, and checks the parameters.
    @discardableResult
    func requireCipher() throws -> SQLiteLibrary.Cipher {
        guard let cipher = SQLiteLibrary.cipher else { throw SQLiteError(EncryptionProblem.encryptionMissing) }
        try parameters.check()
        return cipher
    }

    private func run(_ statements: [String], on handle: OpaquePointer) throws {
        for statement in statements {
            let code = sqlite3_exec(handle, statement, nil, nil, nil)
            guard code == SQLITE_OK else { throw SQLiteError(code, on: handle, sql: statement) }
        }
    }

    /// Calls a closure with the key as the library reads it, in memory that is overwritten afterwards.
    func withKey<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        var secret = try source.read()
        defer { secret.withUnsafeMutableBytes { squall_wipe($0.baseAddress, $0.count) } }
        guard !secret.isEmpty else { throw SQLiteError(EncryptionProblem.emptyKey) }
        // The libraries count in 32 bits.
        guard secret.count <= Int32.max else { throw EncryptionProblem.invalid("a key of \(secret.count) bytes") }
        guard source.isRaw else {
            if Self.isReadAsRawKey(secret) { throw SQLiteError(EncryptionProblem.passphraseIsRawKey) }
            return try secret.withUnsafeBytes(body)
        }
        guard secret.count == 32 || secret.count == 48 else {
            throw SQLiteError(EncryptionProblem.rawKeySize(secret.count))
        }
        let literal = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * secret.count + 3, alignment: 1)
        defer {
            squall_wipe(literal.baseAddress, literal.count)
            literal.deallocate()
        }
        Self.writeLiteral(of: secret, to: literal)
        return try body(UnsafeRawBufferPointer(literal))
    }

    /// Writes `x'…'`, byte by byte: an array that grows would leave copies in memory.
    private static func writeLiteral(of bytes: [UInt8], to literal: UnsafeMutableRawBufferPointer) {
        literal[0] = UInt8(ascii: "x")
        literal[1] = UInt8(ascii: "'")
        for (index, byte) in bytes.enumerated() {
            literal[2 + 2 * index] = hexadecimalDigit(byte >> 4)
            literal[3 + 2 * index] = hexadecimalDigit(byte & 15)
        }
        literal[literal.count - 1] = UInt8(ascii: "'")
    }

    /// Whether a library takes the bytes of a passphrase for those of a raw key: SQLCipher `x'…'` with the digits of 32 or 48 bytes, and
    /// SQLite3 Multiple Ciphers also `raw:` with such digits or bytes. Whether they are digits is not looked at.
    static func isReadAsRawKey(_ passphrase: [UInt8]) -> Bool {
        let isLiteral = passphrase.starts(with: "x'".utf8) && passphrase.last == UInt8(ascii: "'")
        if isLiteral { return [64, 96].contains(passphrase.count - 3) }
        let prefix = passphrase.prefix(4).map { $0 | 0x20 }
        return prefix == Array("raw:".utf8) && [32, 48, 64, 96].contains(passphrase.count - 4)
    }
}

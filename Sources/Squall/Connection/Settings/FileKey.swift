import SquallSQLite

/// The key of a database file, which a handle gets between its opening and its first statement.
///
/// `SquallEncryption` has the type of keys: an app that does not import it compiles no encryption.
package protocol FileKey: Hashable, Sendable {
    /// Gives the key to a handle that has run no statement.
    func unlock(_ handle: OpaquePointer) throws

    /// Calls a closure with the bytes that `KEY` of an `ATTACH` takes, which are valid during the call.
    func withBytes(forAttachingTo handle: OpaquePointer, _ body: (UnsafeRawBufferPointer) throws -> Void) throws

    /// Encrypts the file of a handle that has its old key with this one, in a transaction. If it throws, the handle must be closed.
    func encryptAgain(_ handle: OpaquePointer) throws

    /// Returns the error of a page of a file that cannot be read with the right key.
    static func damage(ofFile path: String, sql: String?) -> SQLiteError

    /// Returns the error of a change of the key beside a file that is attached with the same key, and would keep it.
    static func sharedKey(ofFile path: String) -> SQLiteError

    /// Returns the error of a PRAGMA that would let SQLite write temporary tables to files, which are not encrypted.
    static func temporaryFiles(sql: String) -> SQLiteError
}

/// A key as a part of a ``Configuration``, which is compared.
///
/// Copies share a variable. A ``Database`` has a separate one, which its connections share, so that all have the new key when it changes.
package struct AnyFileKey: Hashable, Sendable {
    private let current: Locked<Keys>

    private struct Keys {
        var base: any FileKey
        /// The key that a file may have instead, whose change has failed in a way that left this open.
        var other: (any FileKey)?
    }

    package init(_ base: any FileKey) {
        current = Locked(Keys(base: base))
    }

    package var base: any FileKey { current.withLock { $0.base } }

    /// Returns the key in another variable.
    func separate() -> AnyFileKey { AnyFileKey(base) }

    func replace(with base: any FileKey) {
        current.withLock { $0 = Keys(base: base) }
    }

    /// Notes the key that the file may have instead.
    func mayBe(_ other: any FileKey) {
        current.withLock { $0.other = other }
    }

    /// Takes the other key, if there is one, in place of a key that was wrong. Returns whether there is a key to be tried.
    func takeOther(than wrong: any FileKey) -> Bool {
        current.withLock { keys in
            if let other = keys.other, keys.base.isEqual(to: wrong) { keys = Keys(base: other) }
            return !keys.base.isEqual(to: wrong)
        }
    }

    package static func == (one: Self, other: Self) -> Bool { one.base.isEqual(to: other.base) }

    package func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }

    /// Returns the key of a file for which none is given. It is `nil` in every program: the tests of this package set it.
    package static let ofTests = Locked<(@Sendable (_ path: String) -> AnyFileKey?)?>(nil)
}

extension Configuration {
    /// Returns the key of a file that is opened or attached with the configuration.
    func key(ofFile path: String) -> AnyFileKey? { key ?? AnyFileKey.ofTests.withLock { $0?(path) } }
}

extension FileKey {
    fileprivate func isEqual(to other: any FileKey) -> Bool { other as? Self == self }
}

// MARK: - Proof

extension Connection {
    /// Reads the schema, which only the right key can. The header alone may not be encrypted.
    ///
    /// - Throws: ``FileProblem/wrongKey`` or ``FileProblem/notEncrypted``.
    func proveKey() throws {
        let sql = SchemaCatalog.firstRow.text
        let handle = try requireHandle(sql: sql)
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code != SQLITE_OK else { return }
        if code & 0xff == SQLITE_CORRUPT {
            // The first page can be read: the schema is damaged. As in a file that is not encrypted, its first use throws.
            if pragmaValue("main.schema_version", on: handle) != nil { return }
            throw SQLiteError.refusedKey(ofFile: fileName)
        }
        let error = SQLiteError(code, on: handle, sql: sql)
        guard error.isOfUnreadableFile else { throw explained(error) }
        throw SQLiteError.refusedKey(ofFile: fileName)
    }

    /// Returns an error of the use of a file, with the problem of one whose key has changed, or that has damaged pages.
    func namingChangedKey(_ error: SQLiteError, _ key: AnyFileKey) -> SQLiteError {
        // Of several files with keys, it may be that of any. A file that is attached has not been read before.
        if hasAttachedKeys || error.sql.map({ StatementFacts($0).verb }) == .attach { return error }
        return key.explaining(error, ofFile: fileName)
    }

    /// Returns an error of the use of a file without a key, with the problem of one that needs a key.
    func namingMissingKey(_ error: SQLiteError, path: @autoclosure () -> String) -> SQLiteError {
        // With a header that is not encrypted, the random bytes after it seem damaged in one file of sixty.
        guard error.isOfUnreadableFile || error.code == SQLITE_CORRUPT else { return error }
        let path = path()
        guard FileBegin(path: path)?.isEncrypted == true else { return error }
        return SQLiteError(FileProblem.encrypted, of: .file(path), sql: error.sql)
    }
}

extension AnyFileKey {
    /// Returns an error of the use of a file that had this key, with the problem of one whose key has changed, or that has damaged pages.
    package func explaining(_ error: SQLiteError, ofFile path: String) -> SQLiteError {
        let mayBeKey = error.isOfUnreadableFile
        guard mayBeKey || error.extendedCode == SQLITE_CORRUPT else { return error }
        do {
            if mayBeKey {
                _ = try Connection(
                    path: StorageLocation.onDisk(path).plainPath, tableLockPolicy: .fastFail,
                    flags: Connection.Mode.readOnly.flags, configuration: .sqlite.with(self))
            }
            return type(of: base).damage(ofFile: path, sql: error.sql)
        } catch let refusal {
            guard let refusal = refusal as? SQLiteError, refusal.problem(FileProblem.self) != nil else { return error }
            return refusal.changed { $0.sql = error.sql }
        }
    }
}

extension SQLiteError {
    /// Returns the error of a key that is not that of a file.
    static func refusedKey(ofFile path: String, sql: String? = nil) -> SQLiteError {
        let isPlain = FileBegin(path: path)?.isPlain ?? false
        return SQLiteError(isPlain ? FileProblem.notEncrypted : .wrongKey, of: .file(path), sql: sql)
    }

    /// Whether pages are not those of a database. With a header that is not encrypted, the code is `SQLITE_ERROR` (1).
    var isOfUnreadableFile: Bool {
        code == SQLITE_NOTADB
            || extendedCode == SQLITE_ERROR && (message == "unsupported file format" || message == "SQL logic error")
    }
}

/// The begin of a file as it is on the disk.
struct FileBegin {
    private let bytes: [UInt8]
    private let size: Int64

    /// Reads a file by SQLite: if this process opened and closed it otherwise, it would lose the locks that it has on it.
    ///
    /// - Returns: `nil` if the file cannot be read.
    init?(path: String) {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        let path = StorageLocation.onDisk(path).plainPath
        guard !path.isEmpty, sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else { return nil }
        var (bytes, size) = ([UInt8](repeating: 0, count: 512), Int64(0))
        guard squall_read_begin(handle, &bytes, 512, &size) == SQLITE_OK else { return nil }
        (self.bytes, self.size) = (bytes, size)
    }

    private var hasHeader: Bool { bytes.starts(with: "SQLite format 3\0".utf8) }

    /// The bytes at the end of each page that SQLite does not use. A cipher needs them.
    private var reserved: Int { Int(bytes[20]) }

    /// Whether the file is a database that is not encrypted. One whose header alone is not has reserved bytes.
    var isPlain: Bool { hasHeader && reserved < 16 }

    /// Throws for an encrypted file that has a rollback journal. Without the key, SQLite may take the journal for damaged, and delete it.
    static func checkJournal(of path: String) throws {
        guard access(path + "-journal", F_OK) == 0, let begin = Self(path: path), !begin.hasHeader else { return }
        if begin.isEncrypted { throw SQLiteError(FileProblem.encrypted, of: .file(path)) }
    }

    /// Whether the file has whole pages whose bytes look random, which those of other files at their begin do not, or only a header that
    /// is not encrypted.
    var isEncrypted: Bool {
        guard size >= 512, size % 512 == 0 else { return false }
        // 512 random bytes have 221 values; with a deviation of 5.
        return hasHeader ? !isPlain : Set(bytes).count > 180
    }
}

import SquallSQLite

/// The keys with which a connection has attached files.
final class AttachedKeys {
    /// By the name of the database and the path: a closure may attach another file under the name, and the first one is attached again at
    /// its end.
    private var keys: [Identifier: [String: Attached]] = [:]

    fileprivate struct Attached {
        let key: any FileKey
        /// Whether no key was given, so that it is that of `main`.
        let isOfMain: Bool
    }

    fileprivate subscript(name: String, path: String) -> Attached? {
        get { keys[Identifier(name)]?[path] }
        set { keys[Identifier(name), default: [:]][path] = newValue }
    }

    /// Returns the key of a file that is attached now.
    fileprivate func first(path: (_ name: String) -> String?) -> (any FileKey)? {
        keys.compactMap { name, keys in path(name.spelling).flatMap { keys[$0]?.key } }.first
    }
}

extension Connection {
    private var attachedKeys: AttachedKeys { companion { AttachedKeys() } }

    /// Whether files are attached that have keys.
    var hasAttachedKeys: Bool { attachedKey != nil }

    /// The key of a file of the connection that has one.
    var anyKey: (any FileKey)? { configuration.key?.base ?? attachedKey }

    private var attachedKey: (any FileKey)? {
        attachedKeys.first { filePath(of: $0).map { String(cString: $0) } }
    }

    /// Keeps the key with which a file has been attached.
    func keepKey(_ key: any FileKey, isOfMain: Bool, ofDatabase name: String) {
        let path = filePath(of: name).map { String(cString: $0) } ?? ""
        attachedKeys[name, path] = AttachedKeys.Attached(key: key, isOfMain: isOfMain)
    }

    /// The files that are attached with the key of `main`, or by SQL.
    func filesAttachedWithoutKey() throws -> [String] {
        try databases().filter { database in
            !database.file.isEmpty && Identifier(database.name) != "main"
                && attachedKeys[database.name, database.file]?.isOfMain ?? true
        }.map(\.file)
    }

    static var attachWithKey: String { "ATTACH DATABASE ? AS ? KEY ?" }

    /// Returns the key of a database; `nil` if it is not encrypted. SQL that attaches without KEY uses that of `main`.
    func key(ofDatabase name: String) -> (any FileKey)? {
        let file = filePath(of: name).map { String(cString: $0) } ?? ""
        if let attached = attachedKeys[name, file] { return attached.key }
        guard let key = configuration.key?.base, !file.isEmpty else { return nil }
        return Identifier(name) != "main" && FileBegin(path: file)?.isPlain == true ? nil : key
    }

    /// Attaches a file again, as it was attached before.
    func attachAgain(_ file: String, named name: String) {
        if let handle, let key = attachedKeys[name, file]?.key {
            try? key.withBytes(forAttachingTo: handle) { attachInternally(file, named: name, $0, on: handle) }
            return
        }
        let isPlainBesideKey = configuration.key != nil && FileBegin(path: file)?.isPlain == true
        let path = StorageLocation.onDisk(file).plainPath
        let attach: SQL = "ATTACH DATABASE \(path) AS \(name: name) \(raw: isPlainBesideKey ? "KEY ''" : "")"
        cleanUp(attach.withLiterals.text)
    }

    private func attachInternally(
        _ path: String, named name: String, _ key: UnsafeRawBufferPointer, on handle: OpaquePointer
    ) {
        internally(isHidden: true) {
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            // A value that is not bound would be NULL: no key, or another file. The caller looks whether the file is attached.
            var code = sqlite3_prepare_v2(handle, Self.attachWithKey, -1, &statement, nil)
            if code == SQLITE_OK { code = squall_bind_text(statement, 1, path, UInt64(path.utf8.count)) }
            if code == SQLITE_OK { code = squall_bind_text(statement, 2, name, UInt64(name.utf8.count)) }
            if code == SQLITE_OK { code = sqlite3_bind_blob64(statement, 3, key.baseAddress, UInt64(key.count), nil) }
            if code == SQLITE_OK { sqlite3_step(statement) }
        }
    }
}

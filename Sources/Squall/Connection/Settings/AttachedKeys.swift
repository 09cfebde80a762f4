import SquallSQLite

/// The keys with which a connection has attached files, by the name of the database.
final class AttachedKeys {
    fileprivate var keys: [Identifier: (path: String, key: any FileKey)] = [:]
}

extension Connection {
    private var attachedKeys: AttachedKeys { companion { AttachedKeys() } }

    /// Whether files are attached that have keys.
    var hasAttachedKeys: Bool { attachedKey != nil }

    /// The key of a file of the connection that has one.
    var anyKey: (any FileKey)? { configuration.key?.base ?? attachedKey }

    private var attachedKey: (any FileKey)? {
        attachedKeys.keys.first { name, attached in
            filePath(of: name.spelling).map { String(cString: $0) } == attached.path
        }?.value.key
    }

    /// Keeps the key with which a file has been attached.
    func keepKey(_ key: any FileKey, ofDatabase name: String) {
        attachedKeys.keys[Identifier(name)] = (path: filePath(of: name).map { String(cString: $0) } ?? "", key: key)
    }

    static var attachWithKey: String { "ATTACH DATABASE ? AS ? KEY ?" }

    /// Returns the key of a database; `nil` if it is not encrypted. SQL that attaches without KEY uses that of `main`.
    func key(ofDatabase name: String) -> (any FileKey)? {
        let file = filePath(of: name).map { String(cString: $0) } ?? ""
        if let attached = attachedKeys.keys[Identifier(name)], attached.path == file { return attached.key }
        guard let key = configuration.key?.base, !file.isEmpty else { return nil }
        return Identifier(name) != "main" && FileBegin(path: file)?.isPlain == true ? nil : key
    }

    /// Attaches a file again, as it was attached before.
    func attachAgain(_ file: String, named name: String) {
        if let handle, let attached = attachedKeys.keys[Identifier(name)], attached.path == file {
            try? attached.key.withBytes(forAttachingTo: handle) { attachInternally(file, named: name, $0, on: handle) }
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

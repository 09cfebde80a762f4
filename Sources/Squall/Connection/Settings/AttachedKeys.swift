import SquallSQLite

/// The keys with which a connection has attached files.
final class AttachedKeys {
    /// A closure may attach another file under the name, and the first one is attached again at its end.
    fileprivate struct Place: Hashable {
        let name: Identifier
        let path: String
    }

    fileprivate var keys: [Place: any FileKey] = [:]
}

extension Connection {
    private var attachedKeys: AttachedKeys { companion { AttachedKeys() } }

    /// Whether files are attached that have keys.
    var hasAttachedKeys: Bool {
        attachedKeys.keys.keys.contains { place in
            filePath(of: place.name.spelling).map { String(cString: $0) } == place.path
        }
    }

    /// Keeps the key with which a file has been attached.
    func keepKey(_ key: any FileKey, ofDatabase name: String) {
        let path = filePath(of: name).map { String(cString: $0) } ?? ""
        attachedKeys.keys[AttachedKeys.Place(name: Identifier(name), path: path)] = key
    }

    static var attachWithKey: String { "ATTACH DATABASE ? AS ? KEY ?" }

    /// Returns the key of a database; `nil` if it is not encrypted. SQL that attaches without KEY uses that of `main`.
    func key(ofDatabase name: String) -> (any FileKey)? {
        let file = filePath(of: name).map { String(cString: $0) } ?? ""
        if let attached = attachedKeys.keys[AttachedKeys.Place(name: Identifier(name), path: file)] { return attached }
        guard let key = configuration.key?.base, !file.isEmpty else { return nil }
        return Identifier(name) != "main" && FileBegin(path: file)?.isPlain == true ? nil : key
    }

    /// Attaches a file again, as it was attached before.
    func attachAgain(_ file: String, named name: String) {
        if let handle, let key = attachedKeys.keys[AttachedKeys.Place(name: Identifier(name), path: file)] {
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

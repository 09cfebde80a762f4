import SquallSQLite

/// The keys with which a connection has attached files, by the name of the database.
final class AttachedKeys {
    fileprivate var keys: [Identifier: (path: String, key: any FileKey)] = [:]
}

extension Connection {
    private var attachedKeys: AttachedKeys { companion { AttachedKeys() } }

    /// Attaches a file with a key, which is used again where the library opens or attaches the file by itself.
    package func attach(_ storageLocation: StorageLocation, named name: String, key: any FileKey) throws {
        let (path, sql) = (storageLocation.plainPath, "ATTACH DATABASE ? AS ? KEY ?")
        for text in [path, name] where text.utf8.contains(0) {
            throw SQLiteError.misuse(.nulCharacter(in: .attachment))
        }
        let handle = try requireHandle(sql: sql)
        try willPrepare(StatementStart(verb: .attach, pragma: nil), on: handle)
        do {
            try key.attach(path, named: name, to: handle)
        } catch let error as SQLiteError where error.code == SQLITE_NOTADB {
            let isPlain = FileBegin(path: path)?.isPlain ?? false
            throw SQLiteError(isPlain ? FileProblem.notEncrypted : .wrongKey, of: .file(path), sql: sql)
        }
        attachedKeys.keys[Identifier(name)] = (path: filePath(of: name).map { String(cString: $0) } ?? "", key: key)
    }

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
            try? attached.key.attach(file, named: name, to: handle)
            return
        }
        let isPlainBesideKey = configuration.key != nil && FileBegin(path: file)?.isPlain == true
        let path = StorageLocation.onDisk(file).plainPath
        let attach: SQL = "ATTACH DATABASE \(path) AS \(name: name) \(raw: isPlainBesideKey ? "KEY ''" : "")"
        cleanUp(attach.withLiterals.text)
    }
}

import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file to which a database is copied.
package enum NewFile {
    /// The files that are being written.
    private static let written = Locked<Set<FileIdentity>>([])

    /// Whether a file has no bytes.
    package static func isEmpty(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0
    }

    /// Calls a closure that writes a database to a file. If it fails, a file that did not exist before is removed; but not one that has
    /// replaced it in the meantime.
    package static func write(_ path: String, _ body: () throws -> Void) throws {
        guard !path.utf8.contains(0) else { throw SQLiteError.misuse(.nulCharacter(in: .path)) }
        // SQLite takes an empty file. This one is known, so that another one in its place is noticed.
        let isNew = (try? Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)) != nil
        let file = FileIdentity(path: path)
        // Of two calls of this process that write the file, the one that fails must not remove that of the other.
        if let file, !begin(file) { throw SQLiteError(FileProblem.exists, of: .file(path)) }
        do {
            try body()
        } catch {
            // A partial file looks like a database, and blocks the next attempt.
            end(file, removing: isNew && !isOfOther(error, path) ? path : nil)
            throw error
        }
        end(file, removing: nil)
        let found = FileIdentity(path: path)
        guard found == file else {
            throw SQLiteError(found == nil ? FileProblem.moved : .replaced, of: .file(path))
        }
    }

    /// Whether an error is that of a file that another process writes, or has written.
    private static func isOfOther(_ error: any Error, _ path: String) -> Bool {
        guard let error = error as? SQLiteError else { return false }
        return error.problem(FileProblem.self) == .exists || error.resultCode == .busy && !isEmpty(path)
    }

    /// Notes that a file is not being written any more, and removes it. Its identity may be that of another file right afterwards.
    private static func end(_ file: FileIdentity?, removing path: String?) {
        written.withLock { written in
            if let path, FileIdentity(path: path) == file { try? FileManager.default.removeItem(atPath: path) }
            if let file { written.remove(file) }
        }
    }

    /// Notes that a file is being written. Returns `false` if it is already.
    private static func begin(_ file: FileIdentity) -> Bool {
        written.withLock { written in
            if written.contains(file) { return false }
            written.insert(file)
            return true
        }
    }
}

import Foundation
import Squall

/// A database file that is written under a temporary name, and gets its own name only when it is complete and on the disk.
struct NewDatabaseFile: Sendable {
    /// The name that the user has given, for messages.
    let path: String
    /// The name behind symbolic links.
    private let target: String
    /// The name until then, in the same folder, so that the file can be renamed.
    let temporaryPath: String

    /// Creates the temporary file, which only its owner can read until the file is complete.
    ///
    /// - Throws: ``Failure`` if the folder is missing, or must not be written to.
    init(_ path: String, until interruption: Interruption) throws {
        self.path = path
        target = InputFile.followingLinks(path)
        temporaryPath = "\(target).\(UUID().uuidString.prefix(8).lowercased()).tmp"
        let descriptor = open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.creationFailure(path) }
        close(descriptor)
        interruption.cleanUpAtOnce { [self] in discard() }
    }

    /// Deletes the temporary file, if it has not got its name.
    func discard() {
        for suffix in ["-journal", "-wal", "-shm", ""] { unlink(temporaryPath + suffix) }
    }

    /// Gives the file its name, once its contents are on the disk.
    ///
    /// - Parameters:
    ///   - source: The file whose permissions the new file gets.
    ///   - replacing: Whether the file may replace another one.
    ///   - key: The key of that one, if it is encrypted.
    func finish(permissionsOf source: String, replacing: Bool, key: DatabaseKey?) throws {
        var information = stat()
        if stat(source, &information) == 0 { chmod(temporaryPath, information.st_mode & 0o777) }
        try synchronize(temporaryPath)
        if replacing { try replace(key) } else { try add() }
        try synchronizeFolder()
    }

    /// Gives the file the name of the database that it is a copy of, once its contents are on the disk.
    ///
    /// - Parameter lock: Calls a closure while no other connection can use the old file.
    func takePlace(lock: (() throws -> Void) throws -> Void) throws {
        var information = stat()
        if stat(target, &information) == 0 {
            // Only an administrator can give a file to another owner.
            _ = chown(temporaryPath, information.st_uid, information.st_gid)
            chmod(temporaryPath, information.st_mode & 0o777)
        }
        try synchronize(temporaryPath)
        try lock { try rename() }
        try synchronizeFolder()
    }

    private func synchronizeFolder() throws {
        try synchronize(URL(fileURLWithPath: target).deletingLastPathComponent().path)
    }

    /// A hard link never replaces a file that another process has created in the meantime. A file system without them needs a
    /// rename.
    private func add() throws {
        if link(temporaryPath, target) == 0 {
            unlink(temporaryPath)
        } else if errno == EEXIST {
            throw Failure("'\(path)' already exists", exitCode: .cannotCreate)
        } else {
            try rename()
        }
    }

    /// Replaces a file without leaving the log or the journal of the old one, which SQLite would apply to the new one.
    private func replace(_ key: DatabaseKey?) throws {
        guard FileManager.default.fileExists(atPath: target) else {
            try removeLeftovers()
            return try rename()
        }
        let old: Connection
        do {
            old = try DatabaseFile(path: target, key: key, mayBePlain: true).open(.writing)
        } catch let error as SQLiteError where error.isOfUselessFile {
            // Its log is of no use without the database. It is removed first: after a crash, the old file stays as it was.
            try removeLeftovers()
            return try rename()
        }
        defer { old.close() }
        // The database then has no files beside it. SQLite refuses while another connection uses its log. The lock keeps all
        // others out until the file is replaced.
        let mode: String? = try old.query("PRAGMA journal_mode = DELETE")
        guard mode == "delete" else { throw SQLiteError(code: ResultCode.busy.rawValue, message: "database is locked") }
        try old.execute("BEGIN EXCLUSIVE")
        try rename()
    }

    private func rename() throws {
        guard Foundation.rename(temporaryPath, target) == 0 else { throw Self.creationFailure(path) }
    }

    private func removeLeftovers() throws {
        for suffix in ["-wal", "-journal", "-shm"] where unlink(target + suffix) != 0 && errno != ENOENT {
            throw Failure("cannot remove '\(target)\(suffix)': \(String(cString: strerror(errno)))", exitCode: .ioError)
        }
    }

    /// The log and the journal that SQLite would apply to a database at the path. It ignores empty ones.
    private static func leftovers(beside path: String) -> [String] {
        let path = InputFile.followingLinks(path)
        return ["-wal", "-journal"].map { path + $0 }.filter { leftover in
            var information = stat()
            return stat(leftover, &information) == 0 && information.st_size > 0
        }
    }

    private func synchronize(_ path: String) throws {
        let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            // Some file systems cannot flush a folder.
            if descriptor >= 0, errno == EINVAL { return }
            throw Failure("cannot flush '\(path)': \(String(cString: strerror(errno)))", exitCode: .ioError)
        }
    }

    private static func creationFailure(_ path: String) -> Failure {
        Failure("cannot create '\(path)': \(String(cString: strerror(errno)))", exitCode: .cannotCreate)
    }
}

extension NewDatabaseFile {
    /// Checks whether a new file may be created at a path.
    ///
    /// - Throws: ``Failure`` if there is a file, or the log of one, and it must not be replaced.
    static func check(_ path: String, isReplaced: Bool, source: String) throws {
        guard path != ":memory:" else {
            throw Failure(
                "':memory:' is not a file", exitCode: .cannotCreate, hint: "'./:memory:' is a file with this name")
        }
        var (information, origin) = (stat(), stat())
        guard stat(path, &information) == 0 else {
            guard !isReplaced, let leftover = leftovers(beside: path).first else { return }
            throw Failure(
                "'\(leftover)' exists without its database, and SQLite would apply it to the new file",
                exitCode: .cannotCreate, hint: "--force removes it"
            )
        }
        if information.st_mode & S_IFMT != S_IFREG {
            throw Failure("'\(path)' is not a regular file", exitCode: .cannotCreate)
        }
        if stat(source, &origin) == 0, origin.st_dev == information.st_dev, origin.st_ino == information.st_ino {
            throw Failure("'\(source)' and '\(path)' are the same file", exitCode: .cannotCreate)
        }
        guard isReplaced else {
            throw Failure("'\(path)' already exists", exitCode: .cannotCreate, hint: "--force replaces it")
        }
    }
}

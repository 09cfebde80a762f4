import Foundation

/// The log and the journal beside a database. They are read from the disk, before SQLite opens the database: it may use,
/// truncate or delete them.
struct SideFiles {
    /// The size of the write-ahead log in bytes; `nil` without one.
    let logSize: Int?
    /// The page size that the log was written for; `nil` without a log that has begun.
    let logPageSize: Int?
    /// Whether the journal has changes of a transaction that did not finish, or that another process is making.
    let hasJournal: Bool
    private let database: Header?

    /// The fields of a database header that tell which log belongs to it.
    private struct Header {
        let pageSize: Int
        /// Whether the file is in WAL mode.
        let isLogged: Bool
    }

    init(of path: String) {
        database = Self.bytes(of: path, count: 100).flatMap { bytes in
            guard bytes.count == 100, bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
            let size = Int(bytes[16]) << 8 | Int(bytes[17])
            return Header(pageSize: size == 1 ? 65_536 : size, isLogged: bytes[18] == 2)
        }
        logSize = Self.size(of: path + "-wal")
        logPageSize = Self.bytes(of: path + "-wal", count: 32).flatMap { bytes in
            // The magic number of a log ends with the byte order of its checksums.
            guard bytes.count == 32, bytes.starts(with: [0x37, 0x7F, 0x06]), bytes[3] | 1 == 0x83 else { return nil }
            return bytes[8..<12].reduce(0) { $0 << 8 | Int($1) }
        }
        // SQLite overwrites or truncates the header of a journal when its transaction has finished.
        let journal = Self.bytes(of: path + "-journal", count: 8) ?? []
        hasJournal = journal.elementsEqual([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    }

    /// The reason why the log cannot belong to the database; `nil` if it may.
    var logFault: String? {
        guard let database, let logPageSize else { return nil }
        if !database.isLogged { return "the database is not in WAL mode, but a log with changes is beside it" }
        if database.pageSize != logPageSize {
            return "the log has pages of \(logPageSize) bytes, and the database has pages of \(database.pageSize) bytes"
        }
        return nil
    }

    /// Checks the file of a database, as ``InputFile/check(_:hint:)`` does. If it is missing, and its log or its journal is not,
    /// the error says so.
    static func check(database path: String) throws {
        try refuseRest(ofMissing: path)
        if path != ":memory:" { try InputFile.check(path) }
    }

    /// Returns whether SQLite cannot read a database with a log, because the directory, in which it must make the file `-shm`,
    /// cannot be written.
    static func needsFolder(of path: String) -> Bool {
        let files = SideFiles(of: path)
        guard files.logSize != nil || files.database?.isLogged == true else { return false }
        let folder = URL(fileURLWithPath: InputFile.followingLinks(path)).deletingLastPathComponent().path
        return access(folder, W_OK) != 0
    }

    private static func refuseRest(ofMissing path: String) throws {
        guard path != ":memory:", size(of: path) == nil else { return }
        let rest = ["-wal", "-journal"].map { path + $0 }.filter { (size(of: $0) ?? 0) > 0 }
        guard let first = rest.first else { return }
        throw Failure(
            "cannot open '\(path)': No such file or directory", exitCode: .noInput,
            hint:
                "'\(first)' is still there: the database was moved or deleted without it, and it may have committed changes"
        )
    }

    private static func size(of path: String) -> Int? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        return Int(information.st_size)
    }

    private static func bytes(of path: String, count: Int) -> [UInt8]? {
        // Opening a pipe would block.
        guard size(of: path) != nil, FileManager.default.isReadableFile(atPath: path),
            let handle = FileHandle(forReadingAtPath: path)
        else { return nil }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: count)).flatMap { $0.map { [UInt8]($0) } }
    }
}

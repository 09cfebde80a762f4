import SquallSQLite
import Foundation

/// Notices that the file of a database was deleted or replaced. SQLite goes on with the old file, and in WAL mode even
/// writes to it, without an error: what is written is lost.
///
/// It looks at the path and not through a connection (`SQLITE_FCNTL_HAS_MOVED` does the same, 1.4 µs), so that a new
/// connection can be compared as well. The number of the old file is not used again as long as a connection has it
/// open.
struct FileIdentity: Sendable {
    private let path: String
    private let device: UInt64
    private let number: UInt64

    /// The file of a connection, `nil` for one that is not in a file.
    init?(_ connection: Connection) {
        let path = connection.fileName
        guard !path.isEmpty, let file = Self.file(path) else { return nil }
        self.path = path
        (device, number) = file
    }

    private static func file(_ path: String) -> (UInt64, UInt64)? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        return (UInt64(truncatingIfNeeded: information.st_dev), UInt64(information.st_ino))
    }

    /// - Throws: ``SQLiteError`` with `SQLITE_READONLY_DBMOVED`.
    func check() throws(SQLiteError) {
        let found = Self.file(path)
        if let found, found == (device, number) { return }
        // SQLite would replay a log that it finds beside a file, whichever file it was written for.
        throw SQLiteError(
            code: ResultCode.fileMoved.rawValue,
            message: "the database file was \(found == nil ? "deleted or moved" : "replaced"): \(path)",
            hint:
                "close the database, remove the log of the old file (\(path)-wal and \(path)-shm) if it is still there, "
                + "and open the database again"
        )
    }

    /// The size of the write-ahead log in bytes.
    var walSize: Int {
        var information = stat()
        return stat(path + "-wal", &information) == 0 ? Int(information.st_size) : 0
    }
}

extension ResultCode {
    /// The database file was deleted, moved or replaced while it was open (`SQLITE_READONLY_DBMOVED`).
    public static let fileMoved = ResultCode(rawValue: SQLITE_READONLY | 4 << 8)
}

/// The time that a look at the file may be old, in nanoseconds of a clock that costs little.
enum CoarseClock {
    static var now: UInt64 {
        var time = timespec()
        #if os(Linux)
            clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        #else
            clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

import SquallSQLite

/// The identity of a file in the file system, independent of its path.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path; `nil` if there is none.
    init?(path: UnsafePointer<CChar>) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
    }
}

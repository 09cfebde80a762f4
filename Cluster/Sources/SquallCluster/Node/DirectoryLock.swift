#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The directory of a node, which no other node can lock. Two nodes would destroy each other's files.
    struct DirectoryLock: ~Copyable {
        private let descriptor: Int32

        init(_ directory: String) throws(ClusterNodeError) {
            // The property is set last: an error after that would run `deinit`, which closes the descriptor.
            let opened = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            // Also what libdqlite would fail at: after that, SQLite's list of file systems has one that was freed.
            guard opened >= 0, access(directory, R_OK | W_OK | X_OK) == 0 else {
                if opened >= 0 { close(opened) }
                throw .directoryError("\(directory) is not a directory that can be read and written")
            }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                close(opened)
                throw .directoryError("another node uses \(directory)")
            }
            descriptor = opened
        }

        deinit {
            close(descriptor)
        }
    }

    extension ClusterNodeError {
        fileprivate static func directoryError(_ message: String) -> ClusterNodeError {
            ClusterNodeError(operation: .create, code: 1, message: message)
        }
    }
#endif

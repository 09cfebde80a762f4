#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The directory of a node's files.
    enum NodeDirectory {
        /// Creates a directory that is missing, for this user only. Its parent must exist.
        static func create(_ path: String) throws {
            guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
            throw CreationError(path: path, reason: String(cString: strerror(errno)))
        }

        struct CreationError: Error, CustomStringConvertible {
            let path: String
            let reason: String

            var description: String { "cannot create the directory \(path): \(reason)" }
        }
    }
#endif

import Foundation

/// The use of a database file by other processes.
enum FileUse {
    /// Checks that a file can be replaced: that no other process has it open, as far as the system tells, and that it has one name.
    ///
    /// SQLite alone does not know of a connection that is open and idle, unless the file is in WAL mode. It would go on with the old file.
    ///
    /// - Throws: ``Failure``.
    static func check(_ path: String) throws {
        var information = stat()
        guard stat(path, &information) == 0 else { return }
        guard information.st_nlink < 2 else {
            throw Failure(
                "\(path): the file has \(information.st_nlink) names, and only one would be that of the new file",
                exitCode: .cannotCreate, hint: "write a new file with --output")
        }
        guard access(path, W_OK) == 0 else {
            throw Failure("cannot write '\(path)': \(String(cString: strerror(errno)))", exitCode: .noPermission)
        }
        if isOpenElsewhere(path) { throw inUse(path) }
    }

    static func inUse(_ path: String) -> Failure {
        Failure(
            "\(path): another process uses the database", exitCode: .temporaryFailure,
            hint: "end the programs that have it open, or write a new file with --output")
    }

    #if os(Linux)
        // <fcntl.h> has them only for programs in GNU C.
        private static let setLease: Int32 = 1024
        private static let (writeLease, noLease): (Int32, Int32) = (1, 2)

        /// A write lease is granted only to the one that has the file open. Some file systems have none, and only the owner of the file,
        /// or an administrator, gets one. It must be asked for before SQLite opens the file: closing it here ends the locks of the process.
        private static func isOpenElsewhere(_ path: String) -> Bool {
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            guard fcntl(descriptor, setLease, writeLease) != 0 else {
                _ = fcntl(descriptor, setLease, noLease)
                return false
            }
            return errno == EAGAIN
        }
    #else
        private static func isOpenElsewhere(_ path: String) -> Bool { false }
    #endif
}

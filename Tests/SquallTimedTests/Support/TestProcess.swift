import Foundation

/// A program, running: that of the target TestProcess, or another. (Foundation's `Process` leaks, which the address sanitizer reports.)
final class TestProcess {
    private static let lock = NSLock()
    private var process: pid_t = 0
    private let output: FileHandle

    convenience init(_ arguments: [String]) throws {
        try self.init(path: Self.products.appending(path: "TestProcess").path, arguments)
    }

    /// - Parameter withErrors: Whether what it writes to its standard error is part of its output.
    init(path: String, _ arguments: [String], withErrors: Bool = false) throws {
        // One at a time: a process would inherit the pipe of another, which would then not end with its own process.
        Self.lock.lock()
        defer { Self.lock.unlock() }
        let pipe = Pipe()
        _ = fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFD, FD_CLOEXEC)
        output = pipe.fileHandleForReading
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, 1)
        if withErrors { posix_spawn_file_actions_adddup2(&actions, 1, 2) }
        posix_spawn_file_actions_addclose(&actions, pipe.fileHandleForReading.fileDescriptor)
        posix_spawn_file_actions_addclose(&actions, pipe.fileHandleForWriting.fileDescriptor)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let code = posix_spawn(&process, path, &actions, nil, &words, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        try pipe.fileHandleForWriting.close()
    }

    func kill() {
        _ = Foundation.kill(process, SIGKILL)
    }

    /// The first bytes that it writes, once there are some.
    func firstOutput() -> String {
        String(decoding: output.availableData, as: UTF8.self)
    }

    /// All that it writes, and its exit code, once it has ended; -1 when it was killed.
    func end() throws -> (output: String, code: Int32) {
        let data = try output.readToEnd() ?? Data()
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return (String(decoding: data, as: UTF8.self), status & 0x7f == 0 ? (status >> 8) & 0xff : -1)
    }

    /// The folder of the programs that were built.
    static var products: URL {
        #if os(Linux)
            // (`allBundles` leaks as well.)
            return Bundle.main.bundleURL
        #else
            let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            return tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
        #endif
    }
}

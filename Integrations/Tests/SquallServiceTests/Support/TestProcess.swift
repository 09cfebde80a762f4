import Foundation

/// The program ServiceProcess, running.
///
/// Sendable, because one thread at a time uses it: that of a test.
final class TestProcess: @unchecked Sendable {
    private static let lock = NSLock()
    private let process: pid_t
    private let output: FileHandle
    private var buffer = Data()

    init(_ arguments: [String]) throws {
        // One at a time: a process would inherit the pipe of another, which would then not end with its own process.
        Self.lock.lock()
        defer { Self.lock.unlock() }
        let path = Self.products.appending(path: "ServiceProcess").path
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
        posix_spawn_file_actions_addclose(&actions, pipe.fileHandleForReading.fileDescriptor)
        posix_spawn_file_actions_addclose(&actions, pipe.fileHandleForWriting.fileDescriptor)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, path, &actions, nil, &words, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        self.process = process
        try pipe.fileHandleForWriting.close()
    }

    func send(_ signal: Int32) {
        _ = kill(process, signal)
    }

    /// Reads until it has written so many lines, or has ended.
    func waitForLines(_ count: Int) {
        while buffer.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let data = output.availableData
            if data.isEmpty { return }
            buffer += data
        }
    }

    /// All lines that it writes, and its exit code, once it has ended; -1 when a signal has ended it.
    func end() throws -> (lines: [String], code: Int32) {
        buffer += try output.readToEnd() ?? Data()
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let lines = String(decoding: buffer, as: UTF8.self).split(separator: "\n").map(String.init)
        return (lines, status & 0x7f == 0 ? (status >> 8) & 0xff : -1)
    }

    private static var products: URL {
        #if os(Linux)
            return Bundle.main.bundleURL
        #else
            let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            return tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
        #endif
    }
}

import Foundation
@preconcurrency import Rainbow

/// The terminal, or what stands in its place.
enum Console {
    /// Sets the process up, once, before anything is printed.
    static func prepare() {
        // What is printed is UTF-8, wherever it goes: widths must be those of UTF-8 also where the user's locale is not.
        if setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "UTF-8") }
        // `squall … | head` ends quietly, also when the parent process ignores the signal.
        signal(SIGPIPE, SIG_DFL)
        // Rainbow lets FORCE_COLOR win over NO_COLOR, but not over a standard output that is no terminal.
        let force = ProcessInfo.processInfo.environment["FORCE_COLOR"] ?? ""
        if !["", "0"].contains(force) { Rainbow.outputTarget = .console }
    }

    /// Prints a line to standard error. There is nowhere to report that it failed.
    static func printError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}

/// Standard output, handed to the system many rows at a time.
final class StandardOutput {
    private static let capacity = 1 << 16
    private var buffer: [UInt8] = []

    func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Hands over what has been written.
    ///
    /// - Throws: ``Failure`` when it cannot be, for instance on a full disk.
    func flush() throws {
        var rest = buffer[...]
        buffer.removeAll(keepingCapacity: true)
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                let reason = String(cString: strerror(errno))
                throw Failure("cannot write to standard output: \(reason)", exitCode: .ioError)
            }
        }
    }
}

import Foundation
@preconcurrency import Rainbow

/// The terminal, or the streams that replace it.
enum Console {
    /// Prepares the process once, before anything is printed.
    static func prepare() {
        // Output is always UTF-8, so character widths must be those of UTF-8, whatever the user's locale is.
        if setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "UTF-8") }
        // `squall … | head` ends quietly, even if the parent process ignores the signal.
        signal(SIGPIPE, SIG_DFL)
        // Rainbow lets `FORCE_COLOR` win over `NO_COLOR`, but not over a standard output that is not a terminal.
        let force = ProcessInfo.processInfo.environment["FORCE_COLOR"] ?? ""
        if !["", "0"].contains(force) { Rainbow.outputTarget = .console }
    }

    /// Prints a line to standard error. A failure to do so cannot be reported anywhere.
    static func printError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}

/// Standard output, written in batches of many rows.
final class StandardOutput {
    private static let capacity = 1 << 16
    private var buffer: [UInt8] = []

    func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes the buffered output.
    ///
    /// - Throws: ``Failure`` if writing fails, for instance on a full disk.
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

import Foundation

/// A process of the same program, of which the lane reads the output line by line.
///
/// A fault that traps, or never returns, ends this process and not the lane.
public final class ChildProcess {
    /// The end of a child.
    public enum End: Equatable {
        case exited(Int32)
        case signalled(Int32, message: String)
        /// No line came for too long. The child was killed.
        case silent(seconds: Int)
    }

    private let process = Process()
    private let output = Pipe()
    private let errors: String
    private var buffer: [UInt8] = []

    /// Starts this program with other arguments.
    ///
    /// - Parameters:
    ///   - folder: The place of the file with what the child writes to its standard error.
    ///   - hasOwnMounts: Whether the file systems that the child mounts are visible to it alone, and end with it. Only on Linux,
    ///     and only as root.
    public init(_ arguments: [String], errorsIn folder: String, hasOwnMounts: Bool = false) throws {
        errors = "\(folder)/errors-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        process.executableURL = URL(fileURLWithPath: hasOwnMounts ? "/usr/bin/env" : program)
        process.arguments = hasOwnMounts ? ["unshare", "--mount", program] + arguments : arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        try output.fileHandleForWriting.close()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: errors)
    }

    /// Ends the child as `kill -9` does.
    ///
    /// - Returns: Whether it was still running.
    @discardableResult public func kill() -> Bool {
        guard process.isRunning else { return false }
        return Foundation.kill(process.processIdentifier, SIGKILL) == 0
    }

    /// Calls a closure with each line, and returns how the child has ended.
    public func readLines(timeout seconds: Int, _ body: (Substring) -> Void) -> End {
        while true {
            switch readChunk(timeoutMilliseconds: Int32(seconds * 1000)) {
            case .timedOut:
                kill()
                process.waitUntilExit()
                return .silent(seconds: seconds)
            case .ended:
                return wait()
            case .read:
                for line in takeLines() { body(line) }
            }
        }
    }

    /// Reads lines for a time, without ending the child. Returns the lines that were complete.
    public func lines(milliseconds: Int32) -> [Substring] {
        _ = readChunk(timeoutMilliseconds: milliseconds)
        return takeLines()
    }

    /// Waits until the child has ended.
    public func wait() -> End {
        process.waitUntilExit()
        switch process.terminationReason {
        case .uncaughtSignal: return .signalled(process.terminationStatus, message: errorMessage)
        default: return .exited(process.terminationStatus)
        }
    }

    /// Returns a sentence about an end.
    public func describe(_ end: End) -> String {
        switch end {
        case .exited(let status): "the process ended with status \(status): \(errorMessage)"
        case .signalled(let signal, let message): "the process was ended by signal \(signal): \(message)"
        case .silent(let seconds): "nothing happened for \(seconds) seconds"
        }
    }

    /// The first line of the standard error that tells of a trap; otherwise the first line.
    public var errorMessage: String {
        let text = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n")
        return String(lines.first { $0.contains("Fatal error") } ?? lines.first ?? "")
    }

    private enum Chunk {
        case read, ended, timedOut
    }

    private func readChunk(timeoutMilliseconds: Int32) -> Chunk {
        let descriptor = output.fileHandleForReading.fileDescriptor
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Self.retried({ Int(poll(&entry, 1, timeoutMilliseconds)) }) > 0 else { return .timedOut }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Self.retried { read(descriptor, &bytes, bytes.count) }
        guard count > 0 else { return .ended }
        buffer += bytes[..<count]
        return .read
    }

    /// Calls a function of the system again as long as a signal interrupts it.
    private static func retried(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private func takeLines() -> [Substring] {
        guard let end = buffer.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let text = String(decoding: buffer[...end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return text.split(separator: "\n")
    }
}

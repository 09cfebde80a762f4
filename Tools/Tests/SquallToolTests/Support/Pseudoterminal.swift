#if os(Linux)
    import Foundation
    import Testing

    /// The tool on a pseudo-terminal of its own, which is its controlling terminal: ^C is its signal.
    final class Pseudoterminal {
        private let primary: FileHandle
        /// Kept open until the process has ended, so that a read waits instead of failing before the process has opened it.
        private let secondary: FileHandle
        private let process: Process
        private let ends: AsyncStream<Void>
        private var iterator: AsyncStream<[UInt8]>.AsyncIterator
        private var seen: [UInt8] = []
        /// The number of bytes that `read(until:)` has returned.
        private var position = 0

        /// Starts the tool.
        init(_ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24, environment: [String: String] = [:]) throws
        {
            var (descriptor, other): (Int32, Int32) = (-1, -1)
            var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            try #require(openpty(&descriptor, &other, nil, nil, &size) == 0)
            for end in [descriptor, other] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            primary = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            secondary = FileHandle(fileDescriptor: other, closeOnDealloc: true)
            iterator = Self.bytes(of: descriptor).makeAsyncIterator()
            // `setsid` begins the new session. The shell returns the exit code of the tool, also if a signal ended it: 130.
            let shell = ["--ctty", "--wait", "/bin/sh", "-c", "trap : INT TERM; \"$0\" \"$@\"", Tool.executable.path]
            process = Tool.process(URL(fileURLWithPath: "/usr/bin/setsid"), shell + arguments, environment)
            process.standardInput = secondary
            process.standardOutput = secondary
            process.standardError = secondary
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            self.ends = ends
            process.terminationHandler = { _ in end.finish() }
            try Tool.start(process)
        }

        /// Types text.
        func type(_ text: String) throws {
            try primary.write(contentsOf: Data(text.utf8))
        }

        /// Sends a signal to the tool.
        func signal(_ number: Int32) {
            kill(-tcgetpgrp(primary.fileDescriptor), number)
        }

        /// Whether the terminal itself echoes keys and collects lines, as a shell expects it.
        var isInLineMode: Bool {
            var mode = termios()
            let flags = tcflag_t(ECHO | ICANON | ISIG)
            return tcgetattr(primary.fileDescriptor, &mode) == 0 && mode.c_lflag & flags == flags
        }

        /// Reads until a text appears.
        ///
        /// - Returns: All that was printed since the last call, up to and with the text.
        @discardableResult
        func read(until text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
            let wanted = Array(text.utf8)
            // A statement without an end prints megabytes: only the new bytes are searched.
            var start = position
            while true {
                let new = seen[position...]
                if let range = seen[start...].firstRange(of: wanted) {
                    position = range.upperBound
                    return String(decoding: new[..<range.upperBound], as: UTF8.self)
                }
                start = max(start, seen.count - wanted.count + 1)
                guard let bytes = await iterator.next() else {
                    Issue.record(
                        "the tool ended after \(String(decoding: new, as: UTF8.self).debugDescription)",
                        sourceLocation: sourceLocation)
                    throw CancellationError()
                }
                seen += bytes
            }
        }

        /// Reads until the process has ended.
        ///
        /// - Returns: The rest of what it printed, and its exit code; 128 and the number of the signal that ended it.
        func finish() async throws -> (rest: String, exitCode: Int32) {
            for await _ in ends {}
            try secondary.close()
            // After the last byte of a terminal without a process, reading fails.
            while let bytes = await iterator.next() { seen += bytes }
            let rest = String(decoding: seen[position...], as: UTF8.self)
            position = seen.count
            return (rest, process.terminationStatus)
        }

        var processIdentifier: Int32 { process.processIdentifier }

        /// Reads on a thread of its own, because those of the tests must not wait.
        private static func bytes(of descriptor: Int32) -> AsyncStream<[UInt8]> {
            AsyncStream { continuation in
                Thread.detachNewThread {
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    while true {
                        let count = Glibc.read(descriptor, &buffer, buffer.count)
                        if count > 0 {
                            continuation.yield(Array(buffer[..<count]))
                        } else if count == 0 || errno != EINTR {
                            return continuation.finish()
                        }
                    }
                }
            }
        }
    }
#endif

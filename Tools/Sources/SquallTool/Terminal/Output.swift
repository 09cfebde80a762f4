import Foundation

/// Standard output or a file, written in batches of many rows.
final class Output {
    private static let capacity = 1 << 16
    /// `nil` for an output in memory.
    private let descriptor: Int32?
    private let name: String
    private var buffer: [UInt8] = []
    private var isEscaping = false

    /// Standard output.
    init() {
        descriptor = STDOUT_FILENO
        name = "standard output"
    }

    /// A file, which is created, or emptied if it exists; `-` for standard output.
    ///
    /// - Throws: ``Failure`` if the file cannot be created.
    init(path: String) throws {
        guard path != "-" else {
            (descriptor, name) = (STDOUT_FILENO, "standard output")
            return
        }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        (descriptor, name) = (file, "'\(path)'")
        guard file >= 0 else {
            let reason = String(cString: strerror(errno))
            throw Failure("cannot create '\(path)': \(reason)", exitCode: .cannotCreate)
        }
    }

    private init(descriptor: Int32?, name: String) {
        (self.descriptor, self.name) = (descriptor, name)
    }

    deinit {
        if let descriptor, descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// Escapes characters that would control the terminal, if the output is one. For notations that others read unchanged.
    func escapeOnTerminal() {
        isEscaping = descriptor == STDOUT_FILENO && Console.isTerminal(STDOUT_FILENO)
    }

    func write(_ text: String) throws {
        buffer.append(contentsOf: (isEscaping ? text.printableLines : text).utf8)
        if buffer.count >= Self.capacity { try flush() }
    }

    func write(_ bytes: some Collection<UInt8>) throws {
        if isEscaping { return try write(String(decoding: bytes, as: UTF8.self)) }
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes the buffered output.
    ///
    /// - Throws: ``Failure`` if writing fails, for instance on a full disk.
    func flush() throws {
        guard let descriptor else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                let reason = String(cString: strerror(errno))
                throw Failure("cannot write to \(name): \(reason)", exitCode: .ioError)
            }
        }
    }
}

extension Output {
    /// Returns what a closure writes to an output in memory.
    static func collecting(_ body: (Output) throws -> Void) throws -> String {
        let output = Output(descriptor: nil, name: "memory")
        try body(output)
        return String(decoding: output.buffer, as: UTF8.self)
    }

    /// Runs a closure that writes, and writes its output to standard output when it has returned. Until then the output is in a
    /// temporary file.
    static func spooling<Result>(_ body: (Output) throws -> Result) throws -> Result {
        guard let file = tmpfile() else {
            throw Failure(
                "cannot create a temporary file: \(String(cString: strerror(errno)))", exitCode: .cannotCreate)
        }
        defer { fclose(file) }
        let spool = Output(descriptor: dup(fileno(file)), name: "a temporary file")
        let result = try spool.flushing { try body(spool) }
        rewind(file)
        let output = Output()
        output.escapeOnTerminal()
        var line: UnsafeMutablePointer<CChar>?
        var size = 0
        defer { free(line) }
        try output.flushing {
            while case let count = getline(&line, &size, file), count > 0 {
                try output.write(UnsafeRawBufferPointer(start: line, count: count))
            }
        }
        return result
    }

    /// Writes a line to standard output.
    ///
    /// - Throws: ``Failure`` if that fails.
    static func printLine(_ line: String) throws {
        let output = Output()
        try output.write(line + "\n")
        try output.flush()
    }

    /// Runs a closure that writes, and then writes what is buffered, also when the closure throws.
    func flushing<Result>(_ body: () throws -> Result) throws -> Result {
        let result = Swift.Result { try body() }
        try flush()
        return try result.get()
    }

    /// Writes a result of known rows.
    func write(_ rows: some Sequence<[Cell]>, columns: [String], as format: OutputFormat) throws {
        var printer = try format.rowFormat.init(columns: columns, output: self)
        for row in rows { try printer.write(row) }
        try printer.finish()
    }
}

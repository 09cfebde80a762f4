/// Bytes in memory in the place of the tool's file. A read returns a part of them, as a pipe does.
final class SourceFile {
    let name = "the input"
    private let bytes: [UInt8]
    private let partSize: Int
    private var position = 0

    init(_ bytes: [UInt8], partSize: Int) {
        self.bytes = bytes
        self.partSize = partSize
    }

    func rewind() throws {
        position = 0
    }

    /// Reads bytes into memory.
    ///
    /// - Returns: The number of bytes; 0 at the end.
    func read(into memory: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(partSize, memory.count, bytes.count - position)
        bytes.withUnsafeBytes {
            memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
        }
        position += count
        return count
    }
}

/// An error of the tool's readers.
struct Failure: Error {
    enum ExitCode {
        case badInput
    }

    let message: String

    init(_ message: String, exitCode: ExitCode, hint: String? = nil) {
        self.message = message
    }
}

import Foundation

/// A folder for the files that a target reads. Its process removes it at its end, and the next one after a violation.
final class InputDirectory: Sendable {
    static let shared = InputDirectory()

    private static let prefix = "squall-fuzz-"
    private let path: String

    private init() {
        let root = NSTemporaryDirectory()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [] where name.hasPrefix(Self.prefix)
        {
            // An input that was a violation ends its process at once.
            guard let owner = Int32(name.dropFirst(Self.prefix.count)), kill(owner, 0) != 0 else { continue }
            try? FileManager.default.removeItem(atPath: "\(root)/\(name)")
        }
        path = "\(root)/\(Self.prefix)\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: InputDirectory.shared.path) }
    }

    /// Writes a file and removes those that SQLite may have left beside an earlier one.
    ///
    /// - Returns: The path of the file.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = "\(path)/\(name)"
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(file + suffix) }
        guard let stream = fopen(file, "w") else { throw WrongResult("\(file) cannot be written") }
        defer { fclose(stream) }
        try require(fwrite(bytes, 1, bytes.count, stream) == bytes.count, "\(file) is not complete")
        return file
    }
}

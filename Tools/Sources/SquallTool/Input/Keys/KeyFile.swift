import ArgumentParser
import Foundation

/// A file that has a key, or a pipe: `--key-file <(pass show app)`.
enum KeyFile {
    /// The size up to which a file is read.
    private static let limit = 1 << 20

    /// Returns the bytes, without one newline at their end.
    ///
    /// - Throws: ``Failure`` if the file cannot be read, or is empty.
    static func read(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = errno
            throw Failure(
                "cannot open the key file '\(path)': \(String(cString: strerror(error)))",
                exitCode: error == EACCES ? .noPermission : .noInput)
        }
        defer { close(descriptor) }
        try check(descriptor, path)
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        var bytes: [UInt8] = []
        do {
            while bytes.count <= limit, let data = try handle.read(upToCount: limit + 1), !data.isEmpty {
                bytes += data
            }
        } catch {
            throw Failure("cannot read the key file '\(path)'", exitCode: .ioError)
        }
        guard bytes.count <= limit else {
            throw Failure("the key file '\(path)' has more than \(limit) bytes", exitCode: .validationFailure)
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard !bytes.isEmpty else {
            throw Failure("the key file '\(path)' is empty", exitCode: .validationFailure)
        }
        return bytes
    }

    private static func check(_ descriptor: Int32, _ path: String) throws {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { return }
        switch information.st_mode & S_IFMT {
        case S_IFDIR: throw Failure("the key file '\(path)' is a directory", exitCode: .validationFailure)
        case S_IFREG where information.st_mode & (S_IRGRP | S_IROTH) != 0:
            Console.printError("warning: others can read the key file '\(path)': chmod 600 it".printable)
        default: return
        }
    }
}

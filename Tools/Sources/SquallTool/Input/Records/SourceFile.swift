import Foundation

/// A file of records, or standard input.
///
/// A pipe can be read once. A verb that reads twice makes it `repeatable` first.
final class SourceFile {
    /// The name for messages.
    let name: String
    private var descriptor: Int32
    /// The number of bytes; `nil` for a pipe.
    private(set) var size: Int?
    /// The position of the next read in a regular file. It is kept here because the position of a descriptor is shared with
    /// other processes.
    private var position: off_t = 0
    private var isStarted = false

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: ``Failure`` if the file cannot be opened, or is a directory.
    init(path: String) throws {
        if path == "-" {
            (name, descriptor) = ("standard input", STDIN_FILENO)
        } else {
            (name, descriptor) = (path, open(path, O_RDONLY | O_CLOEXEC))
            guard descriptor >= 0 else {
                let error = errno
                throw Failure(
                    "cannot open '\(path)': \(String(cString: strerror(error)))",
                    exitCode: error == EACCES ? .noPermission : .noInput
                )
            }
        }
        size = try Self.size(of: descriptor, name: path == "-" ? name : "'\(path)'")
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// Returns the size of a regular file, or `nil` for a pipe or a terminal.
    private static func size(of descriptor: Int32, name: String) throws -> Int? {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw Failure("cannot read \(name)", exitCode: .ioError) }
        switch information.st_mode & S_IFMT {
        case S_IFREG: return Int(information.st_size)
        case S_IFDIR: throw Failure("\(name) is a directory", exitCode: .badInput)
        default: return nil
        }
    }

    /// Begins at the first byte. A pipe can begin only once.
    func rewind() throws {
        guard size != nil || !isStarted else { throw Failure("\(name) cannot be read twice", exitCode: .ioError) }
        isStarted = true
        position = 0
    }

    /// Reads bytes into memory.
    ///
    /// - Returns: The number of bytes; 0 at the end of the file.
    /// - Throws: ``Failure``.
    func read(into memory: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count =
                size == nil
                ? Foundation.read(descriptor, memory.baseAddress, memory.count)
                : pread(descriptor, memory.baseAddress, memory.count, position)
            if count >= 0 {
                position += off_t(count)
                return count
            }
            guard errno == EINTR else {
                throw Failure("cannot read \(name): \(String(cString: strerror(errno)))", exitCode: .ioError)
            }
        }
    }

    /// Copies a pipe to a temporary file, so that it can be read more than once. The file has no name, and is gone when the
    /// tool ends.
    func makeRepeatable() throws {
        guard size == nil else { return }
        let folder = FileManager.default.temporaryDirectory.path
        var template = Array((folder + "/squall-XXXXXX").utf8CString)
        let copy = mkstemp(&template)
        guard copy >= 0 else {
            throw Failure(
                "cannot create a file in '\(folder)': \(String(cString: strerror(errno)))", exitCode: .cannotCreate)
        }
        unlink(template)
        var length = 0
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { memory.deallocate() }
        while case let count = try read(into: memory), count > 0 {
            var written = 0
            while written < count {
                let added = write(copy, memory.baseAddress.map { $0 + written }, count - written)
                guard added >= 0 || errno == EINTR else {
                    let reason = String(cString: strerror(errno))
                    close(copy)
                    throw Failure("cannot copy \(name) to '\(folder)': \(reason)", exitCode: .ioError)
                }
                written += max(added, 0)
            }
            length += count
        }
        if descriptor > STDERR_FILENO { close(descriptor) }
        (descriptor, size, isStarted) = (copy, length, false)
    }
}

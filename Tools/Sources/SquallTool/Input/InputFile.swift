import Foundation

/// An input file.
enum InputFile {
    /// Checks a file before SQLite opens it. The system reports why a file cannot be read, and SQLite does not. Opening a
    /// pipe would block until it has a writer.
    ///
    /// - Throws: ``Failure`` if the file is missing, is not a regular file, or cannot be read.
    static func check(_ path: String, hint: String? = nil) throws {
        var information = stat()
        guard stat(path, &information) == 0, access(path, R_OK) == 0 else {
            let error = errno
            throw Failure(
                "cannot open '\(path)': \(String(cString: strerror(error)))",
                exitCode: error == EACCES ? .noPermission : .noInput,
                hint: error == ENOENT ? hint : nil
            )
        }
        switch information.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw Failure("'\(path)' is a directory", exitCode: .badInput)
        default: throw Failure("'\(path)' is not a regular file", exitCode: .badInput)
        }
    }

    /// Returns whether two paths lead to the same file.
    static func isSame(_ first: String, _ second: String) -> Bool {
        var (one, two) = (stat(), stat())
        guard stat(first, &one) == 0, stat(second, &two) == 0 else { return false }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    /// Returns the path that a path leads to through symbolic links, also if no file is there. Its folders stay as they are
    /// written.
    static func followingLinks(_ path: String) -> String {
        var path = path
        // As many as Linux follows. More are a circle.
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            // Bytes, because a slash and a combining mark form one `Character`.
            let slash = UInt8(ascii: "/")
            let folder = path.utf8.lastIndex(of: slash).map { path[...$0] } ?? ""
            path = target.utf8.first == slash ? target : folder + target
        }
        return path
    }

    /// Returns the text of a file.
    ///
    /// - Throws: ``Failure`` as ``check(_:hint:)`` does, and if the file is not valid UTF-8.
    static func text(at path: String, hint: String? = nil) throws -> String {
        try check(path, hint: hint)
        return try text(of: FileHandle(forReadingAtPath: path), called: "'\(path)'")
    }

    /// Returns the text of standard input.
    static func standardInput() throws -> String {
        try text(of: .standardInput, called: "standard input")
    }

    private static func text(of handle: FileHandle?, called name: String) throws -> String {
        guard let handle, let data = try? handle.readToEnd() ?? Data() else {
            throw Failure("cannot read \(name)", exitCode: .ioError)
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw Failure("\(name) is not valid UTF-8", exitCode: .badInput, hint: TextEncoding.hint(data))
        }
        return text
    }
}

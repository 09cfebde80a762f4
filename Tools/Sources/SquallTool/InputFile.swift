import Foundation

/// A file that is to be read.
enum InputFile {
    /// Looks at a file beforehand, because the system says why it cannot be read, and SQLite does not; and because to open
    /// a pipe would wait for somebody to write.
    ///
    /// - Throws: ``Failure`` for what is missing, is no file, or must not be read.
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

    /// All the text of a file.
    ///
    /// - Throws: ``Failure`` as ``check(_:hint:)`` does, and for what is no text.
    static func text(at path: String, hint: String? = nil) throws -> String {
        try check(path, hint: hint)
        return try text(of: FileHandle(forReadingAtPath: path), called: "'\(path)'")
    }

    /// All the text on standard input.
    static func standardInput() throws -> String {
        try text(of: .standardInput, called: "standard input")
    }

    private static func text(of handle: FileHandle?, called name: String) throws -> String {
        guard let handle, let data = try? handle.readToEnd() ?? Data() else {
            throw Failure("cannot read \(name)", exitCode: .ioError)
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw Failure("\(name) is not valid UTF-8", exitCode: .badInput)
        }
        return text
    }
}

import Foundation

/// A file that is written under another name beside its own, and then takes the place of the file with its name.
///
/// If writing fails or is interrupted, the file with that name is what it was before.
enum FileReplacement {
    /// Runs a closure with the output to a file; `-` is standard output.
    ///
    /// - Throws: ``Failure`` if the file cannot be written; the error of the closure.
    static func writing(_ path: String, _ body: (Output) throws -> Void) throws {
        guard path != "-", let target = replaceable(path) else {
            let output = try Output(path: path)
            return try output.flushing { try body(output) }
        }
        let folder = target.deletingLastPathComponent()
        let temporary = folder.appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString.prefix(8))")
            .path
        let output: Output
        do { output = try Output(path: temporary) } catch let failure as Failure {
            // The message names the file that the user has named.
            let reason = String(cString: strerror(errno))
            throw Failure("cannot create '\(path)': \(reason)", exitCode: failure.exitCode)
        }
        do {
            try body(output)
            try output.flush()
            keepPermissions(of: target.path, for: temporary)
            guard rename(temporary, target.path) == 0 else {
                throw Failure("cannot create '\(path)': \(String(cString: strerror(errno)))", exitCode: .cannotCreate)
            }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Returns the file that a path leads to, also through a symbolic link, and also if it does not exist. `nil` for a device, a pipe and a folder, which a
    /// file cannot replace.
    private static func replaceable(_ path: String) -> URL? {
        var information = stat()
        guard stat(path, &information) == 0 else { return URL(fileURLWithPath: InputFile.followingLinks(path)) }
        guard information.st_mode & S_IFMT == S_IFREG else { return nil }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath()
    }

    private static func keepPermissions(of path: String, for temporary: String) {
        var information = stat()
        if stat(path, &information) == 0 { chmod(temporary, information.st_mode & 0o7777) }
    }
}

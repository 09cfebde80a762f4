import Foundation

/// A file system of its own, which needs the rights of root on Linux.
struct Mount {
    let path: String

    /// Mounts a file system in memory of a size, such as "1m".
    init(size: String, at path: String) throws {
        self.path = path
        try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(size)", "squall-laboratory", path])
    }

    /// Makes another folder visible at a path, read-only.
    init(readOnly folder: String, at path: String) throws {
        self.path = path
        try Self.run("mount", ["--bind", folder, path])
        try Self.run("mount", ["-o", "remount,ro,bind", path])
    }

    func unmount() {
        try? Self.run("umount", ["-l", path])
    }

    /// The reason for which nothing can be mounted here; `nil` if it can.
    static let obstacle: String? = {
        #if os(Linux)
            guard geteuid() == 0 else { return "mounting needs root" }
            let path = NSTemporaryDirectory() + "squall-laboratory-mount-\(getpid())"
            try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: path) }
            // The mount ends with the command.
            let command = ["--mount", "mount", "-t", "tmpfs", "-o", "size=64k", "squall-laboratory", path]
            do {
                try run("unshare", command)
                return nil
            } catch {
                return "this system does not let root mount"
            }
        #else
            return "only on Linux"
        #endif
    }()

    private static func run(_ command: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw WrongResult("\(command) \(arguments) failed") }
    }
}

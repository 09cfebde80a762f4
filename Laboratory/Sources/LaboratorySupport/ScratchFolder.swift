import Foundation

/// A temporary folder, in memory where the system has such a file system.
public final class ScratchFolder: Sendable {
    public let path: String
    /// Whether this process has made the folder, and removes it.
    private let isOwned: Bool

    public init() throws {
        let manager = FileManager.default
        let memory = "/dev/shm"
        let base = manager.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        path = "\(base)/squall-laboratory-\(UUID().uuidString)"
        isOwned = true
        try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Uses a folder that the lane has made for this child process. The lane removes it, also after a child that was killed.
    public init(ofLane path: String) {
        self.path = path
        isOwned = false
    }

    deinit {
        if isOwned { remove() }
    }

    public func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes a folder inside.
    public func remove(_ name: String) {
        try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }

    /// Creates a folder inside, empty even if it exists already, and returns its path.
    public func emptyFolder(_ name: String) throws -> String {
        let folder = "\(path)/\(name)"
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}

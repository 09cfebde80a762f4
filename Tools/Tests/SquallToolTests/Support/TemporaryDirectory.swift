import Foundation
import Squall

/// A directory that is deleted with this object.
final class TemporaryDirectory {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// Makes a database with SQLite's own defaults, and returns its path.
    func database(_ script: SQL, name: String = "test.db") throws -> String {
        let path = path(name)
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.execute(script)
        connection.close()
        return path
    }

    /// Writes a file, and returns its path.
    func file(_ name: String, _ contents: String) throws -> String {
        try Data(contents.utf8).write(to: url.appendingPathComponent(name))
        return path(name)
    }

    /// The names of the files, in order.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }
}

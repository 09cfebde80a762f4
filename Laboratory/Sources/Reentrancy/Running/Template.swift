import Squall
import Foundation

/// The database that every cell copies.
enum Template {
    static func make(at path: String) throws {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        let connection = try Scene.connection(path)
        try Content.fill(connection)
        _ = try connection.checkpoint()
        connection.close()
    }
}

import Foundation
import Squall

/// A database file in a folder of its own, which is removed with the value.
final class TestFile: Sendable {
    private let folder: String
    let path: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "squall-\(UUID().uuidString)").path
        path = folder + "/app.db"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The names of the files in the folder: `app.db-shm` and `app.db-wal` while a connection is open.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
    }

    /// The number of bytes of the write-ahead log; `nil` if there is none.
    var logSize: Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        return (attributes?[.size] as? NSNumber)?.intValue
    }

    /// The result of a query on a connection of its own.
    func query<Value: Extractable>(_ sql: SQL) throws -> [Value] {
        let connection = try Connection(path, mode: .readOnly, configuration: .sqlite)
        defer { connection.close() }
        return try connection.query(sql)
    }
}

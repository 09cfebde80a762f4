import Foundation
import Squall

/// The schemas of the folder Schemas, each of the shape of a well-known example database.
enum SampleSchema: String, CaseIterable {
    /// Of the shape of Chinook.
    case music
    /// Of the shape of Northwind.
    case trade
    /// Of the shape of Sakila.
    case rental

    var url: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Schemas/\(rawValue).sql")
    }
}

extension TemporaryDirectory {
    /// Makes a database with a schema, and returns its path.
    func database(_ schema: SampleSchema) throws -> String {
        let path = path("\(schema.rawValue).db")
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.execute(contentsOf: schema.url)
        connection.close()
        return path
    }

    /// The bytes of a file.
    func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: url.appendingPathComponent(name))
    }
}

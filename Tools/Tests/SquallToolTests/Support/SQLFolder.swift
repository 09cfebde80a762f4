import Foundation
import Testing

/// A folder of SQL files in a temporary directory, for the verbs of `squall sql`.
final class SQLFolder {
    let directory: TemporaryDirectory
    let path: String
    /// The folder of the Swift files.
    let out: String

    /// - Parameters:
    ///   - schema: The first version of the schema.
    ///   - queries: The file `cars.sql`.
    init(schema: String = SQLFolder.schema, queries: String = SQLFolder.queries) throws {
        directory = try TemporaryDirectory()
        path = directory.path("SQL")
        out = directory.path("Generated")
        try write("schema/001_cars.sql", schema)
        try write("cars.sql", queries)
    }

    static let schema = """
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER);
        CREATE INDEX cars_price ON cars(price);
        """

    static let queries = """
        -- name: cheapCars
        -- limit: Int
        SELECT id, name, price FROM cars WHERE price < :limit ORDER BY price;
        """

    /// Writes a file, and returns its path.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try write(name, Data(text.utf8))
    }

    @discardableResult
    func write(_ name: String, _ bytes: Data) throws -> String {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: url)
        return url.path
    }

    /// Runs `squall sql VERB FOLDER` with further arguments.
    func run(_ verb: String, _ arguments: String...) async throws -> Outcome {
        try await Tool.shell("\"$SQUALL\" sql \"$@\"", [verb, path] + arguments)
    }

    /// The text of a file of the folder of the Swift files.
    func generated(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(out)/\(name)")), as: UTF8.self)
    }
}

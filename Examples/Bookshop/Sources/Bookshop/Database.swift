import Foundation
import Squall

extension Database {
    /// A new bookshop in a temporary file. A shop that is to remain opens `Database(path, preparation: addFunctions)`.
    static func bookshop() async throws -> Database {
        let database = try Database.temporary(preparation: addFunctions)
        try await database.migrate(bookshopSchema())
        return database
    }
}

/// Adds the functions that the SQL files declare to a connection.
@Sendable func addFunctions(to connection: Connection) throws {
    try connection.addFunction("isISBN", deterministic: true) { (text: String) in isISBN(text) }
}

/// Reads the schema from the files with which the queries were checked.
func bookshopSchema() throws -> Schema {
    guard let folder = Bundle.module.url(forResource: "schema", withExtension: nil) else {
        throw CocoaError(.fileNoSuchFile)
    }
    return try Schema("bookshop", files: folder)
}

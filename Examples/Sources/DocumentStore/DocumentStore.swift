import Foundation
import Squall

/// Keeps documents of any size in a database, without ever having one in memory.
struct DocumentStore: Sendable {
    private let database: Database

    init(_ path: String) async throws {
        database = try Database(path)
        try await database.write { connection in
            // The bytes are the last column, where zeros are not made in memory.
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS documents(
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL,
                    is_complete INTEGER NOT NULL DEFAULT 0, body BLOB NOT NULL);
                """)
        }
    }

    /// Stores the bytes of a file. If they do not arrive as announced, nothing is stored.
    func store(_ name: String, size: Int, from chunks: FileChunks) async throws {
        let id = try await database.write {
            try $0.insert(into: "documents", ["name": name, "size": size, "body": ZeroBlob(count: size)])
        }
        do {
            try await database.writeBlob(in: "documents", column: "body", row: id, from: chunks)
            try await database.write { try $0.update("documents", rowIDs: [id], set: ["is_complete": true]) }
        } catch {
            try await database.write { try $0.delete(from: "documents", rowIDs: [id]) }
            throw error
        }
    }

    /// The documents whose bytes have all arrived.
    func documents() async throws -> [Document] {
        try await database.read { try $0.all(Document.where { $0.isComplete == true }.order { $0.name }) }
    }

    /// The bytes of a document, in chunks that do not change while they are read.
    func chunks(of document: Document, size: Int) -> BlobChunks {
        database.blob(in: "documents", column: "body", row: document.id ?? 0, chunkSize: size)
    }

    /// Returns the first bytes of each document.
    func signatures(_ count: Int) async throws -> [String: [UInt8]] {
        let documents = try await documents()
        return try await database.read { connection in
            guard let first = documents.first?.id else { return [:] }
            return try connection.withBlob(in: "documents", column: "body", row: first) { blob in
                var signatures: [String: [UInt8]] = [:]
                for document in documents {
                    try blob.move(to: document.id ?? 0)
                    var bytes = [UInt8](repeating: 0, count: min(count, blob.count))
                    try blob.read(into: &bytes, at: 0)
                    signatures[document.name] = bytes
                }
                return signatures
            }
        }
    }

    func close() async throws { try await database.close() }
}

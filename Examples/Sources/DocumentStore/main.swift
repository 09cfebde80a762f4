import ExampleSupport
import Foundation
import Squall

// A store of files that streams them in and out of one database.

await runExample {
    try Data([0x89] + Array("PNG".utf8) + [UInt8](repeating: 7, count: 3_000_000)).write(to: URL(filePath: "photo"))
    try Data("%PDF-1.7 ...".utf8).write(to: URL(filePath: "paper"))

    let store = try await DocumentStore("documents.db")
    for (name, size) in [("photo", 3_000_004), ("paper", 12)] {
        try await store.store(name, size: size, from: FileChunks(path: name))
    }
    do {
        try await store.store("half", size: 20, from: FileChunks(path: "paper"))
    } catch let error as SQLiteError {
        guard case .incomplete(let written, let size)? = error.problem(BlobProblem.self) else { throw error }
        print("half: only \(written) of \(size) bytes have arrived, and nothing is stored")
    }

    for document in try await store.documents() {
        var (count, chunkCount, largest) = (0, 0, 0)
        for try await chunk in store.chunks(of: document, size: 100_000) {
            count += chunk.count
            chunkCount += 1
            largest = max(largest, chunk.count)
        }
        print("\(document.name): \(count) bytes in \(chunkCount) chunks of at most \(largest)")
    }
    let signatures = try await store.signatures(4)
    for (name, bytes) in signatures.sorted(by: { $0.key < $1.key }) {
        print("\(name) begins with \(bytes.map { String($0, radix: 16) }.joined(separator: " "))")
    }
    try await store.close()
}
